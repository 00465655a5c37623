#include "onnx/edit_messages.h"

#include <protozero/pbf_writer.hpp>

#include "base/text.h"
#include "base/try.h"
#include "onnx/copied_message.h"
#include "onnx/fields.h"

namespace planex::onnx {
namespace {

using protozero::pbf_writer;

std::string message_of(const NewTensor& tensor) {
  namespace f = field::tensor;
  std::string text;
  text.reserve(tensor.raw.size() + 64);
  pbf_writer writer(text);
  writer.add_packed_int64(f::kDims, tensor.dims.begin(), tensor.dims.end());
  writer.add_enum(f::kType, static_cast<std::int32_t>(tensor.type));
  writer.add_string(f::kName, tensor.name);
  writer.add_bytes(f::kRaw, tensor.raw);
  return text;
}

// Writes a value with its type.
struct ValueWriter {
  pbf_writer& writer;
  std::string& text;

  void type(AttributeType value) const {
    writer.add_enum(field::attribute::kType, static_cast<std::int32_t>(value));
  }
  void operator()(const CopiedAttribute&) const {}  // written as a whole
  void operator()(std::int64_t value) const {
    writer.add_int64(field::attribute::kInt, value);
    type(AttributeType::kInt);
  }
  void operator()(float value) const {
    writer.add_float(field::attribute::kFloat, value);
    type(AttributeType::kFloat);
  }
  void operator()(const std::string& value) const {
    writer.add_bytes(field::attribute::kString, value);
    type(AttributeType::kString);
  }
  void operator()(const std::vector<std::int64_t>& values) const {
    for (const std::int64_t value : values) writer.add_int64(field::attribute::kInts, value);
    type(AttributeType::kInts);
  }
  void operator()(const NewTensor& tensor) const {
    write_tensor(field::attribute::kTensor, tensor, text);
    type(AttributeType::kTensor);
  }
};

std::string tensor_type(DataType type) {
  std::string text;
  pbf_writer(text).add_enum(field::tensor_type::kElement, static_cast<std::int32_t>(type));
  return text;
}

Result<std::string> changed_tensor_type(std::string_view message, DataType type) {
  PLANEX_ASSIGN(std::string rest,
                copied(message, [&](const Field& next, std::string&) -> Result<bool> {
                  return next.is_varint(field::tensor_type::kElement);
                }));
  return tensor_type(type) + rest;
}

Result<std::string> changed_type(std::string_view message, DataType type) {
  bool is_tensor = false;
  PLANEX_ASSIGN(
      std::string text, copied(message, [&](const Field& next, std::string& out) -> Result<bool> {
        if (!next.is_bytes(field::type::kTensor) && !next.is_bytes(field::type::kSparse)) {
          return false;
        }
        PLANEX_ASSIGN(const std::string inner, changed_tensor_type(next.span.bytes, type));
        pbf_writer(out).add_message(next.number, inner);
        is_tensor = true;
        return true;
      }));
  if (!is_tensor) {
    return fail(ErrorCode::kUnsupported,
                "a value that is not a tensor (a sequence, a map) can't get another element type");
  }
  return text;
}

}  // namespace

void write_tensor(std::uint32_t number, const NewTensor& tensor, std::string& out) {
  pbf_writer(out).add_message(number, message_of(tensor));
}

void write_attribute(std::uint32_t number, const NewAttribute& attribute, std::string& out) {
  if (const auto* copied = std::get_if<CopiedAttribute>(&attribute.value)) {
    pbf_writer(out).add_message(number, copied->message);
    return;
  }
  std::string text;
  pbf_writer writer(text);
  writer.add_string(field::attribute::kName, attribute.name);
  std::visit(ValueWriter{writer, text}, attribute.value);
  pbf_writer(out).add_message(number, text);
}

void write_node(std::uint32_t number, const NewNode& node, std::string& out) {
  namespace f = field::node;
  std::string text;
  pbf_writer writer(text);
  for (const std::string& input : node.inputs) writer.add_string(f::kInput, input);
  for (const std::string& output : node.outputs) writer.add_string(f::kOutput, output);
  if (!node.name.empty()) writer.add_string(f::kName, node.name);
  writer.add_string(f::kOpType, node.op_type);
  for (const NewAttribute& attribute : node.attributes) {
    write_attribute(f::kAttribute, attribute, text);
  }
  if (!node.domain.empty()) writer.add_string(f::kDomain, node.domain);
  pbf_writer(out).add_message(number, text);
}

void write_value(std::uint32_t number, const NewValue& value, std::string& out) {
  std::string shape;
  for (const std::int64_t size : value.dims.value_or(std::vector<std::int64_t>())) {
    std::string dim;
    if (size >= 0) pbf_writer(dim).add_int64(field::dim::kValue, size);
    pbf_writer(shape).add_message(field::shape::kDim, dim);
  }
  std::string tensor = tensor_type(value.type);
  if (value.dims) pbf_writer(tensor).add_message(field::tensor_type::kShape, shape);
  std::string type;
  pbf_writer(type).add_message(field::type::kTensor, tensor);
  std::string text;
  pbf_writer writer(text);
  writer.add_string(field::value::kName, value.name);
  if (value.type != DataType::kUndefined) writer.add_message(field::value::kType, type);
  pbf_writer(out).add_message(number, text);
}

void write_property(std::uint32_t number, std::string_view key, std::string_view value,
                    std::string& out) {
  std::string text;
  pbf_writer writer(text);
  writer.add_string(field::entry::kKey, key);
  writer.add_string(field::entry::kValue, value);
  pbf_writer(out).add_message(number, text);
}

Result<std::string> changed_value(std::string_view message, const Edit::ValueChange& change) {
  bool has_type = false;
  const auto at_field = [&](const Field& next, std::string& out) -> Result<bool> {
    if (next.is_bytes(field::value::kName) && change.name) {
      pbf_writer(out).add_string(field::value::kName, *change.name);
      return true;
    }
    if (!next.is_bytes(field::value::kType) || !change.type) return false;
    PLANEX_ASSIGN(const std::string type, changed_type(next.span.bytes, *change.type));
    pbf_writer(out).add_message(field::value::kType, type);
    has_type = true;
    return true;
  };
  PLANEX_ASSIGN(std::string text, copied(message, at_field));
  if (change.type && !has_type) {
    std::string type;
    pbf_writer(type).add_message(field::type::kTensor, tensor_type(*change.type));
    pbf_writer(text).add_message(field::value::kType, type);
  }
  return text;
}

Result<std::string> changed_opset(std::string_view message, std::int64_t version) {
  PLANEX_ASSIGN(std::string text,
                copied(message, [](const Field& next, std::string&) -> Result<bool> {
                  return next.is_varint(field::opset::kVersion);
                }));
  pbf_writer(text).add_int64(field::opset::kVersion, version);
  return text;
}

}  // namespace planex::onnx
