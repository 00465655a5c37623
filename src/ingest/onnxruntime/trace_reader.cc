#include "ingest/onnxruntime/trace_reader.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/statistics.h"
#include "base/text.h"
#include "base/try.h"
#include "base/utf8.h"
#include "ingest/families.h"
#include "ingest/json_input.h"
#include "ingest/onnxruntime/operators.h"
#include "ingest/onnxruntime/trace_events.h"
#include "ingest/onnxruntime/trace_layers.h"

namespace planex::ingest::onnxruntime {
namespace {

namespace ondemand = simdjson::ondemand;
using base::format;
using base::Lifetime;
using base::StringId;
using model::BlockId;
using model::Direction;
using model::LayerId;
using model::Role;
using model::Severity;
using model::ValueType;

constexpr std::string_view kSection = "onnxruntime";

struct Sizes {
  std::optional<std::int64_t> weights, inputs, outputs;
};

class TraceReader {
 public:
  TraceReader(const Artefact& artefact, model::ModelBuilder& builder)
      : artefact_(artefact), builder_(builder), layers_(builder.model().layers) {}

  Result<void> read() {
    builder_.keep(artefact_.bytes);
    PLANEX_ASSIGN(events_, read_events(artefact_, builder_));
    trace_ = find_layers(events_);
    if (trace_.layers.empty()) return fail(no_layers());
    // A row of the table is a position in trace_.layers.
    if (const std::size_t limit = builder_.limits().layers; trace_.layers.size() > limit) {
      return fail(model::too_many("layers", limit, artefact_.path));
    }
    add_engine();
    add_runs();
    // Layers of one name must not share tensors.
    for (const TraceLayer& layer : trace_.layers) {
      const StringId name = events_[layer.first_event].name;
      if (!names_seen_.insert(name).second) repeated_names_.insert(name);
    }
    index_shapes();
    for (std::size_t row = 0; row < trace_.layers.size(); ++row) PLANEX_TRY(add_layer(row));
    report();
    return {};
  }

 private:
  Error no_layers() const {
    const bool ran = trace_.outside_count > 0;
    return {.code = ErrorCode::kBadInput,
            .message = ran ? "the trace has nodes but no run that contains them"
                           : "the trace has no node runs: the model was loaded but not run",
            .file = artefact_.path,
            .byte_offset = artefact_.bytes->view().size(),
            .hint = "run the session a few times, then call end_profiling()"};
  }

  void add_engine() {
    model::EngineTable& engine = builder_.model().engine;
    engine.producer.set(0, builder_.strings().intern("onnxruntime"));
    engine.detail.set(0, builder_.strings().intern("full"));
    std::set<StringId> providers;
    for (const Event& event : events_) {
      if (!event.provider.is_null() && providers.insert(event.provider).second) {
        add_fact("provider", builder_.model().text(event.provider));
      }
      if (event.kind == EventKind::kPhase) {
        // The runs' own phases would fill the table.
        constexpr std::size_t kMaxPhases = 64;
        if (phase_count_++ < kMaxPhases) {
          add_fact(builder_.model().text(event.name), format("{} ms", event.duration_us / 1000));
        }
      }
    }
    builder_.model().files.record_count.set(artefact_.file_row,
                                            static_cast<std::int64_t>(events_.size()));
  }

  void add_fact(std::string_view key, std::string_view value) {
    builder_.add_metadata(kSection, key, value, artefact_.path);
  }

  void add_runs() {
    model::IterationsTable& table = builder_.model().iterations;
    for (const Run& run : trace_.runs) {
      const std::size_t row = table.add_row();
      table.index.set(row, static_cast<std::int64_t>(row));
      table.start_ms.set(row, run.start_us / 1000);
      table.end_ms.set(row, (run.start_us + run.duration_us) / 1000);
      table.latency_ms.set(row, run.duration_us / 1000);
    }
    add_fact("runs", format("{}", trace_.runs.size()));
  }

  // Events of each layer whose types or shapes differ from those of its last one.
  void index_shapes() {
    odd_events_.resize(trace_.layers.size());
    for (std::size_t index = 0; index < events_.size(); ++index) {
      const std::size_t layer = trace_.layer_of_event[index];
      if (layer == kNoEvent) continue;
      const Event& last = events_[trace_.layers[layer].last_event];
      const Event& event = events_[index];
      if (event.inputs != last.inputs || event.outputs != last.outputs) {
        odd_events_[layer].push_back(index);
      }
    }
  }

