// A model's main graph while it is simplified: nodes and tensors that can be added, removed and
// connected differently, over the file that they come from.
//
// A tensor keeps its meaning for as long as it exists: whoever wants other values makes another
// tensor. So shapes and types stay true while the graph around them changes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "onnx/data_types.h"
#include "onnx/edit.h"
#include "onnx/links.h"
#include "onnx/model.h"
#include "onnx/values.h"

namespace planex::clean {

// Places in the tables of a Draft.
using TensorId = std::uint32_t;
using NodeId = std::uint32_t;
inline constexpr std::uint32_t kNone = 0xFFFF'FFFF;

using Dims = std::vector<std::int64_t>;

// Values in the layout of TensorProto.raw_data.
struct Constant {
  onnx::DataType type = onnx::DataType::kFloat;
  Dims dims;
  std::string raw;
};

inline std::size_t size_of(std::int64_t count) { return static_cast<std::size_t>(count); }

template <typename Range, typename Value>
bool contains(const Range& range, const Value& value) {
  return std::ranges::find(range, value) != std::ranges::end(range);
}

// Null: negative, or too many.
std::optional<std::int64_t> count_of(std::span<const std::int64_t> dims);

struct Use {
  NodeId node = kNone;
  std::uint32_t place = 0;  // among the node's inputs
};

struct DraftTensor {
  std::string name;
  NodeId maker = kNone;
  std::vector<Use> readers;
  onnx::DataType type = onnx::DataType::kUndefined;  // kUndefined: unknown, or no tensor
  // -1: open. Null: even their number is unknown.
  std::optional<Dims> shape;
  // Elements of a short list of integers, or one integer (onnx::Shapes::list_of).
  std::optional<Dims> list;
  onnx::Index origin = onnx::kNoIndex;    // Model::tensors: the initializer, or a Constant's value
  std::optional<Constant> value;          // of a constant that was added
  onnx::Index declared = onnx::kNoIndex;  // Model::values: an input of the graph
  bool is_input = false;
  bool is_output = false;
  bool is_captured = false;  // a subgraph reads it
  bool is_initializer = false;
  bool is_dropped = false;      // nothing read the initializer
  bool is_overridable = false;  // an initializer that is only a default

  // Its name has to stay.
  bool is_pinned() const { return is_output || is_captured; }
};

// A node to be added. `op` lives as long as the draft. With an attribute that is copied as a
// message it is not recognized before the model is read again: op() is empty.
struct NodeDraft {
  std::string_view op;
  std::string name;
  std::vector<TensorId> inputs;  // kNone: left out
  std::vector<onnx::NewAttribute> attributes;
};

class Draft {
 public:
  // All must outlive it. `around`: of the graph that the model is a body of, or null; names in it
  // are taken. Cost: O(nodes and their inputs).
  Draft(const onnx::Model& model, const onnx::Links& links, onnx::Values& values,
        const Draft* around = nullptr);

  // Every name is written once, and before it is read. A damaged file can be otherwise; then
  // nothing else here may be called.
  bool is_sound() const { return is_sound_; }
  const onnx::Model& model() const { return model_; }
  std::int64_t opset() const { return model_.graphs.front().opset; }

  // --- Nodes

  // Those that are left, in an order in which each comes after what it reads.
  std::vector<NodeId> nodes() const;
  bool is_live(NodeId node) const { return node != kNone && !nodes_[node].is_removed; }
  // The type of an operator in ONNX's own domain; empty for others, and for calls of functions.
  std::string_view op(NodeId node) const;
  bool is_op(NodeId node, std::string_view op_type) const {
    return is_live(node) && op(node) == op_type;
  }
  // It contains graphs (If, Loop, Scan).
  bool has_bodies(NodeId node) const;
  // Its name; without one, that of its first output.
  std::string name_of(NodeId node) const;
  std::size_t input_count(NodeId node) const { return nodes_[node].inputs.size(); }
  TensorId input(NodeId node, std::size_t place) const;  // kNone: left out
  std::span<const TensorId> outputs(NodeId node) const { return nodes_[node].outputs; }
  TensorId output(NodeId node, std::size_t place = 0) const;
  // Of Model::nodes; kNoIndex for a node that was added.
  onnx::Index origin(NodeId node) const { return nodes_[node].origin; }

  bool has_attribute(NodeId node, std::string_view name) const;
  std::int64_t int_of(NodeId node, std::string_view name, std::int64_t fallback) const;
  float float_of(NodeId node, std::string_view name, float fallback) const;
  std::string text_of(NodeId node, std::string_view name, std::string_view fallback) const;
  // Null: it does not have the attribute.
  std::optional<Dims> ints_of(NodeId node, std::string_view name) const;
  std::optional<Constant> tensor_of(NodeId node, std::string_view name) const;
  // Of Model::tensors; null where it can't be read, or is in another file.
  std::optional<Constant> load_tensor(onnx::Index tensor) const;
  // All of them as text that is equal for equal attributes; null for those with graphs.
  std::optional<std::string> attribute_key(NodeId node) const;
  std::vector<onnx::NewAttribute> attributes_of(NodeId node) const;

  // --- Tensors

