#include "render/onnx/onnx_graph.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <protozero/pbf_writer.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "base/try.h"
#include "graph/selection.h"
#include "onnx/data_types.h"
#include "onnx/fields.h"
#include "render/onnx/attribute_writer.h"
#include "render/onnx/value_plan.h"
#include "render/words/characters.h"

namespace planex::render {
namespace {

using graph::kNoRow;
using graph::NodeKind;
using model::DType;
using model::PlanModel;
using protozero::pbf_writer;
namespace field = onnx::field;

constexpr std::string_view kDomain = "planex";
// The first that has FLOAT4E2M1, and the opset that belongs to it.
constexpr std::int64_t kIrVersion = 11;
constexpr std::int64_t kOnnxOpset = 23;

onnx::DataType data_type(DType type) {
  switch (type) {
    case DType::kFp64:
      return onnx::DataType::kDouble;
    case DType::kFp32:
    case DType::kTf32:  // a way to compute; in memory it is FP32
      return onnx::DataType::kFloat;
    case DType::kFp16:
      return onnx::DataType::kFloat16;
    case DType::kBf16:
      return onnx::DataType::kBfloat16;
    case DType::kFp8:
      return onnx::DataType::kFloat8E4M3FN;
    case DType::kFp4:
      return onnx::DataType::kFloat4E2M1;
    case DType::kInt64:
      return onnx::DataType::kInt64;
    case DType::kInt32:
      return onnx::DataType::kInt32;
    case DType::kInt16:
      return onnx::DataType::kInt16;
    case DType::kInt8:
      return onnx::DataType::kInt8;
    case DType::kInt4:
      return onnx::DataType::kInt4;
    case DType::kUint64:
      return onnx::DataType::kUint64;
    case DType::kUint32:
      return onnx::DataType::kUint32;
    case DType::kUint16:
      return onnx::DataType::kUint16;
    case DType::kUint8:
      return onnx::DataType::kUint8;
    case DType::kBool:
      return onnx::DataType::kBool;
    case DType::kNull:
      break;
  }
  return onnx::DataType::kUndefined;
}

struct ValueType {
  DType dtype = DType::kNull;
  std::optional<std::span<const std::int64_t>> dims;
};

// Columns of `layers` that a node's own fields contain already.
bool is_in_fields(std::string_view column) {
  return column == "name" || column == "type" || column == "layer_id";
}

std::vector<std::string> names_of(const PlanModel& model, const graph::PlanGraph& graph,
                                  const ValuePlan& plan) {
  std::vector<std::string> names(graph.nodes.size());
  UniqueNames unique;
  for (const PlannedNode& planned : plan.nodes) {
    const graph::Node& node = graph.nodes[planned.node.index()];
    names[planned.node.index()] = unique.take(graph::node_name(model, node), "node");
  }
  return names;
}

class OnnxWriter {
 public:
  OnnxWriter(const PlanModel& model, const graph::PlanGraph& graph)
      : model_(model),
        graph_(graph),
        plan_(plan_values(model, graph)),
        names_(names_of(model, graph, plan_)),
        layers_(model, *model::find_table("layers")) {}

  Result<void> write(const DocumentSink& sink) {
    write_graph();
    // A message is limited to what a 32-bit int counts; the head takes little of it.
    constexpr std::size_t kHeadBytes = 1 << 20;
    if (text_.size() > std::numeric_limits<std::int32_t>::max() - kHeadBytes) {
      return fail(ErrorCode::kUnsupported,
                  base::format("the ONNX model would have {:.1f} GB, but the limit is 2 GB",
                               static_cast<double>(text_.size()) / 1e9),
                  "draw less of the engine (--select, --around, --group)");
    }
    std::string head = model_head();
    constexpr std::uint32_t kTag = field::model::kGraph << 3 | 2;  // length-delimited
    protozero::add_varint_to_buffer(&head, kTag);
    protozero::add_varint_to_buffer(&head, text_.size());
    PLANEX_TRY(sink(head));
    return sink(text_);
  }