  // "2 layers on CPUExecutionProvider, 1 layer on CUDAExecutionProvider".
  static std::string layers_by_provider(const std::map<std::string_view, std::size_t>& counts) {
    std::string text;
    for (const auto& [provider, count] : counts) {
      text +=
          format("{}{} on {}", text.empty() ? "" : ", ", base::counted(count, "layer"), provider);
    }
    return text;
  }

  Result<void> add_layer(std::size_t row) {
    const TraceLayer& traced = trace_.layers[row];
    const Event& event = events_[traced.last_event];
    const LayerId layer = builder_.add_layer(event.name);
    const std::string_view type = builder_.model().text(event.op_type);
    const bool controls = traced.has_subgraph;
    layers_.role.set(row, controls ? Role::kControl : ingest::role_of(type));
    layers_.type.set(row, event.op_type);
    layers_.raw_type.set(row, event.op_type);
    layers_.compute_precision.set(row, type_it_quantizes_to(type));
    layers_.family.set(row, family_of(type));
    if (traced.parent != kNoEvent) {
      layers_.block_id.set(row, blocks_[traced.parent]);
    }
    blocks_.push_back(controls ? add_block(row, type) : BlockId());
    add_times(row);
    Sizes sizes;
    PLANEX_TRY(add_attributes(layer, traced, sizes));
    PLANEX_TRY(add_ports(layer, row, sizes));
    if (!builder_.model().text(event.name).empty()) {
      builder_.add_source(layer, builder_.model().text(event.name), {}, model::Evidence::kName,
                          Lifetime::kBorrow);
    }
    return {};
  }

  BlockId add_block(std::size_t row, std::string_view type) {
    const std::string_view name = builder_.model().text(layers_.name[row]);
    const std::string_view kind = type == "If" ? "conditional" : "loop";
    return builder_.add_block(name, kind, layers_.block_id[row]);
  }

  void add_times(std::size_t row) {
    const TraceLayer& traced = trace_.layers[row];
    const StringId provider_id = events_[traced.last_event].provider;
    const std::string_view provider = builder_.model().text(provider_id);
    if (!provider.empty()) {
      layers_.provider.set(row, provider_id);
      ++(is_copy(row) ? copy_count_ : layers_of_provider_[provider]);
    }
    if (is_asynchronous(provider)) {
      if (traced.has_kernels) ++device_timed_count_;
      if (!traced.has_kernels && !is_copy(row)) ++host_timed_[provider];
    }
    std::vector<double> samples;
    samples.reserve(traced.samples.size());
    for (const LayerSample& sample : traced.samples) samples.push_back(sample.self_us / 1000);
    const auto statistics = base::sample_statistics(std::move(samples));
    layers_.count.set(row, static_cast<std::int64_t>(traced.samples.size()));
    layers_.mean_ms.set(row, statistics.mean);
    layers_.median_ms.set(row, statistics.median);
    layers_.min_ms.set(row, statistics.min);
    layers_.max_ms.set(row, statistics.max);
    layers_.total_ms.set(row, statistics.sum);
    if (traced.samples.size() < trace_.runs.size()) ++partly_run_count_;
  }

  // ONNX Runtime inserts these where the provider changes; they are listed as the device's own.
  bool is_copy(std::size_t row) const {
    const std::string_view type = builder_.model().text(layers_.raw_type[row]);
    return type == "MemcpyToHost" || type == "MemcpyFromHost";
  }

  // Everything that the runtime said about the node when it last ran.
  Result<void> add_attributes(LayerId layer, const TraceLayer& traced, Sizes& sizes) {
    const Event& event = events_[traced.last_event];
    if (traced.has_subgraph) {
      std::vector<double> whole;
      for (const LayerSample& sample : traced.samples) whole.push_back(sample.whole_us / 1000);
      builder_.add_attribute(
          layer, builder_.strings().intern("median_ms_with_subgraphs"),
          builder_.strings().add(format("{}", base::sample_statistics(std::move(whole)).median)),
          ValueType::kNumber);
    }
    if (event.args.empty()) return {};
    ondemand::parser parser;
    ondemand::document document;
    const simdjson::padded_string_view text(event.args.data(), event.args.size(),
                                            event.args.size() + base::Bytes::kPadding);
    ondemand::object args;
    if (!check_json_value(event.args) || parser.iterate(text).get(document) ||
        document.get_object().get(args)) {
      return fail(broken_args(event, "args"));
    }
    for (auto entry : args) {
      ondemand::field field;
      if (std::move(entry).get(field)) return fail(broken_args(event, "args"));
      const std::string_view key = JsonInput::key_of(field);
      std::string_view raw;
      ondemand::value value = field.value();
      if (JsonInput::raw_of(value).get(raw)) return fail(broken_args(event, "args"));
      raw = base::trimmed(raw);
      if (key == "op_name" || key.ends_with("_type_shape") || raw == "\"\"") continue;
      add_attribute(layer, key, raw);
      std::optional<std::int64_t>* size = key == "parameter_size"    ? &sizes.weights
                                          : key == "activation_size" ? &sizes.inputs
                                          : key == "output_size"     ? &sizes.outputs
                                                                     : nullptr;
      if (size != nullptr) *size = size_of(raw);
    }
    return {};
  }

