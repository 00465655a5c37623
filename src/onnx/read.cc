#include "onnx/read.h"

#include <algorithm>
#include <charconv>
#include <tuple>
#include <utility>

#include "base/checked.h"
#include "base/text.h"
#include "base/try.h"
#include "onnx/fields.h"

namespace planex::onnx {
namespace {

using base::format;

// A list of nodes that is still to be read.
struct Pending {
  Span span;
  Index graph = kNoIndex;
};

Failure too_large(std::string what) {
  return fail(ErrorCode::kUnsupported, std::move(what),
              "planex reads models of up to about a million nodes.");
}

class ModelReader {
 public:
  Result<Model> read(std::string_view bytes) {
    PLANEX_TRY(read_root({bytes, 0}));
    // A graph inside a graph is appended to the list instead of being read recursively: the input
    // chooses the depth, but not the stack size.
    for (std::size_t next = 0; next < pending_.size(); ++next) {
      const Pending list = pending_[next];
      PLANEX_TRY(read_graph(list));
    }
    resolve_calls();
    return std::move(model_);
  }

 private:
  // Adds a row, within the memory limit for a file.
  template <typename T>
  Result<void> add(std::vector<T>& table, T row) {
    table_bytes_ += sizeof(T);
    if (table_bytes_ > kMaxTableBytes) {
      return too_large(format("the model's nodes, attributes and tensors need more than {} MB",
                              kMaxTableBytes >> 20));
    }
    table.push_back(std::move(row));
    return {};
  }

  template <typename T>
  static Index size_of(const std::vector<T>& table) {
    return static_cast<Index>(table.size());  // kMaxTableBytes keeps it far below 2^32
  }

  Result<void> read_root(Span root) {
    std::optional<Span> graph;
    std::vector<Span> functions;
    WireReader reader(root);
    Field next;
    while (reader.next(next)) {
      namespace f = field::model;
      if (next.is_varint(f::kIrVersion)) model_.ir_version = static_cast<std::int64_t>(next.value);
      if (next.is_varint(f::kModelVersion)) {
        model_.model_version = static_cast<std::int64_t>(next.value);
      }
      if (next.is_bytes(f::kProducerName)) model_.producer_name = next.span.bytes;
      if (next.is_bytes(f::kProducerVersion)) model_.producer_version = next.span.bytes;
      if (next.is_bytes(f::kDomain)) model_.domain = next.span.bytes;
      if (next.is_bytes(f::kDoc)) model_.doc = next.span.bytes;
      if (next.is_bytes(f::kTraining)) model_.has_training = true;
      if (next.is_bytes(f::kGraph)) graph = next.span;
      if (next.is_bytes(f::kFunctions)) PLANEX_TRY(add(functions, next.span));
      if (next.is_bytes(f::kOpsetImport)) PLANEX_TRY(read_opset(next.span, model_.opsets));
      if (next.is_bytes(f::kMetadata)) {
        Property property;
        PLANEX_TRY(read_property(next.span, property));
        PLANEX_TRY(add(model_.properties, property));
      }
    }
    PLANEX_TRY(reader.status());
    if (!graph) {
      Error error;
      error.code = ErrorCode::kBadInput;
      error.message = "not an ONNX model: it has no graph";
      error.byte_offset = root.bytes.size();
      return fail(std::move(error));
    }
    const std::int64_t opset = default_opset(model_.opsets).value_or(0);
    PLANEX_TRY(add_graph({.kind = GraphKind::kMain, .opset = opset}, *graph));
    for (const Span& function : functions) PLANEX_TRY(read_function(function, opset));
    return {};
  }

  static std::optional<std::int64_t> default_opset(const std::vector<OpsetImport>& opsets) {
    std::optional<std::int64_t> version;
    for (const OpsetImport& import : opsets) {
      if (is_default_domain(import.domain)) version = import.version;
    }
    return version;
  }

  Result<void> read_opset(Span span, std::vector<OpsetImport>& opsets) {
    OpsetImport import;
    WireReader reader(span);
    Field next;
    while (reader.next(next)) {
      if (next.is_bytes(field::opset::kDomain)) import.domain = next.span.bytes;
      if (next.is_varint(field::opset::kVersion)) {
        import.version = static_cast<std::int64_t>(next.value);
      }
    }
    PLANEX_TRY(reader.status());
    return add(opsets, import);
  }

