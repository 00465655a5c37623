#include "analyze/missing_pieces.h"

#include <algorithm>
#include <array>
#include <optional>

#include "analyze/trtexec_flags.h"
#include "base/files.h"
#include "base/text.h"

namespace planex::analyze {
namespace {

using base::format;
using base::shell_word;
using model::PlanModel;

constexpr std::string_view kAnyModel = "MODEL.onnx";

// The section in which benchmark_app's report has its options.
constexpr const char* kBenchmarkOptions = "command line parameters";

// Options of a build that are about its reports or its run, not about the engine: they are given
// anew.
constexpr std::array<std::string_view, 20> kOptionsOfReports = {
    "dumpLayerInfo",      "dumpOutput",      "dumpProfile",        "exportLayerInfo",
    "exportOutput",       "exportProfile",   "exportTimes",        "loadEngine",
    "noCudaGraph",        "noDataTransfers", "profilingVerbosity", "saveEngine",
    "separateProfileRun", "skipInference",   "buildOnly",          "useCudaGraph",
    "useSpinWait",        "verbose",         "duration",           "warmUp"};

// A command line, word by word.
class Command {
 public:
  explicit Command(std::string_view program) : line_(program) {}

  Command& word(std::string_view text) {
    line_ += ' ';
    line_ += shell_word(text);
    return *this;
  }
  Command& option(std::string_view name) { return word(format("--{}", name)); }
  Command& option(std::string_view name, std::string_view value) {
    return word(format("--{}={}", name, value));
  }
  // Where any of these versions acts on it, and all accept it.
  Command& option_of(const TensorrtVersions& versions, std::string_view name) {
    return has_effect(name, versions) ? option(name) : *this;
  }
  Command& log_to(std::string_view file) {
    line_ += format(" > {} 2>&1", shell_word(file));
    return *this;
  }
  const std::string& line() const { return line_; }

 private:
  std::string line_;
};

// A string of Python.
std::string python_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    const auto byte = static_cast<unsigned char>(c);
    quoted += byte < 0x20 ? format("\\x{:02x}", byte) : std::string(1, c);
  }
  return quoted + "\"";
}

std::string python_command(std::string_view script) {
  return format("python3 -c {}", shell_word(script));
}

// trtexec's run over an engine or a model for what `option` exports.
void add_times_options(Command& command, const TensorrtVersions& versions) {
  for (const std::string_view name : {"noDataTransfers", "useCudaGraph", "useSpinWait"}) {
    command.option_of(versions, name);
  }
}

void add_profile_options(Command& command, const TensorrtVersions& versions) {
  // Layers inside a captured CUDA graph can't be timed; from 11.0 on graphs are the default.
  command.option_of(versions, "separateProfileRun").option_of(versions, "noCudaGraph");
}

// The folder of a file, or of the archive that it is a member of: nothing is written into those.
std::string_view folder_outside_archives(std::string_view path) {
  std::string_view folder = base::folder_of(path);
  for (const std::string_view ending : {".tea/", ".zip/"}) {
    const std::size_t found = path.find(ending);
    if (found == path.npos) continue;
    const std::string_view archive = path.substr(0, found);
    const std::string_view outside = base::folder_of(archive);
    if (outside.size() < folder.size()) folder = outside;
  }
  return folder;
}

// What the files say of how the engine was made.
class Facts {
 public:
  explicit Facts(const PlanModel& model) : model_(model) {
    producer_ = model.text(model.engine.producer[0]);
    detail_ = model.text(model.engine.detail[0]);
    name_ = model.text(model.engine.name[0]);
    versions_ = parse_tensorrt_versions(model.text(model.engine.producer_version[0]));
    for (std::size_t row = 0; row < model.files.row_count(); ++row) {
      kinds_.emplace_back(model.text(model.files.kind[row]));
    }
    if (!kinds_.empty()) first_file_ = model.text(model.files.file[0]);
    const auto layer_file = std::ranges::find(kinds_, "tensorrt-graph");
    if (layer_file != kinds_.end()) {
      layer_file_ =
          model.text(model.files.file[static_cast<std::size_t>(layer_file - kinds_.begin())]);
    }
    for (const std::string_view key : {"trtexec (build)", "trtexec"}) {
      const auto words = split_command(metadata("command", key));
      if (option_value(words, "onnx") && build_.empty()) build_ = words;
      if (!words.empty()) commands_.push_back(words);
    }
  }

