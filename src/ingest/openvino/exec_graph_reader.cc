#include "ingest/openvino/exec_graph_reader.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/text.h"
#include "base/try.h"
#include "ingest/families.h"
#include "ingest/json_input.h"
#include "ingest/openvino/exec_graph.h"
#include "ingest/openvino/layer_writer.h"
#include "ingest/openvino/numbers.h"
#include "ingest/openvino/shapes.h"
#include "ingest/openvino/version.h"

namespace planex::ingest::openvino {
namespace {

using base::format;
using base::Lifetime;
using base::StringId;
using model::Direction;
using model::Evidence;
using model::LayerId;
using model::Role;
using model::Severity;
using model::ValueType;
using Layer = ExecGraph::Layer;
using Port = ExecGraph::Port;

// Limit for constants that feed the inputs of one layer. A real layer has a handful.
constexpr std::size_t kMaxConstantsOfALayer = 1000;

// The GPU plugin gives a node one identical output for each of its readers, connects all readers to
// the first, and omits constants (intel_gpu/src/plugin/graph.cpp).
constexpr std::string_view kGpuGraph = "runtime_gpu_graph";

constexpr std::string_view kNotExecuted = "not_executed";

class ExecGraphReader {
 public:
  ExecGraphReader(const Artefact& artefact, model::ModelBuilder& builder, const ExecGraph& graph)
      : artefact_(artefact),
        builder_(builder),
        graph_(graph),
        writer_(artefact, builder),
        is_gpu_(graph.name == kGpuGraph) {}

  void read() {
    builder_.reserve({.layers = graph_.layers.size(),
                      .attributes = graph_.attributes.size(),
                      .ports = graph_.ports.size(),
                      .strings = graph_.attributes.size() + graph_.layers.size()});
    find_constants();
    name_tensors();
    const std::vector<std::uint32_t> order = execution_order();
    for (const std::uint32_t index : order) read_layer(index);
    finish();
  }

 private:
  const Layer& layer(std::uint32_t index) const { return graph_.layers[index]; }

  StringId intern(std::string_view text) {
    return builder_.strings().intern(text, Lifetime::kBorrow);
  }

  void report(std::string_view code, std::string message, Severity severity = Severity::kWarning,
              const Layer* at = nullptr) {
    builder_.add_diagnostic(
        {.code = code,
         .severity = severity,
         .message = std::move(message),
         .file = artefact_.path,
         .byte_offset = at == nullptr ? std::nullopt : std::optional(at->byte_offset)});
  }

  // Nodes that OpenVINO knows at compile time: constants, and nodes computed only from constants.
  // Follows the edges like a topological sort, so that a cycle just stays unvisited.
  void find_constants() {
    const std::size_t count = graph_.layers.size();
    is_constant_.assign(count, false);
    visitor_of_.assign(count, ExecGraph::kNone);
    std::vector<std::uint32_t> waiting(count, 0), ready;
    std::vector<std::vector<std::uint32_t>> readers(count);
    for (std::uint32_t index = 0; index < count; ++index) {
      for (const Port& input : graph_.inputs_of(layer(index))) {
        if (input.source_layer == ExecGraph::kNone) continue;
        readers[input.source_layer].push_back(index);
        ++waiting[index];
      }
      if (waiting[index] == 0) ready.push_back(index);
    }
    std::size_t visited = 0;
    for (; visited < ready.size(); ++visited) {
      const std::uint32_t index = ready[visited];
      is_constant_[index] = is_made_of_constants(layer(index));
      for (const std::uint32_t reader : readers[index]) {
        if (--waiting[reader] == 0) ready.push_back(reader);
      }
    }
    if (visited < count) {
      report("cyclic-edges",
             format("{} on or after a cycle of edges; no order of execution fits them",
                    base::counted(count - visited, "layer is", "layers are")));
    }
  }

  bool is_made_of_constants(const Layer& at) const {
    if (at.type == "Const" || at.type == "Constant") return true;
    const auto inputs = graph_.inputs_of(at);
    return !inputs.empty() && std::ranges::all_of(inputs, [&](const Port& input) {
      return input.source_layer != ExecGraph::kNone && is_constant_[input.source_layer];
    });
  }