  static Result<void> read_property(Span span, Property& property) {
    WireReader reader(span);
    Field next;
    while (reader.next(next)) {
      if (next.is_bytes(field::entry::kKey)) property.key = next.span.bytes;
      if (next.is_bytes(field::entry::kValue)) property.value = next.span.bytes;
    }
    return reader.status();
  }

  Result<void> add_graph(Graph graph, Span span) {
    if (graph.depth > kMaxSubgraphDepth) {
      Error error =
          too_large(format("subgraphs are nested more than {} deep", kMaxSubgraphDepth)).error;
      error.byte_offset = span.offset;
      return fail(std::move(error));
    }
    if (graph.kind == GraphKind::kSubgraph && ++subgraph_count_ > kMaxSubgraphs) {
      return too_large(format("the model has more than {} subgraphs", kMaxSubgraphs));
    }
    graph.byte_offset = span.offset;
    const Index index = size_of(model_.graphs);
    PLANEX_TRY(add(model_.graphs, graph));
    return add(pending_, Pending{span, index});
  }

  Result<void> read_function(Span span, std::int64_t opset) {
    Function function;
    inputs_.clear();
    outputs_.clear();
    std::vector<OpsetImport> opsets;
    WireReader reader(span);
    Field next;
    while (reader.next(next)) {
      namespace f = field::function;
      if (next.is_bytes(f::kName)) function.name = next.span.bytes;
      if (next.is_bytes(f::kDomain)) function.domain = next.span.bytes;
      if (next.is_bytes(f::kOverload)) function.overload = next.span.bytes;
      if (next.is_bytes(f::kInput)) PLANEX_TRY(take_name(next, inputs_));
      if (next.is_bytes(f::kOutput)) PLANEX_TRY(take_name(next, outputs_));
      if (next.is_bytes(f::kOpsetImport)) PLANEX_TRY(read_opset(next.span, opsets));
    }
    PLANEX_TRY(reader.status());
    PLANEX_TRY(add_names(inputs_, function.inputs));
    PLANEX_TRY(add_names(outputs_, function.outputs));
    function.graph = size_of(model_.graphs);
    PLANEX_TRY(add_graph({.name = function.name,
                          .kind = GraphKind::kFunction,
                          .function = size_of(model_.functions),
                          .opset = default_opset(opsets).value_or(opset)},
                         span));
    return add(model_.functions, function);
  }

  static Result<void> take_name(const Field& next, std::vector<std::string_view>& names) {
    constexpr std::size_t kMaxNames = kMaxTableBytes / sizeof(std::string_view);
    if (names.size() >= kMaxNames) {
      return too_large(format("a node has more than {} inputs or outputs", kMaxNames));
    }
    names.push_back(next.span.bytes);
    return {};
  }

  Result<void> add_names(const std::vector<std::string_view>& names, Range& range) {
    range = {size_of(model_.names), static_cast<Index>(names.size())};
    for (const std::string_view name : names) PLANEX_TRY(add(model_.names, name));
    return {};
  }

  // Nodes, tensors and values of one graph are adjacent in their tables, as the contents of its
  // nodes are read later.
  Result<void> read_graph(const Pending& list) {
    const bool is_function = model_.graphs[list.graph].kind == GraphKind::kFunction;
    Graph graph = model_.graphs[list.graph];
    graph.nodes.first = size_of(model_.nodes);
    graph.values.first = size_of(model_.values);
    graph.sparse_initializers.first = size_of(model_.sparse_tensors);
    std::vector<Tensor> initializers;
    WireReader reader(list.span);
    Field next;
    while (reader.next(next)) {
      if (next.wire != Wire::kBytes) continue;
      if (next.number == (is_function ? field::function::kNode : field::graph::kNode)) {
        PLANEX_TRY(read_node(next.span, list.graph));
      } else if (next.number ==
                 (is_function ? field::function::kValueInfo : field::graph::kValueInfo)) {
        PLANEX_TRY(read_value(next.span, ValueRole::kInfo));
      } else if (!is_function) {
        PLANEX_TRY(read_graph_field(next, graph, initializers));
      }
    }
    PLANEX_TRY(reader.status());
    graph.nodes.count = size_of(model_.nodes) - graph.nodes.first;
    graph.values.count = size_of(model_.values) - graph.values.first;
    graph.sparse_initializers.count =
        size_of(model_.sparse_tensors) - graph.sparse_initializers.first;
    // Tensors of the nodes' attributes are in the table already.
    graph.initializers = {size_of(model_.tensors), size_of(initializers)};
    for (const Tensor& tensor : initializers) PLANEX_TRY(add(model_.tensors, tensor));
    model_.graphs[list.graph] = graph;
    return {};
  }