 private:
  std::string model_head() const {
    std::string head;
    pbf_writer writer(head);
    writer.add_int64(field::model::kIrVersion, kIrVersion);
    writer.add_string(field::model::kProducerName, kDomain);
    for (const auto& [domain, version] :
         {std::pair(std::string_view(), kOnnxOpset), std::pair(kDomain, std::int64_t{1})}) {
      pbf_writer opset(writer, field::model::kOpsetImport);
      opset.add_string(field::opset::kDomain, domain);
      opset.add_int64(field::opset::kVersion, version);
    }
    const model::EngineTable& engine = model_.engine;
    for (const auto& [key, value] : {std::pair("producer", engine.producer[0]),
                                     std::pair("producer_version", engine.producer_version[0]),
                                     std::pair("device", engine.device[0])}) {
      if (model_.text(value).empty()) continue;
      pbf_writer entry(writer, field::model::kMetadata);
      entry.add_string(field::entry::kKey, key);
      entry.add_string(field::entry::kValue, visible(model_.text(value)));
    }
    return head;
  }

  void write_graph() {
    pbf_writer writer(text_);
    writer.add_string(field::graph::kName, onnx_graph_name(model_));
    std::vector<bool> is_binding(plan_.values.size());
    for (const std::uint32_t value : plan_.inputs) {
      is_binding[value] = true;
      write_binding(field::graph::kInput, value);
    }
    for (const std::uint32_t value : plan_.outputs) {
      is_binding[value] = true;
      write_binding(field::graph::kOutput, value);
    }
    for (const PlannedNode& node : plan_.nodes) write_node(node);
    for (std::uint32_t value = 0; value < plan_.values.size(); ++value) {
      if (!is_binding[value]) write_value(value);
    }
  }

  ValueType type_of(const PlannedValue& value) const {
    const auto known = [](const model::IntList& dims, std::size_t row) {
      return dims.is_null(row) ? std::nullopt : std::optional(dims[row]);
    };
    if (value.binding != kNoRow) {
      return {.dtype = model_.bindings.dtype[value.binding],
              .dims = known(model_.bindings.dims, value.binding)};
    }
    if (value.port == kNoRow) return {};
    if (graph_.view == graph::View::kSource) {
      return {.dtype = model_.operation_ports.dtype[value.port],
              .dims = known(model_.operation_ports.dims, value.port)};
    }
    return {.dtype = model_.ports.dtype[value.port], .dims = known(model_.ports.dims, value.port)};
  }

  // `shape` has the fields of TensorShapeProto; null: unknown.
  void write_info(std::uint32_t graph_field, std::string_view name, DType dtype,
                  const std::string* shape) {
    std::string info;
    pbf_writer writer(info);
    writer.add_string(field::value::kName, name);
    {
      pbf_writer type(writer, field::value::kType);
      pbf_writer tensor(type, field::type::kTensor);
      tensor.add_enum(field::tensor_type::kElement, static_cast<std::int32_t>(data_type(dtype)));
      if (shape != nullptr) tensor.add_message(field::tensor_type::kShape, *shape);
    }
    pbf_writer(text_).add_message(graph_field, info);
  }

  // The checker requires a shape and has no way to write an unknown rank.
  void write_binding(std::uint32_t graph_field, std::uint32_t index) {
    const PlannedValue& value = plan_.values[index];
    const ValueType type = type_of(value);
    std::string shape;
    pbf_writer writer(shape);
    if (!type.dims) {
      pbf_writer(writer, field::shape::kDim).add_string(field::dim::kParameter, "unknown");
    } else {
      for (std::size_t axis = 0; axis < type.dims->size(); ++axis) {
        pbf_writer dim(writer, field::shape::kDim);
        const std::int64_t length = (*type.dims)[axis];
        if (length >= 0) {
          dim.add_int64(field::dim::kValue, length);
        } else {
          dim.add_string(field::dim::kParameter, base::format("{}.{}", value.name, axis));
        }
      }
    }
    write_info(graph_field, value.name, type.dtype, &shape);
  }

  void write_value(std::uint32_t index) {
    const PlannedValue& value = plan_.values[index];
    const ValueType type = type_of(value);
    if (type.dtype == DType::kNull && !type.dims) return;
    std::string shape;
    pbf_writer writer(shape);
    for (const std::int64_t length : type.dims.value_or(std::span<const std::int64_t>())) {
      // Without a value it is unknown; but it counts, so it must not be left out as empty.
      std::string dim;
      if (length >= 0) pbf_writer(dim).add_int64(field::dim::kValue, length);
      writer.add_message(field::shape::kDim, dim);
    }
    write_info(field::graph::kValueInfo, value.name, type.dtype, type.dims ? &shape : nullptr);
  }

