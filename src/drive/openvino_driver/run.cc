#include "drive/openvino_driver/run.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <openvino/core/version.hpp>
#include <openvino/openvino.hpp>
#include <optional>
#include <set>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "drive/openvino_driver/execution_plan.h"
#include "drive/openvino_driver/json_files.h"
#include "drive/openvino_driver/openvino_error.h"
#include "drive/openvino_driver/operations.h"
#include "drive/openvino_driver/source_tags.h"
#include "onnx/check.h"
#include "onnx/read.h"

namespace planex::drive {
namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

bool is_xml(std::string_view bytes) {
  const std::size_t start = bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return start != std::string_view::npos && bytes[start] == '<';
}

ov::element::Type precision_of(const std::string& name) {
  if (name == "bf16") return ov::element::bf16;
  if (name == "f16") return ov::element::f16;
  return ov::element::f32;
}

ov::AnyMap compile_config(const Options& options) {
  ov::AnyMap config = {
      ov::hint::inference_precision(precision_of(options.precision)),
      // Of all streams together.
      ov::inference_num_threads(options.threads * options.streams),
      ov::num_streams(options.streams),
      // Pinning is the default, and every process pins to the first core: two processes with one
      // thread each would share that core.
      ov::hint::enable_cpu_pinning(false),
      ov::enable_profiling(false),
  };
  for (const auto& [key, value] : options.config) config[key] = value;
  return config;
}

std::string shape_text(const ov::PartialShape& shape) {
  std::string text;
  for (const ov::Dimension& dim : shape) {
    if (!text.empty()) text += 'x';
    text += dim.is_static() ? std::to_string(dim.get_length()) : "?";
  }
  return text;
}

// An input with an unknown shape, as in the model and with a batch.
struct DynamicInput {
  std::string name;
  ov::PartialShape in_model, with_batch;
};

// A plausible shape: pictures of 224 pixels, sequences of 128.
std::string likely_shape(const ov::PartialShape& shape) {
  if (shape.rank().is_dynamic()) return "1x128";
  constexpr std::size_t kPictureRank = 4, kFirstPixelDim = 2;
  std::string text;
  std::size_t place = 0;
  for (const ov::Dimension& dim : shape) {
    const bool is_pixels = shape.size() == kPictureRank && place >= kFirstPixelDim;
    std::int64_t length = place == 0 ? 1 : is_pixels ? 224 : 128;
    if (dim.is_static()) {
      length = dim.get_length();
    } else {
      length = std::max(length, dim.get_min_length());
      if (dim.get_max_length() > 0) length = std::min(length, dim.get_max_length());
    }
    text += base::format("{}{}", text.empty() ? "" : "x", length);
    ++place;
  }
  return text;
}

// All inputs at once, with flags that can be pasted.
Error dynamic_inputs(const std::vector<DynamicInput>& inputs) {
  std::string list, flags;
  for (const DynamicInput& input : inputs) {
    list += base::format(
        "{}{}: {}", list.empty() ? "" : ", ", base::quoted(input.name),
        input.in_model.rank().is_dynamic() ? "of unknown rank" : shape_text(input.in_model));
    flags += " --shape " +
             base::shell_word(base::format("{}={}", input.name, likely_shape(input.with_batch)));
  }
  return {.code = ErrorCode::kBadInput,
          .message = base::format("{} with dynamic dimensions: {}",
                                  base::counted(inputs.size(), "input"), list),
          .hint = "set the shapes you run with, for example" + flags};
}

// Shapes as requested; a dynamic batch becomes 1. Other dynamic dimensions affect the compiled
// model too much to be guessed.
Result<void> set_shapes(ov::Model& model, const Options& options, std::vector<std::string>& notes) {
  std::map<std::string, ov::PartialShape> shapes;
  std::set<const ov::Node*> given;
  for (const auto& [name, dims] : options.shapes) {
    ov::PartialShape shape;
    for (const std::int64_t dim : dims) shape.push_back(dim);
    shapes[name] = shape;
    bool found = false;
    for (const auto& input : model.inputs()) {
      if (!input.get_names().contains(name)) continue;
      given.insert(input.get_node());
      found = true;
    }
    if (found) continue;
    std::set<std::string> sorted;
    for (const auto& input : model.inputs()) {
      if (!input.get_names().empty()) sorted.insert(*input.get_names().begin());
    }
    const std::vector<std::string_view> names(sorted.begin(), sorted.end());
    const auto near = base::nearest(name, names);
    return fail(ErrorCode::kBadInput, base::format("the model has no input {}", base::quoted(name)),
                near ? base::format("Did you mean {}?", *near)
                     : base::format("Its inputs: {}.", base::join_words(names)));
  }
  std::vector<DynamicInput> dynamic;
  for (const auto& input : model.inputs()) {
    ov::PartialShape shape = input.get_partial_shape();
    if (shape.is_static() || given.contains(input.get_node())) continue;
    const std::string name =
        input.get_names().empty() ? std::string("?") : *input.get_names().begin();
    if (shape.rank().is_static() && shape.size() > 0 && shape[0].is_dynamic()) {
      shape[0] = std::max<std::int64_t>(1, shape[0].get_min_length());
    }
    if (shape.is_dynamic()) {
      dynamic.push_back({name, input.get_partial_shape(), shape});
      continue;
    }
    notes.push_back(base::format(
        "input {}: dynamic batch set to {} (shape {}); use --shape {}={} to change it",
        base::quoted(name), shape[0].get_length(), shape_text(shape), name, shape_text(shape)));
    shapes[name] = shape;
  }
  if (!dynamic.empty()) return fail(dynamic_inputs(dynamic));
  if (!shapes.empty()) model.reshape(shapes);
  return {};
}

Result<void> check_types(const ov::Model& model) {
  for (const auto& input : model.inputs()) {
    const ov::element::Type type = input.get_element_type();
    if (can_fill(type)) continue;
    return fail(ErrorCode::kUnsupported,
                base::format("planex-openvino can't make input data of type {}, as {} needs",
                             type.get_type_name(),
                             base::quoted(input.get_names().empty() ? std::string("an input")
                                                                    : *input.get_names().begin())));
  }
  return {};
}

class Run {
 public:
  Run(const Options& options, const Report& report, std::string& phase)
      : options_(options), report_(report), phase_(phase) {}

