#include "drive/openvino_driver/onnx_names.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/text.h"
#include "base/try.h"

namespace planex::drive {
namespace {

// Field numbers of onnx.proto.
namespace field {
constexpr std::uint32_t kModelGraph = 7;
constexpr std::uint32_t kModelOpsetImport = 8;
constexpr std::uint32_t kModelFunctions = 25;
constexpr std::uint32_t kGraphNode = 1;
constexpr std::uint32_t kFunctionNode = 7;
constexpr std::uint32_t kFunctionOpsetImport = 9;
constexpr std::uint32_t kNodeInput = 1;
constexpr std::uint32_t kNodeOutput = 2;
constexpr std::uint32_t kNodeName = 3;
constexpr std::uint32_t kNodeOpType = 4;
constexpr std::uint32_t kNodeAttribute = 5;
constexpr std::uint32_t kNodeDomain = 7;
constexpr std::uint32_t kAttributeGraph = 6;
constexpr std::uint32_t kAttributeGraphs = 11;
constexpr std::uint32_t kOpsetDomain = 1;
constexpr std::uint32_t kOpsetVersion = 2;
}  // namespace field

enum class Wire : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

// One empty node takes two bytes in the file and some 100 in memory; real models stay far below.
constexpr std::size_t kMaxNodes = 4'000'000;

// A length-delimited part of the file, and where it starts.
struct Span {
  std::string_view bytes;
  std::uint64_t offset = 0;
};

struct Field {
  std::uint32_t number = 0;
  Wire wire = Wire::kVarint;
  std::uint64_t varint = 0;
  Span span;  // kBytes only
};

// Steps over the fields of one message.
class WireReader {
 public:
  explicit WireReader(Span span) : span_(span) {}

  // The next field, or nothing at the end.
  Result<std::optional<Field>> next() {
    if (position_ == span_.bytes.size()) return std::nullopt;
    PLANEX_ASSIGN(const std::uint64_t key, varint());
    Field result;
    result.number = static_cast<std::uint32_t>(key >> 3);
    if ((key >> 3) == 0 || (key >> 3) > 0x1FFF'FFFF) {
      return damaged("a field number out of range");
    }
    result.wire = static_cast<Wire>(key & 7);
    switch (result.wire) {
      case Wire::kVarint: {
        PLANEX_ASSIGN(result.varint, varint());
        return result;
      }
      case Wire::kFixed64:
        PLANEX_TRY(skip(8));
        return result;
      case Wire::kFixed32:
        PLANEX_TRY(skip(4));
        return result;
      case Wire::kBytes: {
        PLANEX_ASSIGN(const std::uint64_t length, varint());
        const std::size_t start = position_;
        PLANEX_TRY(skip(length));
        result.span = {span_.bytes.substr(start, static_cast<std::size_t>(length)),
                       span_.offset + start};
        return result;
      }
    }
    return damaged(base::format("wire type {}", key & 7));
  }

 private:
  Result<std::uint64_t> varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (position_ == span_.bytes.size()) return damaged("the end inside a number");
      const auto byte = static_cast<std::uint8_t>(span_.bytes[position_++]);
      value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if ((byte & 0x80) == 0) return value;
    }
    return damaged("a number of more than 10 bytes");
  }

  Result<void> skip(std::uint64_t count) {
    const std::size_t left = span_.bytes.size() - position_;
    if (count > left) {
      return damaged(base::format("a field of {} bytes where {} are left", count, left));
    }
    position_ += static_cast<std::size_t>(count);
    return {};
  }

  std::unexpected<Error> damaged(std::string what) const {
    Error error;
    error.code = ErrorCode::kBadInput;
    error.message = base::format("not an ONNX model, or a damaged one: found {}", what);
    error.byte_offset = span_.offset + position_;
    error.hint = "The file may be cut short or of another format.";
    return fail(std::move(error));
  }

  Span span_;
  std::size_t position_ = 0;
};

bool is_default_domain(std::string_view domain) { return domain.empty() || domain == "ai.onnx"; }

// How many leading inputs OpenVINO takes for granted; 0: no such operation. A scan over 24
// operations with their inputs cut found these two crash, all others are refused in words.
std::size_t required_inputs(std::string_view op_type, std::uint64_t opset) {
  if (op_type == "Conv") return 2;
  if (op_type == "Pad") return opset >= 11 ? 2 : 1;  // Until opset 10 the pads are an attribute.
  return 0;
}

// A list of nodes that is still to be read.
struct PendingNodes {
  Span span;
  std::uint32_t node_field = field::kGraphNode;
  std::uint64_t opset = 0;
  bool is_main = false;
};

class NamesReader {
 public:
  Result<OnnxNames> read(std::string_view bytes) {
    PLANEX_TRY(read_model({bytes, 0}));
    // Subgraphs are put at the end of the list instead of being read by recursion: their depth is
    // the input's choice, the stack's size is not.
    while (!pending_.empty()) {
      const PendingNodes list = pending_.back();
      pending_.pop_back();
      PLANEX_TRY(read_nodes(list));
    }
    std::ranges::sort(names_.missing_inputs, {}, &MissingInputs::byte_offset);
    return std::move(names_);
  }