  // Of kNone: one of which nothing is known, since a damaged model leaves out what it must have.
  const DraftTensor& tensor(TensorId id) const;
  std::size_t tensor_count() const { return tensors_.size(); }
  TensorId find(std::string_view name) const;
  NodeId maker(TensorId id) const { return id == kNone ? kNone : tensors_[id].maker; }
  // The one node that reads it; kNone where there are several readings, or it is pinned.
  NodeId sole_reader(TensorId id) const;
  bool is_type(TensorId id, onnx::DataType type) const {
    return id != kNone && tensors_[id].type == type;
  }
  // Null where it is not known.
  std::optional<std::size_t> rank(TensorId id) const;
  // The shape, where all of it is known.
  std::optional<Dims> static_shape(TensorId id) const;

  bool is_constant(TensorId id) const;
  std::optional<Dims> constant_dims(TensorId id) const;
  std::optional<std::int64_t> constant_bytes(TensorId id) const;
  // Its data are in another file.
  bool is_external(TensorId id) const;
  // Null where it is not constant, can't be read, or is larger than that.
  std::optional<Constant> load(TensorId id, std::int64_t max_bytes = INT64_MAX);
  // Of a float32 constant.
  std::optional<std::vector<float>> floats(TensorId id, std::int64_t max_bytes = INT64_MAX);
  // A list of integers, or one integer: constant, or known from shapes.
  std::optional<Dims> ints(TensorId id);
  // The one element of a constant of float32, float16 or double.
  std::optional<double> scalar(TensorId id);

  // --- Changes

  TensorId add_tensor(std::string_view name, onnx::DataType type, std::optional<Dims> shape);
  TensorId add_constant(std::string_view name, Constant value);
  TensorId add_ints(std::string_view name, const Dims& values);
  // Before `place`, which may be any node of the graph; its outputs are new tensors, or those that
  // are given, which then have no other maker.
  NodeId insert(NodeId place, NodeDraft node, std::vector<TensorId> outputs);
  NodeId insert_after(NodeId place, NodeDraft node, std::vector<TensorId> outputs);
  // A new node in place of another one makes its outputs, and has its name.
  NodeId replace(NodeId node, NodeDraft by);
  void remove(NodeId node);
  void set_input(NodeId node, std::size_t place, TensorId tensor);
  void set_output(NodeId node, std::size_t place, TensorId tensor);
  void set_attribute(NodeId node, onnx::NewAttribute attribute);
  void remove_attribute(NodeId node, std::string_view name);
  // All readers of `tensor` read `by` instead. Its maker stays.
  void redirect(TensorId tensor, TensorId by);
  // Removes a node whose first output is the same as `by`, and which has no other one that is
  // read. False where that would change the name of an output of the graph.
  bool bypass(NodeId node, TensorId by);
  // The tensor, which a node makes, is this constant: the node goes when it has no other output.
  void become_constant(TensorId tensor, Constant value);
  void drop_initializer(TensorId tensor) { tensors_[tensor].is_dropped = true; }
  // A number that is equal for equal contents; null where they can't be read, or are in another
  // file. Computed once.
  std::optional<std::size_t> content_hash(TensorId tensor);
  // A name that nothing in the file, or around it, has: that one, or with a number.
  std::string fresh(std::string_view wanted);

  // What turns the file into this draft.
  void write(onnx::Edit& edit) const;

 private:
  struct Slot {
    TensorId tensor = kNone;
    std::uint32_t at = 0;  // in readers of the tensor
  };
  struct NodeState {
    onnx::Index origin = onnx::kNoIndex;
    std::string_view op;  // of nodes that were added
    std::string name;
    std::vector<Slot> inputs;
    std::vector<TensorId> outputs;
    std::map<std::string, std::optional<onnx::NewAttribute>, std::less<>> attributes;  // changed
    NodeId before = kNone, after = kNone;  // in the list of all, also of those removed
    bool is_removed = false;
    bool has_bodies = false;
    bool is_opaque = false;  // of its attributes only the messages are known
  };

  bool is_taken(const std::string& name) const {
    return names_.contains(name) || (around_ != nullptr && around_->is_taken(name));
  }
  void attach(NodeId node, std::size_t place, TensorId tensor);
  void detach(NodeId node, std::size_t place);
  const onnx::NewAttribute* added(NodeId node, std::string_view name) const;
  const onnx::Attribute* original(NodeId node, std::string_view name) const;
  NodeId make(NodeDraft node, std::vector<TensorId> outputs);
  std::string name_in_file(TensorId tensor) const {
    return tensor == kNone ? std::string() : tensors_[tensor].name;
  }
  void write_node(NodeId node, onnx::Edit& edit) const;
  void write_constants(onnx::Edit& edit) const;

  const onnx::Model& model_;
  onnx::Values& values_;
  const Draft* around_ = nullptr;
  std::vector<NodeState> nodes_;
  std::vector<DraftTensor> tensors_;
  std::map<std::string, TensorId, std::less<>> places_;
  std::map<TensorId, std::size_t> hashes_;
  std::unordered_map<std::string, int> names_;  // with the next number to try
  NodeId first_ = kNone, last_ = kNone;
  bool is_sound_ = true;
};

}  // namespace planex::clean