  Result<void> all() {
    PLANEX_TRY(read());
    PLANEX_TRY(compile());
    measure();
    return write();
  }

 private:
  void enter(std::string phase) {
    phase_ = std::move(phase);
    report_(phase_, 0);
  }

  Result<onnx::Model> read_onnx(const base::Bytes& bytes) const {
    auto source = onnx::read_model(bytes.view());
    if (!bytes.is_intact()) return fail(base::changed_error(options_.model));
    if (source) PLANEX_TRY(onnx::check_for_engines(*source));
    return source;
  }

  Result<void> read() {
    enter("read");
    PLANEX_ASSIGN(const auto bytes, base::disk().read(options_.model, base::Access::kSparse));
    const bool is_ir = is_xml(bytes->view());
    PLANEX_ASSIGN(const onnx::Model source, is_ir ? onnx::Model{} : read_onnx(*bytes));
    const auto start = Clock::now();
    model_ = core_.read_model(options_.model);
    facts_.read_ms = ms_since(start);
    PLANEX_TRY(check_types(*model_));
    PLANEX_TRY(set_shapes(*model_, options_, facts_.notes));
    sources_ = is_ir ? sources_of_ir(*model_) : sources_of_onnx(*model_, source);
    operations_ = collect_operations(*model_, sources_);
    tag_model(*model_, sources_);
    return {};
  }

  Result<void> compile() {
    enter("compile");
    const auto start = Clock::now();
    compiled_ = core_.compile_model(model_, "CPU", compile_config(options_));
    facts_.compile_ms = ms_since(start);
    plan_ = read_execution_plan(compiled_, sources_, operations_);
    collect_facts();
    return {};
  }