  const PlanModel& model() const { return model_; }
  std::string_view producer() const { return producer_; }
  std::string_view detail() const { return detail_; }
  const std::string& name() const { return name_; }
  const std::string& first_file() const { return first_file_; }
  const TensorrtVersions& versions() const { return versions_; }

  bool has_kind(std::string_view kind) const {
    return std::ranges::find(kinds_, kind) != kinds_.end();
  }

  std::string_view metadata(std::string_view section, std::string_view key) const {
    const model::MetadataTable& table = model_.metadata;
    for (std::size_t row = 0; row < table.row_count(); ++row) {
      if (model_.text(table.key[row]) == key && model_.text(table.section[row]) == section) {
        return model_.text(table.value[row]);
      }
    }
    return {};
  }

  // The words of the command that built the engine; empty where they are not known.
  const std::vector<std::string>& build_words() const { return build_; }

  bool model_file_is_known() const { return model_file() != kAnyModel; }

  std::string model_file() const {
    for (std::size_t row = 0; row < model_.files.row_count(); ++row) {
      if (model_.text(model_.files.kind[row]) == "onnx") {
        return std::string(model_.text(model_.files.file[row]));
      }
    }
    for (const auto& words : commands_) {
      if (auto value = option_value(words, "onnx")) return *value;
    }
    for (const auto& [section, key] : {std::pair{"model_options", "Model"},
                                       {"source model", "Input filename"},
                                       {"model", "path"},
                                       {kBenchmarkOptions, "-m"}}) {
      if (const std::string_view value = metadata(section, key); !value.empty()) {
        return std::string(value);
      }
    }
    return std::string(kAnyModel);
  }

  std::string engine_file() const {
    for (const std::string_view option : {"saveEngine", "loadEngine"}) {
      for (const auto& words : commands_) {
        if (auto value = option_value(words, option)) return *value;
      }
    }
    for (const std::string_view key : {"Save engine", "Load engine"}) {
      if (const auto value = metadata("build_options", key); !value.empty()) {
        return std::string(value);
      }
    }
    for (const std::string_view ending : {".engine", ".plan", ".trt"}) {
      if (name_.ends_with(ending)) return name_;
    }
    return name_ + ".engine";
  }

  // The run that built the engine is known, and did not write it to a file.
  bool is_not_saved() const {
    if (build_.empty()) return false;
    for (const std::string_view option : {"saveEngine", "loadEngine"}) {
      for (const auto& words : commands_) {
        if (option_value(words, option)) return false;
      }
    }
    return metadata("build_options", "Save engine").empty();
  }

  // Where layer information goes: into the file that lacks it, as a second one would make two
  // engines of one.
  std::string layer_file() const {
    const bool can_be_written = !layer_file_.empty() && folder_outside_archives(layer_file_) ==
                                                            base::folder_of(layer_file_);
    return can_be_written ? layer_file_ : output(".graph.json");
  }

  // Beside the engine's own files, where they are found again.
  std::string output(std::string_view ending) const {
    const std::string_view folder = folder_outside_archives(first_file_);
    const std::string file = format("{}{}", name_, ending);
    return folder.empty() || folder == "." ? file : base::join_path(folder, file);
  }

  bool is_in_torch_module() const {
    return model_.text(model_.engine.version_evidence[0]).find("Torch-TensorRT") !=
           std::string_view::npos;
  }

