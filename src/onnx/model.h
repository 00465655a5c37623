// An ONNX model without its data: the content of a file as flat tables whose texts point into the
// file.
//
// Format: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "onnx/data_types.h"
#include "onnx/wire.h"

namespace planex::onnx {

// Position in one of the tables of Model.
using Index = std::uint32_t;
inline constexpr Index kNoIndex = std::numeric_limits<Index>::max();

struct Range {
  Index first = 0;
  Index count = 0;
};

enum class Storage : std::uint8_t {
  kNone,     // no data at all: allowed for tensors without elements
  kRaw,      // in the file, in the layout that the elements have in memory
  kTyped,    // in the file, in a list of numbers or strings
  kExternal  // in another file
};

struct Tensor {
  std::string_view name;
  Range dims;  // Model::dims
  DataType type = DataType::kUndefined;
  Storage storage = Storage::kNone;
  std::uint64_t byte_offset = 0;  // of the tensor's message
  std::uint64_t message_bytes = 0;
  // Raw: where the data lies in this file. External: in the other one.
  std::uint64_t data_offset = 0;
  // Raw and external: as stored, where the file gives it. Strings: the characters.
  std::optional<std::uint64_t> stored_bytes;
  std::string_view location;  // external: path beside the model, as written
};

struct SparseTensor {
  Index values = kNoIndex;   // Model::tensors; its name is the name of the sparse tensor
  Index indices = kNoIndex;  // Model::tensors
  Range dims;
};

struct Dim {
  std::int64_t value = -1;     // -1: unknown, or named
  std::string_view parameter;  // "batch"; empty for numbers
};

enum class ValueRole : std::uint8_t { kInput, kOutput, kInfo };
enum class ValueKind : std::uint8_t {
  kUnknown,
  kTensor,
  kSparse,
  kSequence,
  kMap,
  kOptional,
  kOpaque
};

// The declared type of one name: an input, an output, or an intermediate value.
struct Value {
  std::string_view name;
  ValueRole role = ValueRole::kInfo;
  ValueKind kind = ValueKind::kUnknown;
  DataType type = DataType::kUndefined;  // for tensors
  bool has_shape = false;
  Range dims;                     // Model::value_dims
  std::uint64_t byte_offset = 0;  // of the value's message
};

// AttributeProto.AttributeType.
enum class AttributeType : std::uint8_t {
  kUndefined = 0,
  kFloat = 1,
  kInt = 2,
  kString = 3,
  kTensor = 4,
  kGraph = 5,
  kFloats = 6,
  kInts = 7,
  kStrings = 8,
  kTensors = 9,
  kGraphs = 10,
  kSparseTensor = 11,
  kSparseTensors = 12,
  kTypeProto = 13,
  kTypeProtos = 14,
};

// attributes.h decodes the values.
struct Attribute {
  std::string_view name;
  AttributeType type = AttributeType::kUndefined;
  std::string_view reference;  // in functions: the attribute of the call that provides the value
  Index tensor = kNoIndex;     // kTensor: Model::tensors
  std::string_view body;       // the attribute's message
};

struct Node {
  std::string_view name;  // may be empty
  std::string_view op_type;
  std::string_view domain;    // empty: ONNX's own
  std::string_view overload;  // distinguishes functions with the same name
  Range inputs, outputs;      // Model::names; an empty name is an omitted one
  Range attributes;           // Model::attributes
  Index graph = 0;
  Index function = kNoIndex;  // the local function that it calls
  std::uint64_t byte_offset = 0;
};

enum class GraphKind : std::uint8_t { kMain, kSubgraph, kFunction };

// A list of nodes: the main graph, the body of a function, or the value of a node's attribute
// (branches of If, bodies of Loop and Scan).
struct Graph {
  std::string_view name;
  GraphKind kind = GraphKind::kMain;
  Index node = kNoIndex;       // kSubgraph: the node that contains it
  std::string_view attribute;  // kSubgraph: in which attribute
  Index function = kNoIndex;   // kFunction: Model::functions
  std::uint32_t depth = 0;     // number of subgraphs around it
  std::int64_t opset = 0;      // version of ONNX's own operators; 0 where the file does not say
  Range nodes;                 // Model::nodes
  Range initializers;          // Model::tensors
  Range sparse_initializers;   // Model::sparse_tensors
  Range values;                // Model::values
  std::uint64_t byte_offset = 0;
};

struct Function {
  std::string_view name;
  std::string_view domain;
  std::string_view overload;
  Range inputs, outputs;  // Model::names
  Index graph = kNoIndex;
};

struct OpsetImport {
  std::string_view domain;  // empty: ONNX's own
  std::int64_t version = 0;
};

struct Property {
  std::string_view key;
  std::string_view value;
};

struct Model {
  std::int64_t ir_version = 0;
  std::int64_t model_version = 0;
  std::string_view producer_name;
  std::string_view producer_version;
  std::string_view domain;
  std::string_view doc;
  std::vector<OpsetImport> opsets;
  std::vector<Property> properties;
  bool has_training = false;

  // The main graph is the first; a graph comes after those around it. The nodes of a graph are
  // adjacent.
  std::vector<Graph> graphs;
  std::vector<Node> nodes;
  std::vector<Attribute> attributes;
  std::vector<Function> functions;
  std::vector<Tensor> tensors;
  std::vector<SparseTensor> sparse_tensors;
  std::vector<Value> values;
  // Pools.
  std::vector<std::string_view> names;
  std::vector<std::int64_t> dims;
  std::vector<Dim> value_dims;

  std::span<const Node> nodes_of(const Graph& graph) const { return part(nodes, graph.nodes); }
  std::span<const Value> values_of(const Graph& graph) const { return part(values, graph.values); }
  std::span<const Tensor> initializers_of(const Graph& graph) const {
    return part(tensors, graph.initializers);
  }
  std::span<const std::string_view> inputs_of(const Node& node) const {
    return part(names, node.inputs);
  }
  std::span<const std::string_view> outputs_of(const Node& node) const {
    return part(names, node.outputs);
  }
  std::span<const Attribute> attributes_of(const Node& node) const {
    return part(attributes, node.attributes);
  }
  std::span<const std::int64_t> dims_of(const Tensor& tensor) const {
    return part(dims, tensor.dims);
  }
  std::span<const Dim> dims_of(const Value& value) const { return part(value_dims, value.dims); }

 private:
  template <typename T>
  static std::span<const T> part(const std::vector<T>& all, Range range) {
    return std::span<const T>(all).subspan(range.first, range.count);
  }
};

bool is_default_domain(std::string_view domain);

// Bytes that the tensor's elements take as stored: from type and dims; for strings the characters;
// what the file says where the type is unknown. Null where neither is known, or dims overflow.
std::optional<std::int64_t> bytes_of(const Model& model, const Tensor& tensor);

// Whether raw or external data is shorter or longer than type and dims require.
bool has_wrong_size(const Model& model, const Tensor& tensor);

}  // namespace planex::onnx