  static std::optional<std::int64_t> size_of(std::string_view raw) {
    if (raw.size() >= 2 && raw.front() == '"') raw = raw.substr(1, raw.size() - 2);
    std::int64_t size = 0;
    const auto parsed = std::from_chars(raw.data(), raw.data() + raw.size(), size);
    const bool whole = parsed.ec == std::errc() && parsed.ptr == raw.data() + raw.size();
    return whole && size >= 0 ? std::optional(size) : std::nullopt;
  }

  // Numbers are written as texts.
  void add_attribute(LayerId layer, std::string_view key, std::string_view raw) {
    ValueType type = ValueType::kNumber;
    const bool is_text = raw.size() >= 2 && raw.front() == '"';
    if (is_text) {
      raw = raw.substr(1, raw.size() - 2);
      type = is_json_number(raw) ? ValueType::kNumber : ValueType::kString;
    } else if (raw.starts_with('{')) {
      type = ValueType::kObject;
    } else if (raw.starts_with('[')) {
      type = ValueType::kArray;
    } else if (raw == "true" || raw == "false") {
      type = ValueType::kBoolean;
    } else if (raw == "null") {
      type = ValueType::kJsonNull;
    }
    builder_.add_attribute(layer, builder_.strings().intern(key, Lifetime::kBorrow),
                           builder_.strings().add(raw, Lifetime::kBorrow), type);
  }

  Error broken_args(const Event& event, std::string_view key) const {
    return {.code = ErrorCode::kBadInput,
            .message = "not a trace of ONNX Runtime: a node's attributes are not JSON",
            .file = artefact_.path,
            .json_pointer = format("/{}/{}", event.position, key)};
  }

  Result<void> add_ports(LayerId layer, std::size_t row, const Sizes& sizes) {
    const Event& event = events_[trace_.layers[row].last_event];
    auto inputs = parse_shapes(event.inputs), outputs = parse_shapes(event.outputs);
    if (!inputs) return fail(broken_args(event, "args/input_type_shape"));
    if (!outputs) return fail(broken_args(event, "args/output_type_shape"));
    if (!odd_events_[row].empty()) merge_shapes(row, *inputs, *outputs);
    // Older versions have sizes and no shapes.
    layers_.input_bytes.set(row, sizes.inputs);
    layers_.output_bytes.set(row, sizes.outputs);
    const std::vector<bool> is_weight = find_weights(*inputs, sizes);
    for (const Direction direction : {Direction::kInput, Direction::kConstant}) {
      for (std::size_t i = 0; i < inputs->size(); ++i) {
        if (is_weight[i] != (direction == Direction::kConstant)) continue;
        add_port(layer, direction, (*inputs)[i], "in", i);
      }
    }
    for (std::size_t i = 0; i < outputs->size(); ++i) {
      add_port(layer, Direction::kOutput, (*outputs)[i], "out", i);
    }
    set_weight_bytes(row, *inputs, sizes);
    return {};
  }

  void add_port(LayerId layer, Direction direction, const Shape& shape, std::string_view side,
                std::size_t index) {
    const StringId name = layers_.name[layer.index()];
    const std::string tensor =
        repeated_names_.contains(name)
            ? format("{}#{}:{}{}", builder_.model().text(name), layer.index(), side, index)
            : format("{}:{}{}", builder_.model().text(name), side, index);
    model::PortFacts facts{.tensor = tensor};
    facts.dims = shape.dims;
    facts.dims_known = shape.dims_known;
    facts.dtype = shape.dtype;
    facts.raw_format = builder_.strings().intern(shape.type, Lifetime::kBorrow);
    builder_.add_port(layer, direction, facts);
    // Nothing writes it, but it is not a constant: the trace does not say where it comes from.
    model::TensorsTable& tensors = builder_.model().tensors;
    const auto id = builder_.model().ports.tensor_id[builder_.model().ports.row_count() - 1];
    tensors.role.set(id.index(), direction == Direction::kConstant
                                     ? model::TensorRole::kConstant
                                     : model::TensorRole::kActivation);
  }