  // The producer's name, with :PORT if it has several outputs, as in planex-openvino.
  void name_tensors() {
    std::unordered_set<std::string_view> taken;
    tensor_of_port_.assign(graph_.ports.size(), StringId());
    tag_of_port_ = tensor_of_port_;
    for (std::uint32_t index = 0; index < graph_.layers.size(); ++index) {
      const Layer& at = layer(index);
      std::string name(at.name);
      // OpenVINO's names are unique, but nothing guarantees it.
      if (!taken.insert(at.name).second || name.empty()) name += format("#{}", at.id);
      const std::size_t outputs = written_outputs(at);
      const std::size_t first = at.first_port + at.input_count;
      for (std::size_t i = 0; i < outputs; ++i) {
        tensor_of_port_[first + i] = outputs == 1
                                         ? builder_.strings().intern(name)
                                         : builder_.strings().intern(format("{}:{}", name, i));
      }
      set_tags(at);
    }
  }

  // outputLayouts is one tag for all outputs, or one per output.
  void set_tags(const Layer& at) {
    std::string_view tags = graph_.attribute(at, "outputLayouts");
    const auto commas = static_cast<std::size_t>(std::ranges::count(tags, ','));
    if (commas > 0 && commas + 1 != at.output_count) return;
    const std::size_t first = at.first_port + at.input_count;
    for (std::size_t i = 0; i < at.output_count; ++i) {
      const std::size_t end = std::min(tags.find(','), tags.size());
      tag_of_port_[first + i] = intern(tags.substr(0, end));
      if (commas > 0) tags.remove_prefix(std::min(end + 1, tags.size()));
    }
  }

  std::size_t written_outputs(const Layer& at) const {
    return is_gpu_ ? std::min<std::size_t>(at.output_count, 1) : at.output_count;
  }

  std::vector<std::uint32_t> execution_order() {
    std::vector<std::uint32_t> order(graph_.layers.size());
    std::vector<std::int64_t> key(order.size(), std::numeric_limits<std::int64_t>::max());
    std::size_t missing = 0;
    for (std::uint32_t index = 0; index < order.size(); ++index) {
      order[index] = index;
      const std::string_view text = graph_.attribute(layer(index), "execOrder");
      if (const auto number = parse_integer(text)) {
        key[index] = *number;
      } else {
        if (missing++ > 0) continue;
        report("layer-without-order",
               format("the layer's execOrder is {}; layers without a number are shown last",
                      base::quoted(text, 40)),
               Severity::kWarning, &layer(index));
      }
    }
    std::ranges::stable_sort(order, {}, [&](std::uint32_t index) { return key[index]; });
    return order;
  }

  // --- One layer ---

  void read_layer(std::uint32_t index) {
    const Layer& at = layer(index);
    record_.clear();
    record_.name = intern(at.name);
    record_.type = intern(at.type);
    record_.primitive = intern(graph_.attribute(at, "primitiveType"));
    record_.runtime_precision = intern(graph_.attribute(at, "runtimePrecision"));
    if (at.name.empty()) {
      report("layer-without-name", "the layer has no name; it is shown without one",
             Severity::kWarning, &at);
    }
    if (at.type.empty()) {
      report("layer-without-type", "the layer has no type; its kind is unknown", Severity::kWarning,
             &at);
    }
    const auto time_ms = time_of(at);
    for (const Port& input : graph_.inputs_of(at)) add_input(at, input);
    const auto outputs = graph_.outputs_of(at).first(written_outputs(at));
    for (const Port& output : outputs) add_output(output);
    record_.role = role_of_layer(index, time_ms);
    if (!is_gpu_ && record_.role != Role::kConstant) weigh_inputs(index);
    check_port_types(at);

    const LayerId id = builder_.add_layer(record_.name);
    writer_.write(id, record_);
    add_attributes(id, at);
    if (record_.role == Role::kInput || record_.role == Role::kOutput) {
      add_binding(at);
    } else if (record_.role != Role::kConstant) {
      add_sources(id, graph_.attribute(at, "originalLayersNames"));
      set_time(id, time_ms);
      if (record_.role == Role::kWork) set_macs(id, at);
    }
  }

