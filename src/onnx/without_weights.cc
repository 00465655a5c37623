#include "onnx/without_weights.h"

#include <cstdint>
#include <protozero/pbf_writer.hpp>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "onnx/fields.h"
#include "onnx/wire.h"

namespace planex::onnx {
namespace {

// Messages that can contain a tensor somewhere inside.
enum class Message : std::uint8_t {
  kModel,
  kGraph,
  kNode,
  kFunction,
  kAttribute,
  kTensor,
  kSparse
};

// The kind of a message's field, where it leads to a tensor.
struct Way {
  Message from;
  std::uint32_t number;
  Message to;
};
constexpr Way kWays[] = {
    {Message::kModel, field::model::kGraph, Message::kGraph},
    {Message::kModel, field::model::kFunctions, Message::kFunction},
    {Message::kGraph, field::graph::kNode, Message::kNode},
    {Message::kGraph, field::graph::kInitializer, Message::kTensor},
    {Message::kGraph, field::graph::kSparseInitializer, Message::kSparse},
    {Message::kFunction, field::function::kNode, Message::kNode},
    {Message::kNode, field::node::kAttribute, Message::kAttribute},
    {Message::kAttribute, field::attribute::kTensor, Message::kTensor},
    {Message::kAttribute, field::attribute::kTensors, Message::kTensor},
    {Message::kAttribute, field::attribute::kGraph, Message::kGraph},
    {Message::kAttribute, field::attribute::kGraphs, Message::kGraph},
    {Message::kAttribute, field::attribute::kSparseTensor, Message::kSparse},
    {Message::kAttribute, field::attribute::kSparseTensors, Message::kSparse},
    {Message::kSparse, field::sparse_tensor::kValues, Message::kTensor},
    {Message::kSparse, field::sparse_tensor::kIndices, Message::kTensor},
};

// A graph in an attribute of a node of a graph is three messages deeper; read() rejects graphs
// nested more deeply than this allows.
constexpr int kMaxDepth = 256;

const Message* way_of(Message from, const Field& field) {
  if (field.wire != Wire::kBytes) return nullptr;
  for (const Way& way : kWays) {
    if (way.from == from && way.number == field.number) return &way.to;
  }
  return nullptr;
}

bool is_data(const Field& next) {
  namespace f = field::tensor;
  switch (next.number) {
    case f::kFloats:
    case f::kInt32s:
    case f::kStrings:
    case f::kInt64s:
    case f::kRaw:
    case f::kDoubles:
    case f::kUint64s:
      return true;
    default:
      return false;
  }
}

void put_entry(std::string& out, std::string_view key, std::string_view value) {
  std::string entry;
  protozero::pbf_writer writer(entry);
  writer.add_string(field::entry::kKey, key);
  writer.add_string(field::entry::kValue, value);
  protozero::pbf_writer(out).add_message(field::tensor::kExternal, entry);
}

// Copies a model without the data of large tensors; all other fields as they are in the file.
class Copier {
 public:
  explicit Copier(std::string_view model) : model_(model) {}

  Result<void> copy(Message message, Span span, int depth, std::string& out) {
    if (depth > kMaxDepth) {
      return fail({.code = ErrorCode::kBadInput,
                   .message = base::format("messages are nested more than {} deep", kMaxDepth),
                   .byte_offset = span.offset});
    }
    if (message == Message::kTensor) return copy_tensor(span, out);
    WireReader reader(span);
    Field next;
    for (std::uint64_t begin = reader.offset(); reader.next(next); begin = reader.offset()) {
      const Message* inside = way_of(message, next);
      if (inside == nullptr) {
        out += written(begin, reader.offset());
        continue;
      }
      std::string inner;
      PLANEX_TRY(copy(*inside, next.span, depth + 1, inner));
      protozero::pbf_writer(out).add_message(next.number, inner);
    }
    return reader.status();
  }

 private:
  std::string_view written(std::uint64_t begin, std::uint64_t end) const {
    return model_.substr(begin, end - begin);
  }

  Result<void> copy_tensor(Span span, std::string& out) const {
    std::uint64_t data_bytes = 0;
    std::uint64_t raw_bytes = 0;
    bool has_raw = false, is_text = false;
    {
      WireReader reader(span);
      Field next;
      for (std::uint64_t begin = reader.offset(); reader.next(next); begin = reader.offset()) {
        if (!is_data(next)) continue;
        data_bytes += reader.offset() - begin;
        if (next.is_bytes(field::tensor::kRaw)) {
          has_raw = true;
          raw_bytes = next.span.bytes.size();
        }
        // Strings have no size that follows from dimensions and type.
        is_text = is_text || next.number == field::tensor::kStrings;
      }
      PLANEX_TRY(reader.status());
    }
    if (data_bytes <= kMaxKeptBytes || is_text) {
      out += span.bytes;
      return {};
    }
    WireReader reader(span);
    Field next;
    for (std::uint64_t begin = reader.offset(); reader.next(next); begin = reader.offset()) {
      if (!is_data(next)) out += written(begin, reader.offset());
    }
    put_entry(out, "location", kLeftOut);
    if (has_raw) put_entry(out, "length", base::format("{}", raw_bytes));
    protozero::pbf_writer(out).add_enum(field::tensor::kLocation, 1);
    return {};
  }

  std::string_view model_;
};

}  // namespace

Result<std::string> without_weights(std::string_view model) {
  std::string out;
  PLANEX_TRY(Copier(model).copy(Message::kModel, {model, 0}, 0, out));
  return out;
}

}  // namespace planex::onnx
