#include "analyze/reproduce/engine_commands.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/files.h"
#include "base/text.h"

namespace planex::analyze {
namespace {

using base::format;
using base::shell_word;

// Options of a build that concern its reports or its run, not the engine: they are replaced by new
// ones.
constexpr std::array<std::string_view, 27> kOptionsOfReports = {
    "tuneBuildRoutes", "tuneBuildRouteFile", "tuningSearch",    "tuningCacheFile",
    "tuningTimeOut",   "tuningResultFile",   "saveAllEngines",  "dumpLayerInfo",
    "dumpOutput",      "dumpProfile",        "exportLayerInfo", "exportOutput",
    "exportProfile",   "exportTimes",        "loadEngine",      "noCudaGraph",
    "noDataTransfers", "profilingVerbosity", "saveEngine",      "separateProfileRun",
    "skipInference",   "buildOnly",          "useCudaGraph",    "useSpinWait",
    "verbose",         "duration",           "warmUp"};

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
  // Whether any of these versions acts on the option, and all accept it.
  Command& option_of(const trtexec::TensorrtVersions& versions, std::string_view name) {
    return trtexec::has_effect(name, versions) ? option(name) : *this;
  }
  Command& log_to(std::string_view file) {
    line_ += format(" > {} 2>&1", shell_word(file));
    return *this;
  }
  const std::string& line() const { return line_; }

 private:
  std::string line_;
};

// A string literal in Python.
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
void add_times_options(Command& command, const trtexec::TensorrtVersions& versions) {
  for (const std::string_view name : {"noDataTransfers", "useCudaGraph", "useSpinWait"}) {
    command.option_of(versions, name);
  }
}

void add_profile_options(Command& command, const trtexec::TensorrtVersions& versions) {
  // Layers inside a captured CUDA graph can't be timed; from 11.0 on, graphs are the default.
  command.option_of(versions, "separateProfileRun").option_of(versions, "noCudaGraph");
}

std::string dims_text(std::span<const std::int64_t> dims) {
  std::string text;
  for (const std::int64_t dim : dims) text += format("{}{}", text.empty() ? "" : "x", dim);
  return text;
}

// The ranges that the engine was built for: other ranges would give another engine.
void add_build_shapes(Command& command, const EngineFacts& facts) {
  const std::vector<InputRange> ranges = facts.input_ranges();
  const bool has_profiles = !ranges.empty() && ranges.back().profile > 0;
  if (ranges.empty() || (has_profiles && !trtexec::has_effect("profile", facts.versions()))) {
    const std::string shapes = facts.shapes();
    if (!shapes.empty()) command.option("shapes", shapes);
    return;
  }
  for (auto first = ranges.begin(); first != ranges.end();) {
    const auto last = std::find_if(first, ranges.end(), [&](const InputRange& range) {
      return range.profile != first->profile;
    });
    if (has_profiles) command.option("profile", format("{}", first->profile));
    const auto add = [&](std::string_view name, auto dims_of) {
      std::string shapes;
      for (auto range = first; range != last; ++range) {
        shapes +=
            format("{}{}:{}", shapes.empty() ? "" : ",", range->name, dims_text((*range).*dims_of));
      }
      command.option(name, shapes);
    };
    add("minShapes", &InputRange::least);
    add("optShapes", &InputRange::tuned);
    add("maxShapes", &InputRange::greatest);
    first = last;
  }
}

// The command that built the engine, without its reports; as far as it is known.
Command build_command(const EngineFacts& facts) {
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
      const bool is_refused = name.starts_with("--") && name.substr(2) == facts.refused_option();
      if (!is_report && !is_refused) command.word(word);
    }
    return command;
  }
  Command command("trtexec");
  command.option("onnx", facts.model_file());
  add_build_shapes(command, facts);
  // "FP32+FP16+INT8": each but FP32 was an option, up to 10.16.
  const std::string_view precision = facts.metadata("build_options", "Precision");
  if (precision == "Strongly Typed") command.option_of(facts.versions(), "stronglyTyped");
  for (const auto& [type, option] : {std::pair{"FP16", "fp16"},
                                     {"INT8", "int8"},
                                     {"BF16", "bf16"},
                                     {"FP8", "fp8"},
                                     {"INT4", "int4"}}) {
    if (precision.find(format("+{}", type)) != precision.npos) command.option(option);
  }
  if (const std::string core = facts.dla_core(); !core.empty()) {
    command.option("useDLACore", core);
    if (facts.metadata("build_options", "GPU Fallback") != "Disabled") {
      command.option("allowGPUFallback");
    }
  }
  return command;
}

// The option that failed the build is one of those for types, which TensorRT 11 removed.
bool chooses_types(const std::vector<std::string>& words, std::string_view refused) {
  const trtexec::TrtexecFlag* flag = trtexec::find_flag(refused);
  constexpr trtexec::TensorrtVersion kLast = {10, 16};
  return flag != nullptr && flag->last_accepted == kLast &&
         trtexec::option_value(words, "onnx").has_value();
}