  // The optimisation profile that is shown, where it is not the one that runs by default.
  std::optional<std::int64_t> profile() const {
    const auto shown = model_.engine.profile_index.get(0);
    return shown && *shown > 0 ? shown : std::nullopt;
  }

  // "x:1x3x224x224,y:1x10", where a dimension is dynamic and it is known what was run.
  std::string shapes() const {
    for (const auto& words : commands_) {
      if (profile()) break;  // they are of the profile that ran
      if (auto value = option_value(words, "shapes")) return *value;
    }
    const model::BindingsTable& table = model_.bindings;
    std::string text;
    for (std::size_t row = 0; row < table.row_count(); ++row) {
      if (table.direction[row] != model::Direction::kInput) continue;
      if (std::ranges::find(table.dims[row], -1) == table.dims[row].end()) continue;
      if (table.profile_opt.is_null(row)) return {};
      text += format("{}{}:", text.empty() ? "" : ",", model_.text(table.name[row]));
      bool first = true;
      for (const std::int64_t dim : table.profile_opt[row]) {
        text += format("{}{}", first ? "" : "x", dim);
        first = false;
      }
    }
    return text;
  }

 private:
  const PlanModel& model_;
  std::string_view producer_, detail_;
  std::string name_, first_file_, layer_file_;
  TensorrtVersions versions_;
  std::vector<std::string> kinds_;
  std::vector<std::vector<std::string>> commands_;
  std::vector<std::string> build_;
};

// The command that built the engine, without its reports; as far as it is known.
Command build_command(const Facts& facts) {
  const std::vector<std::string>& words = facts.build_words();
  if (!words.empty()) {
    Command command(words[0].find("trtexec") != std::string::npos ? shell_word(words[0])
                                                                  : "trtexec");
    for (std::size_t i = 1; i < words.size(); ++i) {
      const std::string_view word = words[i];
      const std::string_view name = word.substr(0, word.find('='));
      const bool is_report =
          name.starts_with("--") &&
          std::ranges::find(kOptionsOfReports, name.substr(2)) != kOptionsOfReports.end();
      if (!is_report) command.word(word);
    }
    return command;
  }
  Command command("trtexec");
  command.option("onnx", facts.model_file());
  if (const std::string shapes = facts.shapes(); !shapes.empty()) command.option("shapes", shapes);
  // "FP32+FP16+INT8": each but FP32 was an option, up to 10.16.
  const std::string_view precision = facts.metadata("build_options", "Precision");
  for (const auto& [type, option] : {std::pair{"FP16", "fp16"},
                                     {"INT8", "int8"},
                                     {"BF16", "bf16"},
                                     {"FP8", "fp8"},
                                     {"INT4", "int4"}}) {
    if (precision.find(format("+{}", type)) != precision.npos) command.option(option);
  }
  return command;
}

Command load_command(const Facts& facts) {
  Command command("trtexec");
  command.option("loadEngine", facts.engine_file());
  if (const auto profile = facts.profile(); profile && has_effect("useProfile", facts.versions())) {
    command.option("useProfile", format("{}", *profile));
  }
  if (const std::string shapes = facts.shapes(); !shapes.empty()) command.option("shapes", shapes);
  return command;
}

Command rebuild(const Facts& facts) {
  return build_command(facts)
      .option("saveEngine", facts.engine_file())
      .option("profilingVerbosity", "detailed")
      .option("exportLayerInfo", facts.layer_file());
}

// planex's own driver, with what benchmark_app was told as far as the driver has it.
std::string process_command(const Facts& facts) {
  const std::string model = facts.model_file();
  Command command("planex process");
  command.word(model.ends_with(".onnx") ? std::string_view(model) : kAnyModel)
      .word("-o")
      .word("DIR");
  bool has_options = false;
  for (const auto& [theirs, ours] :
       {std::pair{"-infer_precision", "--precision"}, {"-nthreads", "--threads"}}) {
    const std::string_view value = facts.metadata(kBenchmarkOptions, theirs);
    if (value.empty()) continue;
    if (!has_options) command.word("--");
    has_options = true;
    command.word(ours).word(value);
  }
  return command.line();
}

