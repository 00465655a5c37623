// Changes to a model, written in the file's own bytes: what no change touches stays as it is,
// whether planex knows it or not, including weights and external data.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "onnx/data_types.h"
#include "onnx/model.h"
#include "planex/error.h"

namespace planex::onnx {

struct NewTensor {
  std::string name;
  DataType type = DataType::kFloat;
  std::vector<std::int64_t> dims;
  std::string raw;  // as TensorProto.raw_data
};

// Values as NewTensor::raw.
template <typename T>
std::string raw_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// Another attribute's message as it is (Attribute::body), whatever its type; it has its own name.
struct CopiedAttribute {
  std::string message;
};

struct NewAttribute {
  std::string name;
  std::variant<std::int64_t, float, std::string, std::vector<std::int64_t>, NewTensor,
               CopiedAttribute>
      value;
};

struct NewNode {
  std::string op_type;
  std::string domain;  // empty: ONNX's own
  std::string name;
  std::vector<std::string> inputs, outputs;
  std::vector<NewAttribute> attributes;
};

// An input or output of the graph.
struct NewValue {
  std::string name;
  DataType type = DataType::kFloat;  // kUndefined: it is not declared
  // Negative: open. Null: not even their number is declared.
  std::optional<std::vector<std::int64_t>> dims;
};

// Collects changes; nothing is checked before write_edited().
class Edit {
 public:
  // Nodes are those of Model::nodes, including subgraphs and functions. Inserts in front of a node,
  // in its graph, in the order of the calls; kNoIndex: after all nodes of the main graph. Inputs
  // must be made before that place.
  void insert_node(Index before, NewNode node);
  void remove_node(Index node);
  // Positions that the node does not have yet are added; those in between are left out (empty
  // names).
  void set_input(Index node, std::uint32_t position, std::string name);
  void set_output(Index node, std::uint32_t position, std::string name);
  // Replaces the attribute of that name, or adds one.
  void set_attribute(Index node, NewAttribute attribute);
  void remove_attribute(Index node, std::string name);
  // To the main graph; subgraphs see it, too.
  void add_initializer(NewTensor tensor);
  // Model::tensors, of the main graph.
  void remove_initializer(Index tensor);
  // Changes an input, output or value: Model::values. Its shape stays.
  void set_value_type(Index value, DataType type);
  void set_value_name(Index value, std::string name);
  // To the main graph, after the existing ones.
  void add_input(NewValue value);
  void add_output(NewValue value);
  // Model::values, of the main graph. ir_version is raised to where initializers need not be
  // inputs.
  void remove_value(Index value);
  // Drops declared types that no longer hold for a name.
  void remove_value_info(std::string_view name);
  // For ONNX's own operators, in the main model, not in its functions. ir_version is raised where
  // the version needs it.
  void set_opset(std::int64_t version);
  // metadata_props of the model: the key's value is replaced, or added.
  void set_property(std::string key, std::string value);

  bool is_empty() const;

  struct NodeChange {
    bool is_removed = false;
    std::map<std::uint32_t, std::string> inputs, outputs;
    std::map<std::string, std::optional<NewAttribute>> attributes;  // null: removed
  };
  struct ValueChange {
    std::optional<DataType> type;
    std::optional<std::string> name;
  };

 private:
  friend class EditWriter;
  friend class FreshNames;
  std::map<Index, std::vector<NewNode>> inserted_;
  std::map<Index, NodeChange> nodes_;
  std::vector<NewTensor> initializers_;
  std::vector<Index> removed_initializers_;
  std::map<Index, ValueChange> values_;
  std::vector<NewValue> inputs_, outputs_;
  std::vector<Index> removed_values_;
  std::vector<std::string> removed_value_infos_;
  std::optional<std::int64_t> opset_;
  std::map<std::string, std::string, std::less<>> properties_;
};

// Writes the changed file to `sink`. `model` is read_model(file). Errors: kBadInput (damaged),
// kUnsupported (above the 2 GB of a protobuf message; an element type for a sequence or map),
// kInternal (an index that the model does not have), those of `sink`. Cost: O(nodes, attributes and
// changes) steps, O(changes) memory, one pass over the file.
Result<void> write_edited(std::string_view file, const Model& model, const Edit& edit,
                          const std::function<Result<void>(std::string_view piece)>& sink);

// The same, in memory.
Result<std::string> edited(std::string_view file, const Model& model, const Edit& edit);

// Names that no node, tensor or value of the model or of the additions so far has: "NAME", else
// "NAME_2", ...
class FreshNames {
 public:
  FreshNames(const Model& model, const Edit& edit);
  std::string take(std::string_view wanted);

 private:
  std::map<std::string, int, std::less<>> used_;
};

}  // namespace planex::onnx