// The command that failed, for planex to convert to TensorRT 11.
std::string cast_command(const EngineFacts& facts) {
  std::string line;
  for (const std::string& word : facts.build_words()) {
    line += format("{}{}", line.empty() ? "" : " ", shell_word(word));
  }
  const bool is_plain = line.find_first_of("\"\\$`!\'") == line.npos;
  std::string model = facts.model_file();
  if (model.ends_with(".onnx")) model.resize(model.size() - 5);
  return format("planex cast --from-trtexec {} -o {}",
                is_plain ? format("\"{}\"", line) : shell_word(line),
                shell_word(format("{}.cast.onnx", model)));
}

Command load_command(const EngineFacts& facts) {
  Command command("trtexec");
  command.option("loadEngine", facts.engine_file());
  if (const auto profile = facts.profile();
      profile && trtexec::has_effect("useProfile", facts.versions())) {
    command.option("useProfile", format("{}", *profile));
  }
  if (const std::string shapes = facts.shapes(); !shapes.empty()) command.option("shapes", shapes);
  for (const std::string_view name : {"batch", "plugins", "staticPlugins"}) {
    if (const auto value = facts.run_option(name)) command.option(name, *value);
  }
  // Without them an engine for a DLA is loaded for core 0.
  if (const std::string core = facts.dla_core(); !core.empty()) {
    command.option("useDLACore", core).option("allowGPUFallback");
  }
  return command;
}

// planex's own driver, with the options given to benchmark_app as far as the driver has them.
std::string process_command(const EngineFacts& facts) {
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

// TensorRT-RTX's own tool builds and runs in one go.
Command rtx_command(const EngineFacts& facts) {
  Command command("tensorrt_rtx");
  command.option("onnx", facts.model_file());
  if (const std::string shapes = facts.shapes(); !shapes.empty()) command.option("shapes", shapes);
  return command;
}

// What makes a build report its layers: before 8.2 only the lines of a verbose log.
void add_layer_options(Command& command, const EngineFacts& facts) {
  if (!exports_layers(facts)) {
    command.option("verbose");
    return;
  }
  command.option("profilingVerbosity", "detailed").option("exportLayerInfo", facts.layer_file());
}

Command rebuild(const EngineFacts& facts) {
  Command command = build_command(facts);
  command.option("saveEngine", facts.engine_file());
  add_layer_options(command, facts);
  return command;
}

// A profile for the inputs that turn out to be dynamic, with ones where nothing else is known:
// without a profile their build fails.
constexpr std::string_view kAnyProfile =
    "d=[x for x in map(n.get_input, range(n.num_inputs)) if -1 in list(x.shape)]; "
    "p=b.create_optimization_profile(); "
    "[p.set_shape(x.name, *[[1 if k<0 else k for k in x.shape]]*3) for x in d]; "
    "d and c.add_optimization_profile(p); ";

std::string_view without_engine_ending(std::string_view name) {
  for (const std::string_view ending : {".engine", ".plan", ".trt"}) {
    if (name.size() > ending.size() && name.ends_with(ending)) {
      return name.substr(0, name.size() - ending.size());
    }
  }
  return name;
}

// What trtexec writes about an engine that it builds: layers, times of layers and of inferences.
Command& with_all_files(Command& command, std::string_view name,
                        const trtexec::TensorrtVersions& versions) {
  command.option("saveEngine", format("{}.engine", name));
  if (trtexec::has_effect("profilingVerbosity", versions)) {
    command.option("profilingVerbosity", "detailed")
        .option("exportLayerInfo", format("{}.graph.json", name));
  }
  add_times_options(command, versions);
  command.option_of(versions, "separateProfileRun");
  return command.option("exportProfile", format("{}.profile.json", name))
      .option("exportTimes", format("{}.times.json", name));
}

std::string python_list(std::span<const std::int64_t> dims) {
  std::string list;
  for (const std::int64_t dim : dims) list += format("{}{}", list.empty() ? "" : ",", dim);
  return format("[{}]", list);
}

// The profiles that the engine was built with.
std::string python_profiles(const EngineFacts& facts) {
  if (facts.has_static_inputs()) return {};
  const std::vector<InputRange> ranges = facts.input_ranges();
  if (ranges.empty()) return std::string(kAnyProfile);
  std::string script;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const InputRange& range = ranges[i];
    if (i == 0 || range.profile != ranges[i - 1].profile) {
      script += "p=b.create_optimization_profile(); ";
    }
    script +=
        format("p.set_shape({}, {}, {}, {}); ", python_text(range.name), python_list(range.least),
               python_list(range.tuned), python_list(range.greatest));
    if (i + 1 == ranges.size() || range.profile != ranges[i + 1].profile) {
      script += "c.add_optimization_profile(p); ";
    }
  }
  return script;
}