  // Inputs whose shapes differ between runs are dynamic where they differ.
  void merge_shapes(std::size_t row, std::vector<Shape>& inputs, std::vector<Shape>& outputs) {
    std::string_view last_inputs, last_outputs;
    bool differs = false;
    for (const std::size_t index : odd_events_[row]) {
      const Event& event = events_[index];
      if (event.inputs == last_inputs && event.outputs == last_outputs) continue;
      last_inputs = event.inputs;
      last_outputs = event.outputs;
      for (auto [mine, text] : {std::pair(&inputs, event.inputs), {&outputs, event.outputs}}) {
        const auto others = parse_shapes(text);
        if (!others || others->size() != mine->size()) {
          for (Shape& shape : *mine) shape.dims_known = false;
          differs = differs || !mine->empty();
          continue;
        }
        for (std::size_t i = 0; i < mine->size(); ++i) {
          differs = merge((*mine)[i], (*others)[i]) || differs;
        }
      }
    }
    if (differs) ++dynamic_count_;
  }

  static bool merge(Shape& mine, const Shape& other) {
    bool differs = false;
    if (mine.dtype != other.dtype) {
      mine.dtype = model::DType::kNull;
      differs = true;
    }
    if (mine.dims.size() != other.dims.size()) {
      mine.dims_known = false;
      return true;
    }
    for (std::size_t i = 0; i < mine.dims.size(); ++i) {
      if (mine.dims[i] == other.dims[i]) continue;
      mine.dims[i] = -1;
      differs = true;
    }
    return differs;
  }

  // Finds the inputs that are weights: those that add up to the size that the runtime reports,
  // preferring later ones, because weights follow activations. Sums are right whichever of two
  // equal ones is chosen.
  static std::vector<bool> find_weights(const std::vector<Shape>& inputs, const Sizes& sizes) {
    std::vector<bool> is_weight(inputs.size(), false);
    constexpr std::size_t kMaxInputs = 12;  // 4096 subsets
    if (!sizes.weights || *sizes.weights == 0 || inputs.size() > kMaxInputs) return is_weight;
    std::vector<std::int64_t> bytes;
    for (const Shape& shape : inputs) {
      const auto size = shape.dims_known ? model::data_bytes(shape.dims, shape.dtype)
                                         : std::optional<std::int64_t>();
      if (!size || *size > (std::int64_t{1} << 48)) return is_weight;  // can't overflow
      bytes.push_back(*size);
    }
    for (std::size_t subset = std::size_t{1} << inputs.size(); subset-- > 1;) {
      std::int64_t sum = 0;
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        if ((subset >> i & 1) != 0) sum += bytes[i];
      }
      if (sum != *sizes.weights) continue;
      for (std::size_t i = 0; i < bytes.size(); ++i) is_weight[i] = (subset >> i & 1) != 0;
      break;
    }
    return is_weight;
  }

  // Weights that kernels packed when the model was loaded are not in the trace, and the remaining
  // size would be too small.
  void set_weight_bytes(std::size_t row, const std::vector<Shape>& inputs, const Sizes& sizes) {
    const std::string_view type = builder_.model().text(layers_.raw_type[row]);
    const bool has_shapes = !events_[trace_.layers[row].last_event].inputs.empty();
    const std::size_t expected = inputs_with_weights(type);
    bool is_packed = expected > 0 && (!has_shapes || inputs.size() < expected);
    // For a matrix product with a bias, the weights are missing and the bias is listed.
    if ((type == "Gemm" || type == "FusedGemm") && inputs.size() == 2) {
      is_packed = inputs[1].dims.size() != 2;
    }
    if (is_packed) {
      ++packed_count_;
      return;
    }
    layers_.weight_bytes.set(row, sizes.weights);
  }

  void report(std::string_view code, Severity severity, std::string message) {
    builder_.add_diagnostic({.code = code,
                             .severity = severity,
                             .message = std::move(message),
                             .file = artefact_.path});
  }