 private:
  Result<void> read_model(Span model) {
    std::optional<Span> graph;
    std::vector<Span> functions;
    std::uint64_t opset = 0;
    WireReader reader(model);
    while (true) {
      PLANEX_ASSIGN(const std::optional<Field> next, reader.next());
      if (!next) break;
      if (next->wire != Wire::kBytes) continue;
      if (next->number == field::kModelGraph) graph = next->span;
      if (next->number == field::kModelFunctions) functions.push_back(next->span);
      if (next->number == field::kModelOpsetImport) PLANEX_TRY(read_opset(next->span, opset));
    }
    if (!graph) {
      Error error;
      error.code = ErrorCode::kBadInput;
      error.message = "not an ONNX model: it has no graph";
      return fail(std::move(error));
    }
    for (const Span& function : functions) {
      std::uint64_t own_opset = opset;
      WireReader fields(function);
      while (true) {
        PLANEX_ASSIGN(const std::optional<Field> next, fields.next());
        if (!next) break;
        if (next->number == field::kFunctionOpsetImport && next->wire == Wire::kBytes) {
          PLANEX_TRY(read_opset(next->span, own_opset));
        }
      }
      pending_.push_back({function, field::kFunctionNode, own_opset, false});
    }
    pending_.push_back({*graph, field::kGraphNode, opset, true});
    return {};
  }

  Result<void> read_opset(Span span, std::uint64_t& opset) {
    std::string_view domain;
    std::uint64_t version = 0;
    WireReader reader(span);
    while (true) {
      PLANEX_ASSIGN(const std::optional<Field> next, reader.next());
      if (!next) break;
      if (next->number == field::kOpsetDomain) domain = next->span.bytes;
      if (next->number == field::kOpsetVersion) version = next->varint;
    }
    if (is_default_domain(domain)) opset = version;
    return {};
  }

  Result<void> read_nodes(const PendingNodes& list) {
    WireReader reader(list.span);
    while (true) {
      PLANEX_ASSIGN(const std::optional<Field> next, reader.next());
      if (!next) return {};
      if (next->number == list.node_field && next->wire == Wire::kBytes) {
        PLANEX_TRY(read_node(next->span, list));
      }
    }
  }

  Result<void> read_node(Span span, const PendingNodes& list) {
    if (++node_count_ > kMaxNodes) {
      return fail(ErrorCode::kUnsupported,
                  base::format("the model has more than {} nodes", kMaxNodes));
    }
    OnnxNode node;
    // Inputs count up to the last one that is named: an empty name is an absent input.
    std::vector<bool> inputs;
    WireReader reader(span);
    while (true) {
      PLANEX_ASSIGN(const std::optional<Field> next, reader.next());
      if (!next) break;
      if (next->wire != Wire::kBytes) continue;
      switch (next->number) {
        case field::kNodeInput:
          inputs.push_back(!next->span.bytes.empty());
          break;
        case field::kNodeOutput:
          node.outputs.push_back(next->span.bytes);
          break;
        case field::kNodeName:
          node.name = next->span.bytes;
          break;
        case field::kNodeOpType:
          node.op_type = next->span.bytes;
          break;
        case field::kNodeDomain:
          node.domain = next->span.bytes;
          break;
        case field::kNodeAttribute:
          PLANEX_TRY(read_attribute(next->span, list.opset));
          break;
        default:
          break;
      }
    }
    check_inputs(node, inputs, span.offset, list.opset);
    if (list.is_main) names_.nodes.push_back(std::move(node));
    return {};
  }

  Result<void> read_attribute(Span span, std::uint64_t opset) {
    WireReader reader(span);
    while (true) {
      PLANEX_ASSIGN(const std::optional<Field> next, reader.next());
      if (!next) return {};
      const bool is_graph =
          next->number == field::kAttributeGraph || next->number == field::kAttributeGraphs;
      if (is_graph && next->wire == Wire::kBytes) {
        pending_.push_back({next->span, field::kGraphNode, opset, false});
      }
    }
  }

  void check_inputs(const OnnxNode& node, const std::vector<bool>& inputs, std::uint64_t offset,
                    std::uint64_t opset) {
    if (!is_default_domain(node.domain)) return;
    const std::size_t required = required_inputs(node.op_type, opset);
    std::size_t given = 0;
    while (given < inputs.size() && inputs[given]) ++given;
    if (given >= required) return;
    const std::string_view output = node.outputs.empty() ? std::string_view{} : node.outputs[0];
    names_.missing_inputs.push_back({.name = node.name.empty() ? output : node.name,
                                     .op_type = node.op_type,
                                     .required = required,
                                     .given = given,
                                     .byte_offset = offset});
  }

  OnnxNames names_;
  std::vector<PendingNodes> pending_;
  std::size_t node_count_ = 0;
};

}  // namespace

Result<OnnxNames> read_onnx_names(std::string_view bytes) {
  if (bytes.empty())
    return fail(ErrorCode::kBadInput, "the model file is empty",
                "It may not have been copied or downloaded completely.");
  return NamesReader().read(bytes);
}

Result<void> check_required_inputs(const OnnxNames& names) {
  if (names.missing_inputs.empty()) return {};
  const MissingInputs& first = names.missing_inputs.front();
  Error error;
  error.code = ErrorCode::kBadInput;
  error.message =
      base::format("the {} node {} has {}, expected at least {}", first.op_type,
                   base::quoted(first.name), base::counted(first.given, "input"), first.required);
  error.byte_offset = first.byte_offset;
  if (names.missing_inputs.size() > 1) {
    error.context =
        base::format("{} have too few inputs.", base::counted(names.missing_inputs.size(), "node"));
  }
  error.hint = "The model breaks the ONNX standard; onnx.checker.check_model names all its faults.";
  return fail(std::move(error));
}

}  // namespace planex::drive
