#include "clean/draft.h"

#include <algorithm>
#include <cstring>
#include <functional>

#include "onnx/attributes.h"
#include "onnx/edit_messages.h"
#include "onnx/shape_rules.h"
#include "onnx/shapes.h"
#include "onnx/small_floats.h"
#include "onnx/types.h"

namespace planex::clean {

using onnx::DataType;
using onnx::Index;
using onnx::kNoIndex;

namespace {

// Longer lists are data, not axes, sizes or perm.
constexpr std::size_t kMaxListElements = 4096;
// Before this version of the format every initializer had to be an input, and stayed constant.
constexpr std::int64_t kIrOfDefaults = 4;

Dims dims_of(std::span<const std::int64_t> dims) { return {dims.begin(), dims.end()}; }

}  // namespace

std::optional<std::int64_t> count_of(std::span<const std::int64_t> dims) {
  std::int64_t count = 1;
  for (const std::int64_t dim : dims) {
    if (dim < 0 || __builtin_mul_overflow(count, dim, &count)) return std::nullopt;
  }
  return count;
}

Draft::Draft(const onnx::Model& model, const onnx::Links& links, onnx::Values& values,
             const Draft* around)
    : model_(model), values_(values), around_(around) {
  const onnx::Shapes shapes(model, links, values, onnx::ShapeBasis::kInputs);
  const onnx::Types types(model);
  const onnx::Graph& main = model.graphs.front();
  const auto use = [&](std::string_view name) { names_.emplace(name, 2); };
  for (const std::string_view name : model.names) use(name);
  for (const onnx::Node& node : model.nodes) use(node.name);
  for (const onnx::Tensor& tensor : model.tensors) use(tensor.name);
  for (const onnx::Value& value : model.values) use(value.name);
  for (const onnx::Link& link : links.all()) {
    DraftTensor& tensor = tensors_.emplace_back();
    places_.emplace(link.name, static_cast<TensorId>(tensors_.size() - 1));
    tensor.name = link.name;
    tensor.type = types.of(link.name);
    if (const auto dims = shapes.of(link.name)) tensor.shape = dims_of(*dims);
    if (const auto list = shapes.list_of(link.name)) tensor.list = dims_of(*list);
    tensor.origin = link.initializer;
    tensor.declared = link.value;
    tensor.is_input = link.is_input;
    tensor.is_output = link.is_output;
    tensor.is_captured = link.is_captured;
    tensor.is_initializer = link.initializer != kNoIndex;
    tensor.is_overridable =
        link.initializer != kNoIndex && link.is_input && model.ir_version >= kIrOfDefaults;
    if (tensor.is_input && tensor.origin != kNoIndex && !tensor.is_overridable) {
      tensor.shape = dims_of(model.dims_of(model.tensors[tensor.origin]));
    }
  }
  for (const onnx::SparseTensor& sparse : model.sparse_tensors) {
    // Not read as a constant here, though it is one.
    const TensorId found =
        sparse.values == kNoIndex ? kNone : find(model.tensors[sparse.values].name);
    if (found != kNone) tensors_[found].is_captured = tensors_[found].is_input = true;
  }
  nodes_.resize(main.nodes.count);
  for (NodeId id = 0; id < nodes_.size(); ++id) {
    const Index index = main.nodes.first + id;
    const onnx::Node& node = model.nodes[index];
    NodeState& state = nodes_[id];
    state.origin = index;
    state.before = id == 0 ? kNone : id - 1;
    state.after = id + 1 == nodes_.size() ? kNone : id + 1;
    for (const onnx::Attribute& attribute : model.attributes_of(node)) {
      state.has_bodies |= attribute.type == onnx::AttributeType::kGraph ||
                          attribute.type == onnx::AttributeType::kGraphs;
    }
    const auto inputs = model.inputs_of(node);
    state.inputs.resize(inputs.size());
    for (std::size_t place = 0; place < inputs.size(); ++place) {
      if (inputs[place].empty()) continue;
      const TensorId tensor = find(inputs[place]);
      const DraftTensor& read = tensors_[tensor];
      is_sound_ &= read.maker != kNone || read.origin != kNoIndex || read.is_input;
      attach(id, place, tensor);
    }
    for (const std::string_view name : model.outputs_of(node)) {
      const TensorId tensor = name.empty() ? kNone : find(name);
      state.outputs.push_back(tensor);
      if (tensor == kNone) continue;
      DraftTensor& made = tensors_[tensor];
      is_sound_ &= made.maker == kNone && made.origin == kNoIndex && !made.is_input;
      made.maker = id;
      if (op(id) != "Constant") continue;
      const onnx::Attribute* value = onnx::find_attribute(model, node, "value");
      if (value != nullptr) made.origin = value->tensor;
    }
  }
  if (!nodes_.empty()) {
    first_ = 0;
    last_ = static_cast<NodeId>(nodes_.size() - 1);
  }
}

// --- Nodes

std::vector<NodeId> Draft::nodes() const {
  std::vector<NodeId> order;
  for (NodeId node = first_; node != kNone; node = nodes_[node].after) {
    if (!nodes_[node].is_removed) order.push_back(node);
  }
  return order;
}

std::string_view Draft::op(NodeId node) const {
  if (node == kNone) return {};
  const NodeState& state = nodes_[node];
  if (state.origin == kNoIndex) return state.is_opaque ? std::string_view() : state.op;
  const onnx::Node& of = model_.nodes[state.origin];
  const bool is_own = onnx::is_default_domain(of.domain) && of.function == kNoIndex;
  return is_own ? of.op_type : std::string_view();
}

bool Draft::has_bodies(NodeId node) const { return nodes_[node].has_bodies; }

std::string Draft::name_of(NodeId node) const {
  const NodeState& state = nodes_[node];
  const std::string name =
      state.origin == kNoIndex ? state.name : std::string(model_.nodes[state.origin].name);
  if (!name.empty()) return name;
  return state.outputs.empty() ? std::string() : name_in_file(state.outputs.front());
}

TensorId Draft::input(NodeId node, std::size_t place) const {
  const auto& inputs = nodes_[node].inputs;
  return place < inputs.size() ? inputs[place].tensor : kNone;
}

TensorId Draft::output(NodeId node, std::size_t place) const {
  const auto& outputs = nodes_[node].outputs;
  return place < outputs.size() ? outputs[place] : kNone;
}

const onnx::NewAttribute* Draft::added(NodeId node, std::string_view name) const {
  const auto& changed = nodes_[node].attributes;
  const auto found = changed.find(name);
  return found == changed.end() || !found->second ? nullptr : &*found->second;
}

const onnx::Attribute* Draft::original(NodeId node, std::string_view name) const {
  const NodeState& state = nodes_[node];
  if (state.origin == kNoIndex || state.attributes.contains(name)) return nullptr;
  return onnx::find_attribute(model_, model_.nodes[state.origin], name);
}

bool Draft::has_attribute(NodeId node, std::string_view name) const {
  return added(node, name) != nullptr || original(node, name) != nullptr;
}

std::int64_t Draft::int_of(NodeId node, std::string_view name, std::int64_t fallback) const {
  if (const auto* found = added(node, name)) {
    const auto* value = std::get_if<std::int64_t>(&found->value);
    return value == nullptr ? fallback : *value;
  }
  const onnx::Attribute* found = original(node, name);
  return found == nullptr ? fallback : onnx::int_of(*found).value_or(fallback);
}

float Draft::float_of(NodeId node, std::string_view name, float fallback) const {
  if (const auto* found = added(node, name)) {
    const auto* value = std::get_if<float>(&found->value);
    return value == nullptr ? fallback : *value;
  }
  const onnx::Attribute* found = original(node, name);
  return found == nullptr ? fallback : onnx::float_of(*found).value_or(fallback);
}

std::string Draft::text_of(NodeId node, std::string_view name, std::string_view fallback) const {
  if (const auto* found = added(node, name)) {
    const auto* value = std::get_if<std::string>(&found->value);
    return value == nullptr ? std::string(fallback) : *value;
  }
  const onnx::Attribute* found = original(node, name);
  return std::string(found == nullptr ? fallback : onnx::string_of(*found).value_or(fallback));
}

std::optional<Dims> Draft::ints_of(NodeId node, std::string_view name) const {
  if (const auto* found = added(node, name)) {
    const auto* value = std::get_if<Dims>(&found->value);
    return value == nullptr ? std::nullopt : std::optional(*value);
  }
  const onnx::Attribute* found = original(node, name);
  if (found == nullptr || onnx::count_of(*found) > kMaxListElements) return std::nullopt;
  return onnx::ints_of(*found, kMaxListElements);
}

std::optional<Constant> Draft::tensor_of(NodeId node, std::string_view name) const {
  const onnx::Attribute* found = original(node, name);
  if (found == nullptr || found->tensor == kNoIndex) return std::nullopt;
  const onnx::Tensor& tensor = model_.tensors[found->tensor];
  auto raw = values_.raw(tensor);
  if (!raw) return std::nullopt;
  return Constant{tensor.type, dims_of(model_.dims_of(tensor)), *std::move(raw)};
}

std::optional<Constant> Draft::load_tensor(Index index) const {
  const onnx::Tensor& tensor = model_.tensors[index];
  if (tensor.storage == onnx::Storage::kExternal) return std::nullopt;
  auto raw = values_.raw(tensor);
  if (!raw) return std::nullopt;
  return Constant{tensor.type, dims_of(model_.dims_of(tensor)), *std::move(raw)};
}

std::vector<onnx::NewAttribute> Draft::attributes_of(NodeId node) const {
  const NodeState& state = nodes_[node];
  std::map<std::string, onnx::NewAttribute> all;
  if (state.origin != kNoIndex) {
    for (const onnx::Attribute& attribute : model_.attributes_of(model_.nodes[state.origin])) {
      std::string name(attribute.name);
      all[name] = {name, onnx::CopiedAttribute{std::string(attribute.body)}};
    }
  }
  for (const auto& [name, change] : state.attributes) {
    if (change) {
      all[name] = *change;
    } else {
      all.erase(name);
    }
  }
  std::vector<onnx::NewAttribute> list;
  for (auto& [name, attribute] : all) list.push_back(std::move(attribute));
  return list;
}

std::optional<std::string> Draft::attribute_key(NodeId node) const {
  if (nodes_[node].has_bodies) return std::nullopt;
  std::string key;
  for (const onnx::NewAttribute& attribute : attributes_of(node)) {
    onnx::write_attribute(1, attribute, key);
  }
  return key;
}

// --- Tensors

TensorId Draft::find(std::string_view name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? kNone : found->second;
}

const DraftTensor& Draft::tensor(TensorId id) const {
  static const DraftTensor kNothing;
  return id == kNone ? kNothing : tensors_[id];
}

NodeId Draft::sole_reader(TensorId id) const {
  if (id == kNone) return kNone;
  const DraftTensor& of = tensors_[id];
  return of.is_pinned() || of.readers.size() != 1 ? kNone : of.readers.front().node;
}

std::optional<std::size_t> Draft::rank(TensorId id) const {
  if (id == kNone || !tensors_[id].shape) return std::nullopt;
  return tensors_[id].shape->size();
}

std::optional<Dims> Draft::static_shape(TensorId id) const {
  if (id == kNone || !tensors_[id].shape) return std::nullopt;
  const Dims& shape = *tensors_[id].shape;
  const bool is_known = std::ranges::all_of(shape, [](std::int64_t dim) { return dim >= 0; });
  return is_known ? std::optional(shape) : std::nullopt;
}

bool Draft::is_constant(TensorId id) const {
  if (id == kNone) return false;
  const DraftTensor& of = tensors_[id];
  return of.value.has_value() || (of.origin != kNoIndex && !of.is_overridable);
}

std::optional<Dims> Draft::constant_dims(TensorId id) const {
  if (!is_constant(id)) return std::nullopt;
  const DraftTensor& of = tensors_[id];
  return of.value ? of.value->dims : dims_of(model_.dims_of(model_.tensors[of.origin]));
}

std::optional<std::int64_t> Draft::constant_bytes(TensorId id) const {
  if (!is_constant(id)) return std::nullopt;
  const DraftTensor& of = tensors_[id];
  if (of.value) return static_cast<std::int64_t>(of.value->raw.size());
  return onnx::bytes_of(model_, model_.tensors[of.origin]);
}

bool Draft::is_external(TensorId id) const {
  return is_constant(id) && !tensors_[id].value &&
         model_.tensors[tensors_[id].origin].storage == onnx::Storage::kExternal;
}

std::optional<Constant> Draft::load(TensorId id, std::int64_t max_bytes) {
  const auto bytes = constant_bytes(id);
  if (!bytes || *bytes > max_bytes) return std::nullopt;
  const DraftTensor& of = tensors_[id];
  if (of.value) return of.value;
  const onnx::Tensor& tensor = model_.tensors[of.origin];
  auto raw = values_.raw(tensor);
  if (!raw) return std::nullopt;
  return Constant{tensor.type, dims_of(model_.dims_of(tensor)), *std::move(raw)};
}

std::optional<std::size_t> Draft::content_hash(TensorId id) {
  if (!is_constant(id) || is_external(id)) return std::nullopt;
  const auto found = hashes_.find(id);
  if (found != hashes_.end()) return found->second;
  const auto loaded = load(id);
  if (!loaded) return std::nullopt;
  const std::size_t hash = std::hash<std::string_view>()(loaded->raw);
  hashes_.emplace(id, hash);
  return hash;
}

std::optional<std::vector<float>> Draft::floats(TensorId id, std::int64_t max_bytes) {
  const auto loaded = load(id, max_bytes);
  if (!loaded || loaded->type != DataType::kFloat) return std::nullopt;
  std::vector<float> values(loaded->raw.size() / sizeof(float));
  if (!values.empty()) {
    std::memcpy(values.data(), loaded->raw.data(), values.size() * sizeof(float));
  }
  return values;
}

std::optional<Dims> Draft::ints(TensorId id) {
  if (id == kNone) return std::nullopt;
  const DraftTensor& of = tensors_[id];
  if (!is_constant(id)) {
    if (!of.list || contains(*of.list, onnx::kUnknownElement)) return std::nullopt;
    return of.list;
  }
  constexpr auto kMaxBytes = static_cast<std::int64_t>(kMaxListElements * sizeof(std::int64_t));
  const auto loaded = load(id, kMaxBytes);
  if (!loaded || loaded->dims.size() > 1) return std::nullopt;
  const auto read = [&]<typename T>(T) {
    Dims values;
    for (std::size_t at = 0; at + sizeof(T) <= loaded->raw.size(); at += sizeof(T)) {
      T value;
      std::memcpy(&value, loaded->raw.data() + at, sizeof(T));
      values.push_back(value);
    }
    return values;
  };
  if (loaded->type == DataType::kInt64) return read(std::int64_t{});
  if (loaded->type == DataType::kInt32) return read(std::int32_t{});
  return std::nullopt;
}

std::optional<double> Draft::scalar(TensorId id) {
  const auto loaded = load(id, sizeof(double));
  if (!loaded || count_of(loaded->dims) != 1) return std::nullopt;
  const auto as = [&]<typename T>(T value) {
    std::memcpy(&value, loaded->raw.data(), sizeof(T));
    return value;
  };
  if (loaded->type == DataType::kFloat) return static_cast<double>(as(0.0F));
  if (loaded->type == DataType::kDouble) return as(0.0);
  if (loaded->type == DataType::kFloat16) {
    return static_cast<double>(onnx::from_half(as(std::uint16_t{})));
  }
  return std::nullopt;
}

// --- Changes

std::string Draft::fresh(std::string_view wanted) {
  const std::string name(wanted);
  const bool is_free = !is_taken(name);
  const auto found = names_.emplace(name, 2).first;
  if (is_free) return name;
  // The next number is remembered, since one name can be wanted as often as there are nodes.
  for (int number = found->second;; ++number) {
    std::string numbered = name + "_" + std::to_string(number);
    if (is_taken(numbered)) continue;
    names_[name] = number + 1;
    names_.emplace(numbered, 2);
    return numbered;
  }
}

TensorId Draft::add_tensor(std::string_view name, DataType type, std::optional<Dims> shape) {
  const auto id = static_cast<TensorId>(tensors_.size());
  DraftTensor& made = tensors_.emplace_back();
  made.name = fresh(name);
  made.type = type;
  made.shape = std::move(shape);
  places_.emplace(made.name, id);
  return id;
}

TensorId Draft::add_constant(std::string_view name, Constant value) {
  const TensorId id = add_tensor(name, value.type, value.dims);
  tensors_[id].value = std::move(value);
  return id;
}

TensorId Draft::add_ints(std::string_view name, const Dims& values) {
  return add_constant(name, {.type = DataType::kInt64,
                             .dims = {static_cast<std::int64_t>(values.size())},
                             .raw = onnx::raw_of(values)});
}

void Draft::attach(NodeId node, std::size_t place, TensorId tensor) {
  auto& inputs = nodes_[node].inputs;
  if (inputs.size() <= place) inputs.resize(place + 1);
  inputs[place].tensor = tensor;
  if (tensor == kNone) return;
  auto& readers = tensors_[tensor].readers;
  inputs[place].at = static_cast<std::uint32_t>(readers.size());
  readers.push_back({node, static_cast<std::uint32_t>(place)});
}

// The last reader takes the place of the one that goes, so that a constant of many readers can lose
// them all in linear time.
void Draft::detach(NodeId node, std::size_t place) {
  Slot& slot = nodes_[node].inputs[place];
  if (slot.tensor == kNone) return;
  auto& readers = tensors_[slot.tensor].readers;
  const Use last = readers.back();
  readers[slot.at] = last;
  nodes_[last.node].inputs[last.place].at = slot.at;
  readers.pop_back();
  slot = {};
}

NodeId Draft::make(NodeDraft node, std::vector<TensorId> outputs) {
  const auto id = static_cast<NodeId>(nodes_.size());
  NodeState& state = nodes_.emplace_back();
  state.op = node.op;
  state.name = fresh(node.name);
  for (onnx::NewAttribute& attribute : node.attributes) {
    state.is_opaque |= std::holds_alternative<onnx::CopiedAttribute>(attribute.value);
    std::string name = attribute.name;
    state.attributes.emplace(std::move(name), std::move(attribute));
  }
  state.outputs = std::move(outputs);
  for (const TensorId made : state.outputs) {
    if (made != kNone) tensors_[made].maker = id;
  }
  for (std::size_t place = 0; place < node.inputs.size(); ++place) {
    attach(id, place, node.inputs[place]);
  }
  return id;
}

NodeId Draft::insert(NodeId place, NodeDraft node, std::vector<TensorId> outputs) {
  const NodeId id = make(std::move(node), std::move(outputs));
  const NodeId before = nodes_[place].before;
  nodes_[id].before = before;
  nodes_[id].after = place;
  nodes_[place].before = id;
  (before == kNone ? first_ : nodes_[before].after) = id;
  return id;
}

NodeId Draft::insert_after(NodeId place, NodeDraft node, std::vector<TensorId> outputs) {
  const NodeId id = make(std::move(node), std::move(outputs));
  const NodeId after = nodes_[place].after;
  nodes_[id].before = place;
  nodes_[id].after = after;
  nodes_[place].after = id;
  (after == kNone ? last_ : nodes_[after].before) = id;
  return id;
}

NodeId Draft::replace(NodeId node, NodeDraft by) {
  std::vector<TensorId> outputs = nodes_[node].outputs;
  for (TensorId& output : nodes_[node].outputs) output = kNone;
  std::string name = nodes_[node].origin == kNoIndex
                         ? nodes_[node].name
                         : std::string(model_.nodes[nodes_[node].origin].name);
  const NodeId made = insert(node, std::move(by), std::move(outputs));
  // It stands for the other one, so it takes its name.
  nodes_[made].name = std::move(name);
  remove(node);
  return made;
}

void Draft::remove(NodeId node) {
  NodeState& state = nodes_[node];
  if (state.is_removed) return;
  state.is_removed = true;
  for (std::size_t place = 0; place < state.inputs.size(); ++place) detach(node, place);
  for (const TensorId output : state.outputs) {
    if (output != kNone && tensors_[output].maker == node) tensors_[output].maker = kNone;
  }
}

void Draft::set_input(NodeId node, std::size_t place, TensorId tensor) {
  if (place < nodes_[node].inputs.size()) detach(node, place);
  attach(node, place, tensor);
}

void Draft::set_output(NodeId node, std::size_t place, TensorId tensor) {
  TensorId& output = nodes_[node].outputs[place];
  if (output != kNone && tensors_[output].maker == node) tensors_[output].maker = kNone;
  output = tensor;
  if (tensor != kNone) tensors_[tensor].maker = node;
}

void Draft::set_attribute(NodeId node, onnx::NewAttribute attribute) {
  std::string name = attribute.name;
  nodes_[node].attributes[std::move(name)] = std::move(attribute);
}

void Draft::remove_attribute(NodeId node, std::string_view name) {
  nodes_[node].attributes[std::string(name)] = std::nullopt;
}

void Draft::redirect(TensorId tensor, TensorId by) {
  const std::vector<Use> readers = std::exchange(tensors_[tensor].readers, {});
  for (const Use& use : readers) attach(use.node, use.place, by);
}

void Draft::become_constant(TensorId tensor, Constant value) {
  const NodeId source = tensors_[tensor].maker;
  tensors_[tensor].value = std::move(value);
  tensors_[tensor].shape = tensors_[tensor].value->dims;
  if (source == kNone) return;
  auto& outputs = nodes_[source].outputs;
  *std::ranges::find(outputs, tensor) = kNone;
  tensors_[tensor].maker = kNone;
  if (std::ranges::all_of(outputs, [](TensorId made) { return made == kNone; })) remove(source);
}

bool Draft::bypass(NodeId node, TensorId by) {
  const TensorId out = output(node);
  if (out == kNone || by == kNone) return false;
  for (std::size_t place = 1; place < nodes_[node].outputs.size(); ++place) {
    const TensorId more = output(node, place);
    if (more == kNone) continue;
    if (tensors_[more].is_pinned() || !tensors_[more].readers.empty()) return false;
  }
  if (!tensors_[out].is_pinned()) {
    redirect(out, by);
    remove(node);
    return true;
  }
  // The name has to stay: it goes to the node that makes the values.
  const NodeId source = maker(by);
  if (source == kNone || is_constant(by) || tensors_[by].is_pinned() || has_bodies(source)) {
    return false;
  }
  remove(node);
  redirect(by, out);
  const auto outputs = std::span(nodes_[source].outputs);
  const auto place = std::ranges::find(outputs, by) - outputs.begin();
  set_output(source, static_cast<std::size_t>(place), out);
  return true;
}

}  // namespace planex::clean