  void collect_facts() {
    facts_.runtime_version = runtime_version();
    facts_.device = core_.get_property("CPU", ov::device::full_name);
    facts_.precision = compiled_.get_property(ov::hint::inference_precision).get_type_name();
    if (facts_.precision != options_.precision) {
      facts_.notes.push_back(base::format("{} was requested; OpenVINO uses {} on this processor",
                                          options_.precision, facts_.precision));
    }
    facts_.streams = compiled_.get_property(ov::num_streams);
    const bool is_property = std::ranges::any_of(
        options_.config, [](const auto& pair) { return pair.first == ov::num_streams.name(); });
    if (facts_.streams != options_.streams && !is_property) {
      facts_.notes.push_back(base::format("{} streams were requested; OpenVINO uses {}",
                                          options_.streams, facts_.streams));
    }
    facts_.capabilities = core_.get_property("CPU", ov::device::capabilities);
    std::ranges::sort(facts_.capabilities);
    const char* limit = std::getenv("ONEDNN_MAX_CPU_ISA");
    if (limit != nullptr) facts_.isa_limit = limit;
    for (const ov::PropertyName& name : compiled_.get_property(ov::supported_properties)) {
      if (name == ov::supported_properties.name()) continue;
      const std::string value = compiled_.get_property(name).as<std::string>();
      // "meta=1.0;ov=2026.4.1;isa=Intel AVX-512 …": what a blob of this model needs in order to
      // run.
      if (name == "RUNTIME_REQUIREMENTS") {
        const std::size_t isa = value.find("isa=");
        if (isa != std::string::npos)
          facts_.isa = value.substr(isa + 4, value.find(';', isa) - isa - 4);
      }
      facts_.config.emplace_back(name, value);
    }
    std::ranges::sort(facts_.config);
  }

  void measure() {
    phase_ = "time";  // Reports its own steps, as the next one does.
    times_ = measure_latency(compiled_, options_, report_);
    if (facts_.streams > 1) {
      phase_ = "throughput";
      times_.throughput = measure_throughput(compiled_, facts_.streams, options_, report_);
    }
    std::vector<double> latencies;
    for (const Iteration& iteration : times_.timed) latencies.push_back(iteration.latency_ms);
    const double latency = median_of(std::move(latencies));
    phase_ = "profile";
    // Some models can be compiled but not exported; their graph and times are still useful.
    try {
      profile_ =
          measure_layers(core_, compiled_, compile_config(options_), latency, options_, report_);
      facts_.export_import_ms = median_of(profile_->import_ms);
    } catch (const std::exception& exception) {
      facts_.notes.push_back("no times per layer: " + without_source_lines(exception.what()));
    }
  }

  // All or none: the files are complete under temporary names before the first is renamed.
  Result<void> write() {
    enter("write");
    std::vector<std::pair<std::string, std::string>> files;
    files.emplace_back("graph", graph_json(options_, facts_, plan_, sources_, profile_));
    if (profile_) files.emplace_back("profile", profile_json(*profile_, plan_));
    files.emplace_back("times", times_json(options_, times_, profile_));
    files.emplace_back("result", result_json(options_, facts_, plan_));
    const auto path = [&](const std::string& kind) { return options_.out + "." + kind + ".json"; };
    const auto remove_parts = [&] {
      for (const auto& [kind, text] : files) std::remove((path(kind) + ".part").c_str());
    };
    for (const auto& [kind, text] : files) {
      if (auto written = base::write_file_atomically(path(kind) + ".part", text); !written) {
        remove_parts();
        Error error = std::move(written).error();
        error.file = path(kind);
        return fail(std::move(error));
      }
    }
    for (const auto& [kind, text] : files) {
      if (std::rename((path(kind) + ".part").c_str(), path(kind).c_str()) != 0) {
        remove_parts();
        return fail(ErrorCode::kIo, base::format("can't rename to {}", base::quoted(path(kind))));
      }
    }
    if (!profile_) std::remove(path("profile").c_str());
    return {};
  }

  const Options& options_;
  const Report& report_;
  std::string& phase_;
  ov::Core core_;
  std::shared_ptr<ov::Model> model_;
  SourceTable sources_;
  OperationTable operations_;
  ov::CompiledModel compiled_;
  ExecutionPlan plan_;
  RunFacts facts_;
  Times times_;
  std::optional<Profile> profile_;
};

}  // namespace

std::string runtime_version() { return ov::get_openvino_version().buildNumber; }

Result<void> run(const Options& options, const Report& report, std::string& phase) {
  phase = "start";
  return caught({}, [&] {
    // Never destroyed: with several streams, OpenVINO 2026.4 crashes there about once in a hundred
    // runs (in ~CompiledModel), when all files are already written.
    static Run* const job = new Run(options, report, phase);
    return job->all();
  });
}

}  // namespace planex::drive