  void report() {
    report_first_run();
    if (packed_count_ > 0) {
      report(
          "weights-not-in-trace", Severity::kInfo,
          format(
              "the weights of {} were packed when the model was loaded and are not in the trace: "
              "add the optimized model to get their size (SessionOptions.optimized_model_filepath)",
              base::counted(packed_count_, "layer")));
    }
    if (partly_run_count_ > 0) {
      report(
          "layer-not-in-every-run", Severity::kInfo,
          format(
              "{} did not run in all of the {}: their times cover only the runs in which they ran",
              base::counted(partly_run_count_, "layer"), base::counted(trace_.runs.size(), "run")));
    }
    if (dynamic_count_ > 0) {
      report("shapes-differ", Severity::kWarning,
             format("shapes of {} differ between runs: their times mix several sizes, and sizes in "
                    "bytes are unknown",
                    base::counted(dynamic_count_, "layer")));
    }
    if (trace_.outside_count > 0) {
      report("events-outside-runs", Severity::kWarning,
             format("{} of nodes are outside all runs and are not counted",
                    base::counted(trace_.outside_count, "event")));
    }
    if (!host_timed_.empty()) {
      report("host-times", Severity::kWarning,
             format("the times of {} are how long the host took to start them, not how long they "
                    "ran: the trace lacks their kernels",
                    layers_by_provider(host_timed_)));
    }
    if (layers_of_provider_.size() > 1) {
      report("several-providers", Severity::kWarning,
             format("the engine ran on several providers: {}{}",
                    layers_by_provider(layers_of_provider_),
                    copy_count_ == 0 ? std::string()
                                     : format("; {} between the host and a device",
                                              base::counted(copy_count_, "copy", "copies"))));
    }
    if (device_timed_count_ > 0) {
      report("device-times", Severity::kInfo,
             format("the times of {} are those of their kernels on the device",
                    base::counted(device_timed_count_, "layer")));
    }
    // The profiler silently stops at this number.
    constexpr std::size_t kMaxEvents = 1'000'000;
    if (events_.size() >= kMaxEvents - 1000) {
      report("trace-full", Severity::kWarning,
             format("the trace has {} events; ONNX Runtime stops at {}, so the last run may lack "
                    "layers",
                    events_.size(), kMaxEvents));
    }
  }

  void report_first_run() {
    if (trace_.runs.size() < 3) return;
    std::vector<double> times;
    for (const Run& run : trace_.runs) times.push_back(run.duration_us);
    const double median = base::sample_statistics(times).median;
    constexpr double kSlow = 1.5;
    if (median <= 0 || times.front() < kSlow * median) return;
    report(
        "warm-up-in-means", Severity::kInfo,
        format("the first of {} took {:.3g} ms, {:.1f} times the median: it distorts means and "
               "totals, so compare medians",
               base::counted(times.size(), "run"), times.front() / 1000, times.front() / median));
  }

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  model::LayersTable& layers_;
  std::vector<Event> events_;
  TraceLayers trace_;
  std::set<StringId> names_seen_, repeated_names_;
  std::vector<std::vector<std::size_t>> odd_events_;  // by layer
  std::vector<BlockId> blocks_;                       // by layer: of the nodes inside it
  std::size_t phase_count_ = 0, partly_run_count_ = 0, dynamic_count_ = 0, packed_count_ = 0,
              device_timed_count_ = 0;
  // Layers, and those whose times are the host's; by the provider that ran them.
  std::map<std::string_view, std::size_t> layers_of_provider_, host_timed_;
  std::size_t copy_count_ = 0;  // between providers
};

}  // namespace

Confidence sniff_trace(std::string_view head) {
  const std::string_view text = base::trimmed(head);
  if (!text.starts_with('[')) return Confidence::kNo;
  const std::string_view first = text.substr(0, 4096);
  if (first.find("\"cat\"") == first.npos || first.find("\"ph\"") == first.npos) {
    return Confidence::kNo;
  }
  // Other tools also write Chrome traces.
  for (const std::string_view word : {"\"session_initialization\"", "\"model_loading_",
                                      "_kernel_time\"", "\"model_run\"", "Executor::Execute\""}) {
    if (first.find(word) != first.npos) return Confidence::kSure;
  }
  return Confidence::kNo;
}

Result<void> read_trace(const Artefact& artefact, model::ModelBuilder& builder) {
  return TraceReader(artefact, builder).read();
}

}  // namespace planex::ingest::onnxruntime