  Result<void> read_graph_field(const Field& next, Graph& graph,
                                std::vector<Tensor>& initializers) {
    namespace f = field::graph;
    switch (next.number) {
      case f::kName:
        graph.name = next.span.bytes;
        return {};
      case f::kInitializer: {
        Tensor tensor;
        PLANEX_TRY(read_tensor(next.span, tensor));
        return add(initializers, tensor);
      }
      case f::kSparseInitializer:
        return read_sparse_tensor(next.span);
      case f::kInput:
        return read_value(next.span, ValueRole::kInput);
      case f::kOutput:
        return read_value(next.span, ValueRole::kOutput);
      default:
        return {};
    }
  }

  Result<void> read_node(Span span, Index graph) {
    if (model_.nodes.size() >= kMaxNodes) {
      return too_large(format("the model has more than {} nodes", kMaxNodes));
    }
    Node node{.graph = graph, .byte_offset = span.offset};
    node.attributes.first = size_of(model_.attributes);
    inputs_.clear();
    outputs_.clear();
    const Index index = size_of(model_.nodes);
    WireReader reader(span);
    Field next;
    while (reader.next(next)) {
      if (next.wire != Wire::kBytes) continue;
      namespace f = field::node;
      switch (next.number) {
        case f::kInput:
          PLANEX_TRY(take_name(next, inputs_));
          break;
        case f::kOutput:
          PLANEX_TRY(take_name(next, outputs_));
          break;
        case f::kName:
          node.name = next.span.bytes;
          break;
        case f::kOpType:
          node.op_type = next.span.bytes;
          break;
        case f::kDomain:
          node.domain = is_default_domain(next.span.bytes) ? std::string_view{} : next.span.bytes;
          break;
        case f::kOverload:
          node.overload = next.span.bytes;
          break;
        case f::kAttribute:
          PLANEX_TRY(read_attribute(next.span, index, graph));
          break;
        default:
          break;
      }
    }
    PLANEX_TRY(reader.status());
    PLANEX_TRY(add_names(inputs_, node.inputs));
    PLANEX_TRY(add_names(outputs_, node.outputs));
    node.attributes.count = size_of(model_.attributes) - node.attributes.first;
    return add(model_.nodes, node);
  }

  Result<void> read_attribute(Span span, Index node, Index graph) {
    Attribute attribute{.body = span.bytes};
    std::optional<AttributeType> written, found;
    graph_spans_.clear();
    WireReader reader(span);
    Field next;
    while (reader.next(next)) {
      namespace f = field::attribute;
      if (next.is_varint(f::kType)) {
        constexpr auto kLast = static_cast<std::uint64_t>(AttributeType::kTypeProtos);
        written = next.value <= kLast ? static_cast<AttributeType>(next.value)
                                      : AttributeType::kUndefined;
      } else if (next.is_bytes(f::kName)) {
        attribute.name = next.span.bytes;
      } else if (next.is_bytes(f::kReference)) {
        attribute.reference = next.span.bytes;
      } else if (next.is_bytes(f::kTensor)) {
        Tensor tensor;
        PLANEX_TRY(read_tensor(next.span, tensor));
        attribute.tensor = size_of(model_.tensors);
        PLANEX_TRY(add(model_.tensors, tensor));
        found = AttributeType::kTensor;
      } else if (next.is_bytes(f::kGraph) || next.is_bytes(f::kGraphs)) {
        graph_spans_.push_back(next.span);
        found = next.number == f::kGraph ? AttributeType::kGraph : AttributeType::kGraphs;
      } else if (const auto type = type_of_field(next)) {
        PLANEX_TRY(check_list(next));
        found = type;
      }
    }
    PLANEX_TRY(reader.status());
    // Files from before the field was required leave the type out.
    const bool is_told = written && *written != AttributeType::kUndefined;
    attribute.type = is_told ? *written : found.value_or(AttributeType::kUndefined);
    const Graph& around = model_.graphs[graph];
    const Graph subgraph{.kind = GraphKind::kSubgraph,
                         .node = node,
                         .attribute = attribute.name,
                         .depth = around.depth + 1,
                         .opset = around.opset};
    for (const Span& body : graph_spans_) PLANEX_TRY(add_graph(subgraph, body));
    return add(model_.attributes, attribute);
  }