  std::optional<double> time_of(const Layer& at) {
    const std::string_view text = graph_.attribute(at, "execTimeMcs");
    if (text.empty() || text == kNotExecuted) return std::nullopt;
    const auto microseconds = parse_number(text);
    if (!microseconds || *microseconds < 0) {
      report("bad-time",
             format("the layer's execTimeMcs is {}, expected microseconds; it has no time",
                    base::quoted(text, 40)),
             Severity::kWarning, &at);
      return std::nullopt;
    }
    // Whole microseconds, truncated: 0 means less than one, not nothing.
    if (*microseconds == 0) return std::nullopt;
    return *microseconds / 1000.0;
  }

  PortRecord port_record(const Port& port) {
    PortRecord record{.element_type = intern(port.precision),
                      .first_dim = record_.dims.size(),
                      .has_dims = port.has_dims};
    const auto dims = graph_.dims_of(port);
    record_.dims.insert(record_.dims.end(), dims.begin(), dims.end());
    record.dim_count = dims.size();
    return record;
  }

  void add_input(const Layer& at, const Port& input) {
    PortRecord record = port_record(input);
    if (input.source_layer == ExecGraph::kNone) {
      report("input-without-source",
             "no edge leads to the input; it is not connected to another "
             "layer",
             Severity::kWarning, &at);
      record.tensor = builder_.strings().intern(
          format("{}:input:{}", at.name, &input - &graph_.ports[at.first_port]));
    } else {
      const Layer& source = layer(input.source_layer);
      const std::size_t first = source.first_port + source.input_count;
      // Further outputs on the GPU are copies of the first.
      const std::size_t output = is_gpu_ ? first : input.source_port;
      record.tensor = tensor_of_port_[output];
      record.tag = tag_of_port_[output];
      record.is_constant = is_constant_[input.source_layer];
    }
    record_.inputs.push_back(record);
  }

  void add_output(const Port& output) {
    PortRecord record = port_record(output);
    const auto index = static_cast<std::size_t>(&output - graph_.ports.data());
    record.tensor = tensor_of_port_[index];
    record.tag = tag_of_port_[index];
    record_.outputs.push_back(record);
  }

  Role role_of_layer(std::uint32_t index, std::optional<double> time_ms) {
    const Layer& at = layer(index);
    if (is_constant_[index]) return Role::kConstant;
    // It only renames dimensions; one that has to move the data takes time.
    if (at.type == "Reshape" && !time_ms) return Role::kNoOp;
    if (at.type == "Reorder" && leaves_all_in_place()) return Role::kNoOp;
    return role_of(at.type);
  }

  bool leaves_all_in_place() {
    if (record_.inputs.size() != 1 || record_.outputs.size() != 1) return false;
    const PortRecord& from = record_.inputs[0];
    const PortRecord& to = record_.outputs[0];
    const base::StringPool& strings = builder_.strings();
    return from.element_type == to.element_type && to.has_dims &&
           is_same_order(strings.view(from.tag), strings.view(to.tag), record_.dims_of(to));
  }

  // The port's type may be that of another output if outputs before it have no reader or several:
  // the CPU plugin asks the n-th reader for the type of the n-th output.
  void check_port_types(const Layer& at) {
    if (is_gpu_ || at.output_count < 2) return;
    const std::string_view types = graph_.attribute(at, "outputPrecisions");
    if (types.find(',') == types.npos) return;
    const auto outputs = graph_.outputs_of(at);
    const bool is_certain = std::ranges::all_of(
        outputs.first(outputs.size() - 1), [](const Port& port) { return port.reader_count == 1; });
    if (is_certain) return;
    report("uncertain-port-types",
           format("{} has outputs of several types, and OpenVINO may have mixed up which is which",
                  base::quoted(at.name)),
           Severity::kInfo, &at);
  }

  // --- Weights ---

  // The constants that feed the layer's constant inputs, each once.
  void weigh_inputs(std::uint32_t index) {
    record_.has_weight_list = true;
    pending_.clear();
    push_sources(index, index, true);
    for (std::size_t next = 0; next < pending_.size(); ++next) {
      if (pending_.size() > kMaxConstantsOfALayer) {
        report("unknown-weights",
               format("more than {} constants feed the layer; its weights are not counted",
                      kMaxConstantsOfALayer),
               Severity::kWarning, &layer(index));
        record_.are_weights_known = false;
        return;
      }
      const std::uint32_t constant = pending_[next];
      if (layer(constant).input_count > 0) {
        push_sources(constant, index, false);
      } else {
        weigh(layer(constant));
      }
    }
  }

