#include "onnx/shapes.h"

#include <algorithm>
#include <utility>

#include "onnx/attributes.h"
#include "onnx/shape_rules.h"

namespace planex::onnx {

Shapes::Shapes(const Model& model, const Links& links, Values& values, ShapeBasis basis)
    : model_(model), links_(links), values_(values), basis_(basis) {
  const Graph& main = model.graphs.front();
  for (const Tensor& tensor : model.initializers_of(main)) {
    // The caller can replace a default, also by one of another shape.
    const Link* link = links.find(tensor.name);
    if (basis == ShapeBasis::kInputs && link != nullptr && link->is_input) continue;
    const auto dims = model.dims_of(tensor);
    learn(tensor.name, Dims(dims.begin(), dims.end()));
  }
  for (Index i = 0; i < main.sparse_initializers.count; ++i) {
    const SparseTensor& sparse = model.sparse_tensors[main.sparse_initializers.first + i];
    if (sparse.values == kNoIndex) continue;
    const auto dims =
        std::span<const std::int64_t>(model.dims).subspan(sparse.dims.first, sparse.dims.count);
    learn(model.tensors[sparse.values].name, Dims(dims.begin(), dims.end()));
  }
  read_inputs();
  for (const Value& value : model.values_of(main)) {
    const bool is_said = value.role != ValueRole::kInput && basis == ShapeBasis::kDeclared;
    if (!is_said || !value.has_shape || value.kind != ValueKind::kTensor) continue;
    Dims dims;
    for (const Dim& dim : model.dims_of(value))
      dims.push_back(std::max<std::int64_t>(-1, dim.value));
    learn(value.name, std::move(dims));
  }
  for (const Node& node : model.nodes_of(main)) look_at(node);
}

void Shapes::read_inputs() {
  const Graph& main = model_.graphs.front();
  bool has_open_batch = false;
  for (const Value& value : model_.values_of(main)) {
    const Link* link = links_.find(value.name);
    const bool is_weight = link != nullptr && link->initializer != kNoIndex;
    if (value.role != ValueRole::kInput || is_weight || value.kind != ValueKind::kTensor) continue;
    if (!value.has_shape) {
      open_inputs_.push_back(value.name);
      continue;
    }
    const auto dims = model_.dims_of(value);
    for (std::size_t i = 0; i < dims.size(); ++i) {
      if (dims[i].value >= 0) continue;
      if (i == 0) {
        has_open_batch = true;
      } else {
        open_inputs_.push_back(value.name);
        break;
      }
    }
  }
  is_batch_assumed_ = has_open_batch && open_inputs_.empty() && basis_ == ShapeBasis::kDeclared;
  for (const Value& value : model_.values_of(main)) {
    if (value.role != ValueRole::kInput || !value.has_shape) continue;
    Dims dims;
    for (const Dim& dim : model_.dims_of(value)) {
      dims.push_back(std::max<std::int64_t>(-1, dim.value));
    }
    if (is_batch_assumed_ && !dims.empty() && dims[0] < 0) dims[0] = 1;
    learn(value.name, std::move(dims));
  }
}

std::optional<std::span<const std::int64_t>> Shapes::of(std::string_view tensor) const {
  const auto found = dims_.find(tensor);
  if (found == dims_.end()) return std::nullopt;
  return std::span<const std::int64_t>(found->second);
}

std::optional<std::span<const std::int64_t>> Shapes::list_of(std::string_view tensor) const {
  const auto found = elements_.find(tensor);
  if (found == elements_.end()) return std::nullopt;
  return std::span<const std::int64_t>(found->second);
}

// Previously known values take precedence over new ones, except for what they leave open.
void Shapes::learn(std::string_view tensor, Dims dims) {
  if (tensor.empty()) return;
  const auto [found, is_new] = dims_.try_emplace(tensor, std::move(dims));
  if (is_new || found->second.size() != dims.size()) return;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (found->second[i] < 0) found->second[i] = dims[i];
  }
}

void Shapes::learn_value(std::string_view tensor, Dims elements) {
  if (!tensor.empty() && elements.size() <= kMaxListElements) {
    elements_.try_emplace(tensor, std::move(elements));
  }
}

// Not through Identity, which passes lists on itself: a chain of them is walked once.
const Tensor* Shapes::short_constant(std::string_view tensor) const {
  const Link* link = links_.find(tensor);
  if (link == nullptr || link->is_input) return nullptr;
  Index constant = link->initializer;
  if (constant == kNoIndex && link->node != kNoIndex) {
    const Node& node = model_.nodes[link->node];
    if (node.op_type != "Constant" || !is_default_domain(node.domain)) return nullptr;
    const Attribute* value = find_attribute(model_, node, "value");
    constant = value == nullptr ? kNoIndex : value->tensor;
  }
  if (constant == kNoIndex) return nullptr;
  const Tensor& data = model_.tensors[constant];
  const auto bytes = bytes_of(model_, data);
  constexpr auto kMaxBytes = static_cast<std::int64_t>(kMaxListElements * sizeof(std::int64_t));
  return bytes && *bytes <= kMaxBytes ? &data : nullptr;
}

std::optional<Shapes::Dims> Shapes::elements(std::string_view tensor) {
  if (const auto found = elements_.find(tensor); found != elements_.end()) return found->second;
  const Tensor* data = short_constant(tensor);
  if (data == nullptr) return std::nullopt;
  auto read = values_.ints(*data);
  if (!read) return std::nullopt;
  learn_value(tensor, *read);
  return *std::move(read);
}

std::optional<std::vector<float>> Shapes::floats(std::string_view tensor) {
  const Tensor* data = short_constant(tensor);
  if (data == nullptr) return std::nullopt;
  auto read = values_.floats(*data);
  return read ? std::optional(*std::move(read)) : std::nullopt;
}

void Shapes::look_at(const Node& node) {
  const auto inputs = model_.inputs_of(node), outputs = model_.outputs_of(node);
  const NodeShapes shapes{
      .model = model_,
      .node = node,
      .input = [&](std::size_t at) -> std::optional<ShapeDims> {
        if (at >= inputs.size()) return std::nullopt;
        const auto found = dims_.find(inputs[at]);
        if (found == dims_.end() || found->second.size() > kMaxRank) return std::nullopt;
        return found->second;
      },
      .elements = [&](std::size_t at) -> std::optional<ShapeDims> {
        return at < inputs.size() && !inputs[at].empty() ? elements(inputs[at]) : std::nullopt;
      },
      .floats = [&](std::size_t at) -> std::optional<std::vector<float>> {
        return at < inputs.size() && !inputs[at].empty() ? floats(inputs[at]) : std::nullopt;
      }};
  std::vector<std::optional<ShapeDims>> found = output_shapes(shapes);
  for (std::size_t i = 0; i < std::min(found.size(), outputs.size()); ++i) {
    if (found[i] && found[i]->size() <= kMaxRank) learn(outputs[i], *std::move(found[i]));
  }
  if (outputs.empty()) return;
  if (auto list = output_elements(shapes)) learn_value(outputs.front(), *std::move(list));
}

}  // namespace planex::onnx