  std::string type_name(const graph::Node& node) const {
    std::string_view name;
    switch (node.kind) {
      case NodeKind::kLayer:
      case NodeKind::kConstant:
        name = model_.text(model_.layers.type[node.layer.index()]);
        break;
      case NodeKind::kOperation:
        name = !node.operation.is_null()
                   ? model_.text(model_.operations.type[node.operation.index()])
                   : model_.text(model_.sources.op_type[node.source]);
        break;
      case NodeKind::kMemory:
        return "Memory";
      case NodeKind::kBinding:
        return "Join";
    }
    return name.empty() ? std::string("Layer") : visible(name);
  }

  void write_node(const PlannedNode& planned) {
    const graph::Node& node = graph_.nodes[planned.node.index()];
    std::string content;
    pbf_writer writer(content);
    for (const std::uint32_t value : planned.inputs) {
      writer.add_string(field::node::kInput, plan_.values[value].name);
    }
    for (const std::uint32_t value : planned.outputs) {
      writer.add_string(field::node::kOutput, plan_.values[value].name);
    }
    writer.add_string(field::node::kName, names_[planned.node.index()]);
    writer.add_string(field::node::kOpType, type_name(node));
    writer.add_string(field::node::kDomain, kDomain);
    write_attributes(planned, content);
    pbf_writer(text_).add_message(field::graph::kNode, content);
  }

  void write_attributes(const PlannedNode& planned, std::string& content) {
    const graph::Node& node = graph_.nodes[planned.node.index()];
    AttributeWriter writer(content);
    if (!planned.carried.empty()) {
      std::vector<std::string> names;
      for (const std::uint32_t value : planned.carried) names.push_back(plan_.values[value].name);
      writer.add_texts("carried_inputs", names);
    }
    if (node.kind == NodeKind::kMemory && node.generations > 1) {
      writer.add_cell("generation", std::int64_t{node.generation});
      writer.add_cell("generations", std::int64_t{node.generations});
    }
    if (node.kind == NodeKind::kOperation && !node.operation.is_null()) {
      writer.add_parameters(model_.text(model_.operations.parameters[node.operation.index()]));
    }
    if (node.kind == NodeKind::kLayer || node.kind == NodeKind::kConstant) {
      write_layer(node.layer, writer);
    }
  }

  // What the file says, then what planex knows, then how its tensors are laid out in memory.
  void write_layer(model::LayerId layer, AttributeWriter& writer) const {
    const model::RowRange rows = model_.attributes_of(layer);
    for (std::size_t row = rows.first; row < rows.end(); ++row) {
      writer.add_json(model_.text(model_.attributes.key[row]),
                      model_.text(model_.attributes.value[row]), model_.attributes.value_type[row]);
    }
    const std::span<const model::ColumnInfo> columns = layers_.info().columns;
    for (std::size_t column = 0; column < columns.size(); ++column) {
      if (is_in_fields(columns[column].name)) continue;
      writer.add_cell(columns[column].name, layers_.cell(column, layer.index()));
    }
    for (const auto& [direction, name] : {std::pair(model::Direction::kInput, "input_formats"),
                                          std::pair(model::Direction::kOutput, "output_formats")}) {
      const std::vector<std::string> formats = formats_of(layer, direction);
      if (!formats.empty()) writer.add_texts(name, formats);
    }
  }

  std::vector<std::string> formats_of(model::LayerId layer, model::Direction direction) const {
    std::vector<std::string> formats;
    const model::RowRange ports = model_.ports_of(layer);
    for (std::size_t port = ports.first; port < ports.end(); ++port) {
      if (model_.ports.direction[port] != direction) continue;
      const model::Layout layout = model_.ports.layout[port];
      const DType dtype = model_.ports.dtype[port];
      formats.push_back(base::format(
          "{} {}", dtype == DType::kNull ? std::string_view("?") : to_string(dtype),
          layout.order == model::Order::kNull ? std::string_view("?") : to_string(layout)));
    }
    return formats;
  }

  const PlanModel& model_;
  const graph::PlanGraph& graph_;
  ValuePlan plan_;
  std::vector<std::string> names_;  // by node
  model::TableView layers_;
  std::string text_;
};

}  // namespace

Result<void> write_onnx(const PlanModel& model, const graph::PlanGraph& graph,
                        const DocumentSink& sink) {
  return OnnxWriter(model, graph).write(sink);
}

std::vector<std::string> onnx_node_names(const PlanModel& model, const graph::PlanGraph& graph) {
  return names_of(model, graph, plan_values(model, graph));
}

std::string onnx_graph_name(const PlanModel& model) {
  const std::string name = visible(model.text(model.engine.name[0]));
  return name.empty() ? std::string("engine") : name;
}

}  // namespace planex::render
