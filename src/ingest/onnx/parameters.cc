#include "ingest/onnx/parameters.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cmath>

#include "base/text.h"
#include "base/utf8.h"
#include "onnx/attributes.h"

namespace planex::ingest::onnx {
namespace {

using planex::onnx::Attribute;
using planex::onnx::AttributeType;
using Writer = rapidjson::Writer<rapidjson::StringBuffer>;

void write_text(Writer& json, std::string_view text) {
  const std::string valid = base::valid_utf8(text);
  json.String(valid.data(), static_cast<rapidjson::SizeType>(valid.size()));
}

void write_key(Writer& json, std::string_view text) {
  const std::string valid = base::valid_utf8(text.substr(0, kMaxParameterBytes));
  json.Key(valid.data(), static_cast<rapidjson::SizeType>(valid.size()));
}

void write_float(Writer& json, float value) {
  if (!std::isfinite(value)) {
    // JSON has no NaN or infinity.
    write_text(json, std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
    return;
  }
  // The shortest digits that identify this float: 1e-05, not 9.999999747378752e-06.
  const std::string digits = base::format("{}", value);
  json.RawValue(digits.data(), digits.size(), rapidjson::kNumberType);
}

void write_string(Writer& json, std::string_view text) {
  if (text.size() <= kMaxParameterBytes) return write_text(json, text);
  json.StartObject();
  json.Key("bytes");
  json.Uint64(text.size());
  json.EndObject();
}

template <typename Values, typename Write>
void write_list(Writer& json, const Attribute& attribute, const Values& values, Write write) {
  if (values.size() > kMaxParameterValues) {
    json.StartObject();
    json.Key("count");
    json.Uint64(planex::onnx::count_of(attribute));
    json.EndObject();
    return;
  }
  json.StartArray();
  for (const auto& value : values) write(value);
  json.EndArray();
}

bool is_parameter(const Attribute& attribute) {
  switch (attribute.type) {
    case AttributeType::kFloat:
    case AttributeType::kInt:
    case AttributeType::kString:
    case AttributeType::kFloats:
    case AttributeType::kInts:
    case AttributeType::kStrings:
      return true;
    default:
      return false;
  }
}

void write_value(Writer& json, const Attribute& attribute) {
  // One more than is shown indicates that there are more.
  constexpr std::size_t kLimit = kMaxParameterValues + 1;
  if (!attribute.reference.empty()) {
    json.StartObject();
    json.Key("attribute");
    write_string(json, attribute.reference);
    json.EndObject();
    return;
  }
  switch (attribute.type) {
    case AttributeType::kFloat:
      return write_float(json, float_of(attribute).value_or(0));
    case AttributeType::kInt:
      json.Int64(int_of(attribute).value_or(0));
      return;
    case AttributeType::kString:
      return write_string(json, string_of(attribute).value_or(""));
    case AttributeType::kFloats:
      return write_list(json, attribute, floats_of(attribute, kLimit),
                        [&](float value) { write_float(json, value); });
    case AttributeType::kInts:
      return write_list(json, attribute, ints_of(attribute, kLimit),
                        [&](std::int64_t value) { json.Int64(value); });
    case AttributeType::kStrings:
      return write_list(json, attribute, strings_of(attribute, kLimit),
                        [&](std::string_view value) { write_string(json, value); });
    default:
      json.Null();
      return;
  }
}

}  // namespace

std::string parameters_json(const planex::onnx::Model& model, const planex::onnx::Node& node) {
  rapidjson::StringBuffer buffer;
  Writer json(buffer);
  bool is_empty = true;
  json.StartObject();
  for (const Attribute& attribute : model.attributes_of(node)) {
    if (!is_parameter(attribute)) continue;
    is_empty = false;
    write_key(json, attribute.name);
    write_value(json, attribute);
  }
  json.EndObject();
  return is_empty ? std::string() : std::string(buffer.GetString(), buffer.GetSize());
}

}  // namespace planex::ingest::onnx