  static std::optional<AttributeType> type_of_field(const Field& next) {
    namespace f = field::attribute;
    switch (next.number) {
      case f::kFloat:
        return AttributeType::kFloat;
      case f::kInt:
        return AttributeType::kInt;
      case f::kString:
        return AttributeType::kString;
      case f::kFloats:
        return AttributeType::kFloats;
      case f::kInts:
        return AttributeType::kInts;
      case f::kStrings:
        return AttributeType::kStrings;
      case f::kTensors:
        return AttributeType::kTensors;
      case f::kSparseTensor:
        return AttributeType::kSparseTensor;
      case f::kSparseTensors:
        return AttributeType::kSparseTensors;
      case f::kTypeProto:
        return AttributeType::kTypeProto;
      case f::kTypeProtos:
        return AttributeType::kTypeProtos;
      default:
        return std::nullopt;
    }
  }

  // Packed lists are decoded later, when errors can no longer be reported.
  static Result<void> check_list(const Field& next) {
    if (next.wire != Wire::kBytes) return {};
    if (next.number == field::attribute::kInts) return check_varints(next.span);
    if (next.number == field::attribute::kFloats && next.span.bytes.size() % 4 != 0) {
      Error error;
      error.code = ErrorCode::kBadInput;
      error.message =
          format("not an ONNX model, or a damaged one: found a list of floats of {} bytes",
                 next.span.bytes.size());
      error.byte_offset = next.span.offset;
      return fail(std::move(error));
    }
    return {};
  }

  static Result<void> check_varints(Span span) {
    WireReader reader(span);
    std::uint64_t value = 0;
    while (reader.next_varint(value)) {
    }
    return reader.status();
  }

  // A list of 64-bit numbers, packed or one by one: writers do both.
  Result<void> read_dims(const Field& next, Range& dims) {
    if (next.wire == Wire::kVarint) {
      ++dims.count;
      return add(model_.dims, static_cast<std::int64_t>(next.value));
    }
    if (next.wire != Wire::kBytes) return {};
    WireReader reader(next.span);
    std::uint64_t value = 0;
    while (reader.next_varint(value)) {
      ++dims.count;
      PLANEX_TRY(add(model_.dims, static_cast<std::int64_t>(value)));
    }
    return reader.status();
  }