// The run of benchmark_app that is known, else a plain one; with counters of each layer.
std::string benchmark_command(const Facts& facts) {
  Command command("benchmark_app");
  const model::MetadataTable& table = facts.model().metadata;
  bool is_known = false;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    if (facts.model().text(table.section[row]) != kBenchmarkOptions) continue;
    const std::string_view key = facts.model().text(table.key[row]);
    if (key == "-report_type" || key == "-report_folder" || key == "-exec_graph_path") continue;
    is_known = true;
    command.word(key);
    const std::string_view value = facts.model().text(table.value[row]);
    if (!value.empty()) command.word(value);
  }
  if (!is_known) command.word("-m").word(facts.model_file()).word("-hint").word("latency");
  const std::string_view folder = base::folder_of(facts.first_file());
  if (!facts.has_kind("openvino-exec-graph")) {
    command.word("-exec_graph_path").word(base::join_path(folder, "exec_graph.xml"));
  }
  return command.word("-report_type")
      .word("detailed_counters")
      .word("-report_folder")
      .word(folder.empty() ? "." : folder)
      .line();
}

// TensorRT-RTX's own tool builds and runs in one go.
Command rtx_command(const Facts& facts) {
  Command command("tensorrt_rtx");
  command.option("onnx", facts.model_file());
  if (const std::string shapes = facts.shapes(); !shapes.empty()) command.option("shapes", shapes);
  return command;
}

// What each producer's tools say to make a profile, and times.
std::string profile_command(const Facts& facts) {
  if (facts.producer() == "tensorrt") {
    Command command =
        facts.is_not_saved() && facts.detail() == "full" ? rebuild(facts) : load_command(facts);
    add_profile_options(command, facts.versions());
    return command.option("exportProfile", facts.output(".profile.json")).line();
  }
  if (facts.producer() == "tensorrt-rtx") {
    return rtx_command(facts)
        .option("profilingVerbosity", "detailed")
        .option("exportProfile", facts.output(".profile.json"))
        .line();
  }
  if (facts.producer() == "onnxruntime") {
    return onnxruntime_run(facts.model_file(), facts.output(""));
  }
  if (facts.has_kind("openvino-exec-graph")) return benchmark_command(facts);
  return process_command(facts);
}

std::string times_command(const Facts& facts) {
  if (facts.producer() == "tensorrt") {
    Command command = load_command(facts);
    add_times_options(command, facts.versions());
    return command.option("exportTimes", facts.output(".times.json")).line();
  }
  if (facts.producer() == "tensorrt-rtx") {
    return rtx_command(facts).option("exportTimes", facts.output(".times.json")).line();
  }
  if (facts.producer() == "onnxruntime") {
    return onnxruntime_run(facts.model_file(), facts.output(""));
  }
  // benchmark_app writes no single inferences, planex's own driver does.
  return process_command(facts);
}

std::string failed_build_command(const Facts& facts) {
  const std::string log = facts.output(".build.log");
  if (facts.producer() == "tensorrt-rtx") {
    return tensorrt_rtx_build(facts.model_file(), facts.output(""));
  }
  return build_command(facts)
      .option("saveEngine", facts.engine_file())
      .option("profilingVerbosity", "detailed")
      .option("verbose")
      .log_to(log)
      .line();
}

// Of the shown profile.
bool has_times(const PlanModel& model) {
  const model::LayersTable& layers = model.layers;
  for (std::size_t row = 0; row < layers.row_count(); ++row) {
    if (!model.is_shown(model::LayerId(row))) continue;
    if (!layers.median_ms.is_null(row) || !layers.mean_ms.is_null(row)) return true;
  }
  return false;
}