  void push_sources(std::uint32_t index, std::uint32_t reader, bool only_constant) {
    for (const Port& input : graph_.inputs_of(layer(index))) {
      const std::uint32_t source = input.source_layer;
      if (source == ExecGraph::kNone || (only_constant && !is_constant_[source])) continue;
      if (visitor_of_[source] == reader) continue;
      visitor_of_[source] = reader;
      pending_.push_back(source);
      if (pending_.size() > kMaxConstantsOfALayer) return;
    }
  }

  void weigh(const Layer& constant) {
    for (std::size_t i = 0; i < written_outputs(constant); ++i) {
      const std::size_t index = constant.first_port + constant.input_count + i;
      const Port& port = graph_.ports[index];
      const auto dims = graph_.dims_of(port);
      auto bytes = port.has_dims ? model::data_bytes(dims, parse_type(port.precision))
                                 : std::optional<std::int64_t>();
      // OpenVINO inserts empty constants without a type for missing optional inputs.
      if (port.has_dims && std::ranges::find(dims, 0) != dims.end()) bytes = 0;
      if (!bytes) {
        report("unknown-weights",
               format("constant {} has an unknown type or size; weights of the layers that read it "
                      "are not counted",
                      base::quoted(constant.name)),
               Severity::kWarning, &constant);
        record_.are_weights_known = false;
        return;
      }
      record_.weight_bytes += *bytes;
      writer_.weigh(tensor_of_port_[index], *bytes);
    }
  }

  // --- What belongs to the layer's row ---

  void add_attributes(LayerId id, const Layer& at) {
    const auto own = std::span(graph_.attributes).subspan(at.first_attribute, at.attribute_count);
    for (const ExecGraph::Attribute& attribute : own) {
      if (attribute.value.empty()) continue;
      builder_.add_attribute(
          id, intern(attribute.key), builder_.strings().add(attribute.value, Lifetime::kBorrow),
          is_json_number(attribute.value) ? ValueType::kNumber : ValueType::kString);
    }
  }

  // Empty names come from trailing commas, and a merged operation may be listed several times.
  void add_sources(LayerId id, std::string_view names) {
    seen_.clear();
    while (!names.empty()) {
      const std::string_view name = base::take_part(names, ',');
      if (!name.empty() && seen_.insert(name).second) {
        builder_.add_source(id, name, {}, Evidence::kMetadata, Lifetime::kBorrow);
      }
    }
  }

  // A mean of all inferences so far, including the first and slowest one.
  void set_time(LayerId id, std::optional<double> time_ms) {
    builder_.model().layers.mean_ms.set(id.index(), time_ms);
    if (time_ms) ++timed_count_;
    if (record_.role != Role::kWork || time_ms) return;
    if (untimed_count_++ == 0) untimed_ = id;
  }

  void set_macs(LayerId id, const Layer& at) {
    if (record_.inputs.size() < 2 || record_.outputs.empty()) return;
    const PortRecord& data = record_.inputs[0];
    const PortRecord& weights = record_.inputs[1];
    const PortRecord& out = record_.outputs[0];
    if (!data.has_dims || !weights.has_dims || !out.has_dims) return;
    // If weights are omitted, the second input is what is added to the result.
    if (!weights.is_constant && needs_weights(at.type)) return;
    const auto macs = macs_from_shapes(at.type, record_.dims_of(data), record_.dims_of(weights),
                                       record_.dims_of(out));
    if (!macs) return;
    model::LayersTable& layers = builder_.model().layers;
    layers.macs.set(id.index(), macs);
    layers.work_evidence.set(id.index(), builder_.strings().intern("shapes"));
  }

  // A convolution's filter is stored; for the others the first operand and the result are
  // sufficient.
  static bool needs_weights(std::string_view type) {
    return type == "Convolution" || type == "Deconvolution";
  }