  Result<void> read_tensor(Span span, Tensor& tensor) {
    tensor.byte_offset = span.offset;
    tensor.message_bytes = span.bytes.size();
    tensor.dims.first = size_of(model_.dims);
    std::uint64_t string_bytes = 0;
    bool is_external = false;
    std::optional<std::uint64_t> external_offset, external_length;
    WireReader reader(span);
    Field next;
    while (reader.next(next)) {
      namespace f = field::tensor;
      switch (next.number) {
        case f::kDims:
          PLANEX_TRY(read_dims(next, tensor.dims));
          break;
        case f::kType:
          if (next.wire == Wire::kVarint) {
            tensor.type = static_cast<DataType>(static_cast<std::int32_t>(next.value));
          }
          break;
        case f::kName:
          if (next.wire == Wire::kBytes) tensor.name = next.span.bytes;
          break;
        case f::kRaw:
          if (next.wire != Wire::kBytes) break;
          tensor.storage = Storage::kRaw;
          tensor.data_offset = next.span.offset;
          tensor.stored_bytes = next.span.bytes.size();
          break;
        case f::kStrings:
          if (next.wire == Wire::kBytes) string_bytes += next.span.bytes.size();
          [[fallthrough]];
        case f::kFloats:
        case f::kInt32s:
        case f::kInt64s:
        case f::kDoubles:
        case f::kUint64s:
          if (tensor.storage == Storage::kNone) tensor.storage = Storage::kTyped;
          break;
        case f::kExternal:
          if (next.wire != Wire::kBytes) break;
          PLANEX_TRY(read_external(next.span, tensor.location, external_offset, external_length));
          break;
        case f::kLocation:
          is_external = next.wire == Wire::kVarint && next.value == 1;
          break;
        default:
          break;
      }
    }
    PLANEX_TRY(reader.status());
    if (is_external) {
      tensor.storage = Storage::kExternal;
      tensor.data_offset = external_offset.value_or(0);
      tensor.stored_bytes = external_length;
    } else if (tensor.type == DataType::kString) {
      tensor.stored_bytes = string_bytes;
    }
    return {};
  }

  static Result<void> read_external(Span span, std::string_view& location,
                                    std::optional<std::uint64_t>& offset,
                                    std::optional<std::uint64_t>& length) {
    Property entry;
    PLANEX_TRY(read_property(span, entry));
    const auto number = [&]() -> std::optional<std::uint64_t> {
      std::uint64_t value = 0;
      const char* end = entry.value.data() + entry.value.size();
      const auto parsed = std::from_chars(entry.value.data(), end, value);
      if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
      return value;
    };
    if (entry.key == "location") location = entry.value;
    if (entry.key == "offset") offset = number();
    if (entry.key == "length") length = number();
    return {};
  }

  Result<void> read_sparse_tensor(Span span) {
    SparseTensor sparse;
    sparse.dims.first = size_of(model_.dims);
    std::optional<Span> values, indices;
    WireReader reader(span);
    Field next;
    while (reader.next(next)) {
      namespace f = field::sparse_tensor;
      if (next.is_bytes(f::kValues)) values = next.span;
      if (next.is_bytes(f::kIndices)) indices = next.span;
      if (next.number == f::kDims) PLANEX_TRY(read_dims(next, sparse.dims));
    }
    PLANEX_TRY(reader.status());
    const auto add_part = [&](const std::optional<Span>& part, Index& index) -> Result<void> {
      if (!part) return {};
      Tensor tensor;
      PLANEX_TRY(read_tensor(*part, tensor));
      index = size_of(model_.tensors);
      return add(model_.tensors, tensor);
    };
    PLANEX_TRY(add_part(values, sparse.values));
    PLANEX_TRY(add_part(indices, sparse.indices));
    return add(model_.sparse_tensors, sparse);
  }

  Result<void> read_value(Span span, ValueRole role) {
    Value value{.role = role, .byte_offset = span.offset};
    WireReader reader(span);
    Field next;
    while (reader.next(next)) {
      if (next.is_bytes(field::value::kName)) value.name = next.span.bytes;
      if (next.is_bytes(field::value::kType)) PLANEX_TRY(read_type(next.span, value));
    }
    PLANEX_TRY(reader.status());
    return add(model_.values, value);
  }

  // The contents of sequences, maps and optionals are not read.
  Result<void> read_type(Span span, Value& value) {
    WireReader reader(span);
    Field next;
    while (reader.next(next)) {
      if (next.wire != Wire::kBytes) continue;
      namespace f = field::type;
      switch (next.number) {
        case f::kTensor:
        case f::kSparse:
          value.kind = next.number == f::kTensor ? ValueKind::kTensor : ValueKind::kSparse;
          PLANEX_TRY(read_tensor_type(next.span, value));
          break;
        case f::kSequence:
          value.kind = ValueKind::kSequence;
          break;
        case f::kMap:
          value.kind = ValueKind::kMap;
          break;
        case f::kOptional:
          value.kind = ValueKind::kOptional;
          break;
        case f::kOpaque:
          value.kind = ValueKind::kOpaque;
          break;
        default:
          break;
      }
    }
    return reader.status();
  }