// Layers that hide operations, or that nothing traces to the model, would tell more with it.
bool wants_source_model(const PlanModel& model) {
  if (model.operations.row_count() > 0) return false;
  if (model.sources.row_count() == 0) return true;
  const model::LayersTable& layers = model.layers;
  for (std::size_t row = 0; row < layers.row_count(); ++row) {
    const bool hides = layers.family[row] == model::Family::kOpaque ||
                       layers.family[row] == model::Family::kPlugin;
    if (hides && model.does_work(model::LayerId(row)) && layers.flops.is_null(row)) return true;
  }
  return false;
}

// The first sentence of the diagnostic that says why.
std::string failure_of(const PlanModel& model) {
  const model::DiagnosticsTable& table = model.diagnostics;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    if (model.text(table.code[row]) == "build-failed") {
      return std::string(model.text(table.message[row]));
    }
  }
  return "the build failed";
}

// What a layer's name and kernel don't tell, by how little the files have.
std::optional<MissingPiece> missing_details(const Facts& facts) {
  const std::string_view detail = facts.detail();
  const bool rtx = facts.producer() == "tensorrt-rtx";
  const PlanModel& model = facts.model();
  if (facts.producer() == "openvino" && model.ports.row_count() == 0 &&
      model.layers.row_count() > 0) {
    return MissingPiece{.id = "layer-details",
                        .what = "tensors, precisions, weights",
                        .consequence = "counters have names, types, kernels and times of layers",
                        .command = benchmark_command(facts)};
  }
  if (!rtx && facts.producer() != "tensorrt") return std::nullopt;
  MissingPiece piece{.id = "layer-details", .what = "types, tensors, precisions"};
  // An engine that was built with all details only has to be asked for them.
  const auto verbosity = option_value(facts.build_words(), "profilingVerbosity");
  bool has_details = verbosity == "detailed" && !facts.is_not_saved();
  if (detail == "names-only") {
    piece.consequence = rtx || facts.has_kind("tensorrt-graph")
                            ? "only names of layers can be shown; the engine has to be built again"
                            : "only names of layers can be shown: there is no layer file";
    has_details = false;
  } else if (detail == "no-layers") {
    piece.consequence = "the log lists no layers";
    if (!has_details) piece.consequence += "; the engine has to be built again";
  } else if (detail == "log") {
    piece.what = "parameters, weights, source operations";
    piece.consequence = "a log has a short line for each layer; the engine has to be built again";
    has_details = false;
  } else {
    return std::nullopt;
  }
  if (rtx) {
    piece.command = tensorrt_rtx_build(facts.model_file(), facts.output(""));
  } else if (has_details) {
    piece.command = load_command(facts)
                        .option("profilingVerbosity", "detailed")
                        .option("exportLayerInfo", facts.layer_file())
                        .line();
  } else {
    piece.command = rebuild(facts).line();
  }
  return piece;
}

}  // namespace