// `profiles` contains Python statements.
std::string rtx_python(std::string_view model, std::string_view name, std::string_view profiles) {
  return python_command(format(
             "import tensorrt_rtx as t; l=t.Logger(t.Logger.VERBOSE); b=t.Builder(l); "
             "n=b.create_network(0); assert t.OnnxParser(n,l).parse_from_file({}); "
             "c=b.create_builder_config(); c.profiling_verbosity=t.ProfilingVerbosity.DETAILED; "
             "{}assert b.build_serialized_network(n,c)",
             python_text(model), profiles)) +
         format(" > {} 2>&1", shell_word(format("{}.build.log", name)));
}

}  // namespace

bool exports_layers(const EngineFacts& facts) {
  return trtexec::has_effect("exportLayerInfo", facts.versions());
}

std::string rebuild_command(const EngineFacts& facts) {
  Command command = rebuild(facts);
  if (!exports_layers(facts)) command.log_to(facts.output(".build.log"));
  return command.line();
}

std::string newer_build_command(const EngineFacts& facts) {
  return build_command(facts)
      .option("saveEngine", facts.engine_file())
      .option("profilingVerbosity", "detailed")
      .option("exportLayerInfo", facts.layer_file())
      .line();
}

std::string layer_information_command(const EngineFacts& facts) {
  return load_command(facts).option("exportLayerInfo", facts.layer_file()).line();
}

std::string layer_details_command(const EngineFacts& facts) {
  return load_command(facts)
      .option("profilingVerbosity", "detailed")
      .option("exportLayerInfo", facts.layer_file())
      .line();
}

std::string rtx_build_command(const EngineFacts& facts) {
  return rtx_python(facts.model_file(), facts.output(""), python_profiles(facts));
}

// The known run, else a plain one; with counters per layer.
std::string benchmark_command(const EngineFacts& facts) {
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

std::string profile_command(const EngineFacts& facts) {
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

std::string times_command(const EngineFacts& facts) {
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
  // benchmark_app does not write the times of single inferences; planex's own driver does.
  return process_command(facts);
}

std::string failed_build_command(const EngineFacts& facts) {
  const std::string log = facts.output(".build.log");
  const std::string loaded = facts.loaded_engine();
  if (facts.has_failed_to_load()) {
    return Command("planex doctor").word(loaded.empty() ? "MODEL.engine" : loaded).line();
  }
  if (facts.producer() == "tensorrt-rtx") {
    return rtx_build_command(facts);
  }
  const std::vector<std::string>& words = facts.build_words();
  if (chooses_types(words, facts.refused_option())) return cast_command(facts);
  Command command = build_command(facts);
  command.option("saveEngine", facts.engine_file());
  if (exports_layers(facts)) command.option("profilingVerbosity", "detailed");
  return command.option("verbose").log_to(log).line();
}

std::string run_again_command(const EngineFacts& facts) {
  const std::string_view producer = facts.producer();
  const std::string name(base::file_name_of(without_engine_ending(facts.name())));
  if (producer == "tensorrt") {
    Command command = build_command(facts);
    return with_all_files(command, name, facts.versions()).line();
  }
  if (producer == "tensorrt-rtx") {
    return rtx_python(facts.model_file(), name, python_profiles(facts));
  }
  if (producer == "onnxruntime") return onnxruntime_run(facts.model_file(), name);
  return producer == "openvino" ? process_command(facts) : "";
}

std::vector<ModelCommand> commands_for_model(const EngineFacts& facts) {
  const std::string model = facts.model_file();
  // For inputs with an open batch, a batch of 1; other open dimensions have to be filled in.
  std::vector<std::string> ours;
  std::string theirs;
  const model::BindingsTable& bindings = facts.model().bindings;
  for (std::size_t row = 0; row < bindings.row_count(); ++row) {
    const auto dims = bindings.dims[row];
    if (bindings.direction[row] != model::Direction::kInput || bindings.dims.is_null(row) ||
        std::ranges::none_of(dims, [](std::int64_t dim) { return dim < 0; })) {
      continue;
    }
    std::string shape;
    for (std::size_t i = 0; i < dims.size(); ++i) {
      shape += i > 0 ? "x" : "";
      shape += dims[i] >= 0 ? format("{}", dims[i]) : i == 0 ? "1" : "N";
    }
    const std::string_view name = facts.model().text(bindings.name[row]);
    ours.push_back(format("{}={}", name, shape));
    theirs += format("{}{}:{}", theirs.empty() ? "" : ",", name, shape);
  }
  Command process("planex process");
  process.word(model).word("-o").word("DIR");
  for (const std::string_view engine : {"openvino", "onnxruntime"}) {
    process.word("--engine").word(engine);
  }
  for (const std::string& shape : ours) process.word("--shape").word(shape);
  const std::string name(base::file_name_of(model));
  Command trtexec("trtexec");
  trtexec.option("onnx", model);
  if (!theirs.empty()) trtexec.option("shapes", theirs);
  return {{"what OpenVINO and ONNX Runtime make of it", process.line()},
          {"what TensorRT makes of it",
           with_all_files(trtexec, name.ends_with(".onnx") ? name.substr(0, name.size() - 5) : name,
                          facts.versions())
               .line()}};
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