  // The record of an input or output has the model's name; "output/sink_port_0" is "output".
  void add_binding(const Layer& at) {
    model::PlanModel& model = builder_.model();
    const bool is_input = record_.role == Role::kInput;
    const auto& ports = is_input ? record_.outputs : record_.inputs;
    if (ports.empty() || builder_.has_exceeded_limit()) return;
    std::size_t row = model.ports.row_count() - record_.outputs.size();
    if (!is_input) row -= record_.inputs.size();
    builder_.add_binding(at.name.substr(0, at.name.find("/sink_port_")),
                         is_input ? Direction::kInput : Direction::kOutput,
                         model.ports.tensor_id[row]);
    model::BindingsTable& bindings = model.bindings;
    const std::size_t binding = bindings.row_count() - 1;
    if (ports.front().has_dims) bindings.dims.set(binding, record_.dims_of(ports.front()));
    bindings.dtype.set(binding, model.ports.dtype[row]);
    bindings.layout.set(binding, model.ports.layout[row]);
  }

  // --- After all layers ---

  void finish() {
    model::PlanModel& model = builder_.model();
    model.files.record_count.set(artefact_.file_row,
                                 static_cast<std::int64_t>(graph_.layers.size()));
    if (graph_.layers.empty()) report("no-layers", "the list of layers is empty");
    writer_.finish();
    for (const auto& [key, value] : graph_.info) {
      builder_.add_metadata("rt_info", key, value, artefact_.path);
      if (key == "Runtime_version") set_producer_version(value, builder_);
    }
    if (!graph_.name.empty()) {
      builder_.add_metadata("openvino graph", "name", graph_.name, artefact_.path);
    }
    if (is_gpu_) {
      report("weights-not-listed",
             "the GPU's graphs omit constants; the layers' weights are unknown", Severity::kInfo);
    }
    report_times();
  }

  void report_times() {
    if (timed_count_ == 0) {
      if (untimed_count_ == 0) return;
      report("no-layer-times",
             "the graph has no times: it was written before anything ran, or with counters off "
             "(benchmark_app -pc turns them on)",
             Severity::kInfo);
      return;
    }
    builder_.add_metadata("profile", "method", "running-mean", artefact_.path);
    builder_.add_metadata("profile", "resolution_us", "1", artefact_.path);
    if (untimed_count_ == 0) return;
    const model::LayersTable& layers = builder_.model().layers;
    report("time-below-resolution",
           format("{} no time, such as {}: below OpenVINO's resolution of 1 µs, or not run",
                  base::counted(untimed_count_, "layer has", "layers have"),
                  base::quoted(builder_.strings().view(layers.name[untimed_.index()]))),
           Severity::kInfo);
  }

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  const ExecGraph& graph_;
  LayerWriter writer_;
  bool is_gpu_;

  // By layer of the graph: and the last one that looked for its weights there.
  std::vector<bool> is_constant_;
  std::vector<std::uint32_t> visitor_of_;
  // By port of the graph, of outputs.
  std::vector<StringId> tensor_of_port_, tag_of_port_;
  std::size_t timed_count_ = 0, untimed_count_ = 0;
  LayerId untimed_;  // the first

  // The layer being read.
  LayerRecord record_;
  std::vector<std::uint32_t> pending_;
  std::unordered_set<std::string_view> seen_;
};

}  // namespace

Confidence sniff_exec_graph(std::string_view head) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (head.starts_with(kByteOrderMark)) head.remove_prefix(kByteOrderMark.size());
  head = base::trimmed(head);
  // A model also has layers, but they don't say how they run.
  const bool is_graph =
      head.starts_with('<') && head.find("<net") != head.npos && head.find("<layer") != head.npos &&
      (head.find(" execOrder=\"") != head.npos || head.find(" execTimeMcs=\"") != head.npos);
  return is_graph ? Confidence::kSure : Confidence::kNo;
}

Result<void> read_exec_graph(const Artefact& artefact, model::ModelBuilder& builder) {
  PLANEX_ASSIGN(const ExecGraph graph, parse_exec_graph(artefact, builder));
  ExecGraphReader(artefact, builder, graph).read();
  return {};
}

}  // namespace planex::ingest::openvino