std::vector<MissingPiece> missing_pieces(const PlanModel& model) {
  std::vector<MissingPiece> missing;
  const Facts facts(model);
  const bool tensorrt = facts.producer() == "tensorrt";
  const bool rtx = facts.producer() == "tensorrt-rtx";
  if (facts.detail() == "failed") {
    missing.push_back({"engine", "the engine", failure_of(model), failed_build_command(facts)});
    return missing;
  }
  auto details = missing_details(facts);
  const bool has_details = !details && facts.detail() == "full";
  if (details) missing.push_back(std::move(*details));
  if (has_details && tensorrt && facts.has_kind("tensorrt-log") &&
      !facts.has_kind("tensorrt-graph")) {
    missing.push_back({"layer-information", "layer information as JSON",
                       "the log has each layer's tensors and kernel; JSON adds parameters, weights "
                       "and exact layouts",
                       load_command(facts).option("exportLayerInfo", facts.layer_file()).line(),
                       true});
  }
  // A log is made without a GPU; times are not.
  const std::string_view place = rtx ? "on a machine with a GPU" : "";
  const std::string_view where = rtx ? "; needs a machine with a GPU" : "";
  if (!has_times(model)) {
    std::string consequence =
        format("no shares, no slowest layers, no estimates of what a fix is worth{}", where);
    if (tensorrt && has_details && facts.is_not_saved()) {
      consequence += "; the run did not save the engine, so it has to be built again";
    }
    if (facts.is_in_torch_module()) {
      consequence +=
          "; the engine is inside a Torch-TensorRT module: write its serialized_engine to the file "
          "first, or let torch_tensorrt.dynamo.Debugger write a profile";
    }
    missing.push_back(
        {"profile", "per-layer times", consequence, profile_command(facts), false, place});
  }
  if (model.iterations.row_count() == 0) {
    std::string consequence = format("no end-to-end spread, no steady-state check{}", where);
    if (facts.has_kind("openvino-exec-graph") || facts.has_kind("openvino-counters")) {
      consequence +=
          "; benchmark_app writes no single inferences, so planex builds and measures the model";
    }
    missing.push_back(
        {"times", "times of inferences", consequence, times_command(facts), false, place});
  }
  if (has_details && !facts.has_kind("onnx") && wants_source_model(model)) {
    missing.push_back({"source-model", "the source model",
                       "without it the work of layers that hide operations is not known, and "
                       "fewer layers are traced to the model",
                       format("planex summary {} --model {}",
                              shell_word(facts.first_file().empty() ? "PLAN" : facts.first_file()),
                              shell_word(facts.model_file())),
                       true});
  }
  return missing;
}

std::string trtexec_run(std::string_view model, std::string_view name, std::string_view version) {
  const TensorrtVersions versions = parse_tensorrt_versions(version);
  Command command("trtexec");
  command.option("onnx", model).option("saveEngine", format("{}.engine", name));
  if (has_effect("profilingVerbosity", versions)) {
    command.option("profilingVerbosity", "detailed")
        .option("exportLayerInfo", format("{}.graph.json", name));
  }
  add_times_options(command, versions);
  command.option_of(versions, "separateProfileRun");
  return command.option("exportProfile", format("{}.profile.json", name))
      .option("exportTimes", format("{}.times.json", name))
      .line();
}

std::string tensorrt_rtx_build(std::string_view model, std::string_view name) {
  return python_command(format(
             "import tensorrt_rtx as t; l=t.Logger(t.Logger.VERBOSE); b=t.Builder(l); "
             "n=b.create_network(0); assert t.OnnxParser(n,l).parse_from_file({}); "
             "c=b.create_builder_config(); c.profiling_verbosity=t.ProfilingVerbosity.DETAILED; "
             "assert b.build_serialized_network(n,c)",
             python_text(model))) +
         format(" > {} 2>&1", shell_word(format("{}.build.log", name)));
}

std::string onnxruntime_run(std::string_view model, std::string_view name) {
  return python_command(format(
      "import numpy as n, onnxruntime as o; s=o.SessionOptions(); s.enable_profiling=True; "
      "s.profile_file_prefix={0}; s.optimized_model_filepath={1}; "
      "r=o.InferenceSession({2}, s, providers=o.get_available_providers()); "
      "t={{\"tensor(float)\": \"f4\", \"tensor(float16)\": \"f2\", \"tensor(double)\": \"f8\", "
      "\"tensor(int64)\": \"i8\", \"tensor(int32)\": \"i4\", \"tensor(int8)\": \"i1\", "
      "\"tensor(uint8)\": \"u1\", \"tensor(bool)\": \"?\"}}; "
      "f={{i.name: n.ones([d if isinstance(d, int) else 1 for d in i.shape], t[i.type]) "
      "for i in r.get_inputs()}}; [r.run(None, f) for _ in range(50)]; r.end_profiling()",
      python_text(name), python_text(format("{}.optimized.onnx", name)), python_text(model)));
}

}  // namespace planex::analyze
