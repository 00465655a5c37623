#include "ingest/onnx/model_layers.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "base/checked.h"
#include "base/text.h"
#include "base/utf8.h"
#include "ingest/families.h"
#include "ingest/onnx/element_type.h"

namespace planex::ingest::onnx {

using base::Lifetime;
using base::StringId;
using model::Direction;
using model::Family;
using model::LayerId;
using planex::onnx::GraphKind;
using planex::onnx::Index;
using planex::onnx::kNoIndex;
using planex::onnx::Node;
using planex::onnx::ValueRole;

namespace {

bool has_body(const Node& node) {
  return node.domain.empty() &&
         (node.op_type == "If" || node.op_type == "Loop" || node.op_type == "Scan");
}

// Domains whose operators the table of families knows.
bool is_known_domain(std::string_view domain) {
  return planex::onnx::is_default_domain(domain) || domain.starts_with("com.microsoft");
}

}  // namespace

ModelLayers::ModelLayers(std::string_view file, const planex::onnx::Model& source,
                         const KnownTensors& tensors, model::ModelBuilder& builder)
    : source_(source),
      tensors_(tensors),
      builder_(builder),
      links_(source),
      values_(file, source, no_files_, {}),
      shapes_(source, links_, values_),
      types_(source) {
  find_captured();
}

// A subgraph reads tensors of the graphs around it by their names.
void ModelLayers::find_captured() {
  std::vector<Index> holder(source_.graphs.size(), kNoIndex);  // the node of the main graph
  std::unordered_set<std::string_view> seen;
  Index of_seen = kNoIndex;
  for (Index graph = 0; graph < source_.graphs.size(); ++graph) {
    if (source_.graphs[graph].kind != GraphKind::kSubgraph) continue;
    const Index node = source_.graphs[graph].node;
    const Index around = source_.nodes[node].graph;
    holder[graph] = around == 0 ? node : holder[around];
    if (holder[graph] == kNoIndex) continue;  // in a function
    if (of_seen != holder[graph]) seen.clear();
    of_seen = holder[graph];
    const auto take = [&](std::string_view name) {
      const auto* link = name.empty() ? nullptr : links_.find(name);
      if (link == nullptr || !link->is_captured || !seen.insert(name).second) return;
      captured_[holder[graph]].push_back(name);
    };
    for (const Node& inner : source_.nodes_of(source_.graphs[graph])) {
      for (const std::string_view input : source_.inputs_of(inner)) take(input);
    }
    for (const auto& value : source_.values_of(source_.graphs[graph])) {
      if (value.role == ValueRole::kOutput) take(value.name);
    }
  }
}

std::string_view ModelLayers::text(std::string_view name) {
  if (base::is_valid_utf8(name)) return name;
  return builder_.strings().view(builder_.strings().intern(base::valid_utf8(name)));
}

Family ModelLayers::family(const Node& node) const {
  if (has_body(node) || node.function != kNoIndex) return Family::kOpaque;
  return is_known_domain(node.domain) ? family_of(node.op_type) : Family::kPlugin;
}

void ModelLayers::add(planex::onnx::NodeNames& names) {
  model::EngineTable& engine = builder_.model().engine;
  engine.producer.set(0, builder_.strings().intern("onnx"));
  engine.detail.set(0, builder_.strings().intern("model"));
  const auto& main = source_.graphs.front();
  for (Index index = main.nodes.first; index < main.nodes.first + main.nodes.count; ++index) {
    if (builder_.has_exceeded_limit()) return;
    add_layer(index, names);
  }
  add_bindings();
}

void ModelLayers::add_layer(Index index, planex::onnx::NodeNames& names) {
  const Node& node = source_.nodes[index];
  const auto outputs = source_.outputs_of(node);
  // The same names that OpenVINO gives to nodes without names, and nearly those of TensorRT's
  // parser.
  if (names.name_of(index).empty() && !outputs.empty() && !outputs.front().empty()) {
    names.tell(outputs.front(), index);
  }
  const std::string_view name = text(names.name_of(index));
  const std::string_view type = text(node.op_type);
  const LayerId layer = builder_.add_layer(builder_.strings().intern(name, Lifetime::kBorrow));
  model::LayersTable& layers = builder_.model().layers;
  const std::size_t row = layer.index();
  const StringId word = builder_.strings().intern(type, Lifetime::kBorrow);
  layers.type.set(row, word);
  layers.raw_type.set(row, word);
  layers.role.set(row, is_known_domain(node.domain) ? role_of(type) : model::Role::kWork);
  layers.family.set(row, family(node));
  if (node.function != kNoIndex) ++call_count_;
  add_ports(layer, index);
  set_weight_bytes(layer, index);
  if (!name.empty()) {
    builder_.add_source(layer, name, type, model::Evidence::kMetadata, Lifetime::kBorrow);
  }
}

void ModelLayers::add_ports(LayerId layer, Index index) {
  const Node& node = source_.nodes[index];
  std::vector<std::string_view> inputs;
  for (const std::string_view name : source_.inputs_of(node)) {
    if (!name.empty()) inputs.push_back(name);
  }
  if (const auto found = captured_.find(index); found != captured_.end()) {
    inputs.insert(inputs.end(), found->second.begin(), found->second.end());
  }
  for (const Direction direction : {Direction::kInput, Direction::kConstant}) {
    for (const std::string_view name : inputs) {
      const TensorFacts* facts = tensors_.find(0, name);
      const bool is_weight = facts != nullptr && facts->is_weight;
      if (is_weight == (direction == Direction::kConstant)) add_port(layer, direction, name);
    }
  }
  for (const std::string_view name : source_.outputs_of(node)) {
    if (!name.empty()) add_port(layer, Direction::kOutput, name);
  }
}

void ModelLayers::add_port(LayerId layer, Direction direction, std::string_view name) {
  const TensorFacts* facts = tensors_.find(0, name);
  model::PortFacts port{.tensor = text(name), .dims_known = false};
  if (const auto dims = shapes_.of(name)) {
    port.dims = *dims;
    port.dims_known = true;
  } else if (facts != nullptr && facts->dims_known) {
    port.dims = tensors_.dims_of(*facts);
    port.dims_known = true;
  }
  port.dtype = facts != nullptr && facts->dtype != model::DType::kNull ? facts->dtype
                                                                       : dtype_of(types_.of(name));
  builder_.add_port(layer, direction, port, Lifetime::kBorrow);
}

// As stored: a list of packed numbers has no type here, but its size in bytes is known.
void ModelLayers::set_weight_bytes(LayerId layer, Index index) {
  if (builder_.has_exceeded_limit()) return;
  base::CheckedInt sum = 0;
  std::unordered_set<std::string_view> seen;
  for (const std::string_view name : source_.inputs_of(source_.nodes[index])) {
    const TensorFacts* facts = name.empty() ? nullptr : tensors_.find(0, name);
    if (facts == nullptr || !facts->is_weight || !seen.insert(name).second) continue;
    if (!facts->stored_bytes) return;
    sum += *facts->stored_bytes;
  }
  builder_.model().layers.weight_bytes.set(layer.index(), sum.value());
}

void ModelLayers::add_bindings() {
  model::BindingsTable& bindings = builder_.model().bindings;
  for (const auto& value : source_.values_of(source_.graphs.front())) {
    if (value.role == ValueRole::kInfo || value.name.empty()) continue;
    const TensorFacts* facts = tensors_.find(0, value.name);
    const bool is_input = value.role == ValueRole::kInput;
    if (is_input && facts != nullptr && facts->is_weight) continue;
    const std::size_t row = bindings.row_count();
    builder_.add_binding(text(value.name), is_input ? Direction::kInput : Direction::kOutput);
    bindings.dtype.set(row, dtype_of(value.type));
    if (!value.has_shape) continue;
    // As declared: the batch that the layers are shown with is an assumption.
    std::vector<std::int64_t> dims;
    for (const auto& dim : source_.dims_of(value)) {
      dims.push_back(std::max<std::int64_t>(-1, dim.value));
    }
    bindings.dims.set(row, dims);
  }
}

void ModelLayers::complete_operations() {
  const model::OperationsTable& operations = builder_.model().operations;
  model::OperationPortsTable& ports = builder_.model().operation_ports;
  for (std::size_t row = 0; row < ports.row_count(); ++row) {
    const std::size_t operation = ports.operation_id[row].index();
    if (!operations.subgraph.is_null(operation) || ports.tensor.is_null(row)) continue;
    const std::string_view name = builder_.model().text(ports.tensor[row]);
    const auto dims = shapes_.of(name);
    const bool is_open = ports.dims.is_null(row) ||
                         std::ranges::any_of(ports.dims[row], [](auto dim) { return dim < 0; });
    if (dims && is_open) ports.dims.set(row, *dims);
    if (ports.dtype.is_null(row)) ports.dtype.set(row, dtype_of(types_.of(name)));
  }
}

}  // namespace planex::ingest::onnx