  Result<void> read_tensor_type(Span span, Value& value) {
    WireReader reader(span);
    Field next;
    while (reader.next(next)) {
      if (next.is_varint(field::tensor_type::kElement)) {
        value.type = static_cast<DataType>(static_cast<std::int32_t>(next.value));
      }
      if (next.is_bytes(field::tensor_type::kShape)) PLANEX_TRY(read_shape(next.span, value));
    }
    return reader.status();
  }

  Result<void> read_shape(Span span, Value& value) {
    value.has_shape = true;
    value.dims = {size_of(model_.value_dims), 0};
    WireReader reader(span);
    Field next;
    while (reader.next(next)) {
      if (!next.is_bytes(field::shape::kDim)) continue;
      Dim dim;
      WireReader parts(next.span);
      Field part;
      while (parts.next(part)) {
        if (part.is_varint(field::dim::kValue)) {
          const auto size = static_cast<std::int64_t>(part.value);
          dim.value = size < 0 ? -1 : size;
        }
        if (part.is_bytes(field::dim::kParameter)) dim.parameter = part.span.bytes;
      }
      PLANEX_TRY(parts.status());
      ++value.dims.count;
      PLANEX_TRY(add(model_.value_dims, dim));
    }
    return reader.status();
  }

  void resolve_calls();

  Model model_;
  std::vector<Pending> pending_;
  std::size_t table_bytes_ = 0;
  std::size_t subgraph_count_ = 0;
  // Scratch space of the node, function or attribute that is being read; reused to save
  // allocations.
  std::vector<std::string_view> inputs_, outputs_;
  std::vector<Span> graph_spans_;
};

// Sorted once and searched for each node: models have few functions, and files may have many.
void ModelReader::resolve_calls() {
  if (model_.functions.empty()) return;
  std::vector<Index> order(model_.functions.size());
  for (Index i = 0; i < order.size(); ++i) order[i] = i;
  const auto full_key = [&](Index index) {
    const Function& function = model_.functions[index];
    return std::tuple(function.name, function.domain, function.overload);
  };
  std::ranges::stable_sort(order, {}, full_key);
  for (Node& node : model_.nodes) {
    const auto wanted = std::tuple(node.op_type, node.domain, node.overload);
    const auto found = std::ranges::lower_bound(order, wanted, {}, full_key);
    if (found != order.end() && full_key(*found) == wanted) node.function = *found;
  }
}

// From type and dims alone.
std::optional<std::int64_t> element_bytes(const Model& model, const Tensor& tensor) {
  const auto bits = bits_per_element(tensor.type);
  if (!bits) return std::nullopt;
  base::CheckedInt total = *bits;
  for (const std::int64_t dim : model.dims_of(tensor)) {
    if (dim < 0) return std::nullopt;
    total *= dim;
  }
  return total.divided_up_by(8).value();
}

}  // namespace

bool is_default_domain(std::string_view domain) { return domain.empty() || domain == "ai.onnx"; }

std::optional<std::int64_t> bytes_of(const Model& model, const Tensor& tensor) {
  if (bits_per_element(tensor.type)) return element_bytes(model, tensor);
  if (!tensor.stored_bytes || !std::in_range<std::int64_t>(*tensor.stored_bytes)) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(*tensor.stored_bytes);
}

bool has_wrong_size(const Model& model, const Tensor& tensor) {
  if (!tensor.stored_bytes) return false;
  const auto expected = element_bytes(model, tensor);
  return expected && !std::cmp_equal(*expected, *tensor.stored_bytes);
}

Result<Model> read_model(std::string_view bytes) {
  if (bytes.empty()) {
    Error error;
    error.code = ErrorCode::kBadInput;
    error.message = "the model file is empty";
    error.byte_offset = 0;
    error.hint = "It may not have been copied or downloaded completely.";
    return fail(std::move(error));
  }
  return ModelReader().read(bytes);
}

}  // namespace planex::onnx
