#include "render/onnx/attribute_writer.h"

#include <simdjson.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <protozero/pbf_writer.hpp>
#include <vector>

#include "base/numbers.h"
#include "base/utf8.h"
#include "onnx/fields.h"
#include "onnx/model.h"

namespace planex::render {
namespace {

using protozero::pbf_writer;
namespace field = onnx::field;

using JsonValue = simdjson::dom::element;
using onnx::AttributeType;

bool fits_float(double value) {
  return std::isfinite(value) && std::fabs(value) <= std::numeric_limits<float>::max();
}

// The value as a T, or nothing if it is of another kind.
template <typename T>
std::optional<T> get(const JsonValue& value) {
  T result{};
  if (value.get(result) != simdjson::SUCCESS) return std::nullopt;
  return result;
}

std::optional<float> get_float(const JsonValue& value) {
  const auto number = get<double>(value);
  if (!number || !fits_float(*number)) return std::nullopt;
  return static_cast<float>(*number);
}

// What `read` returns for every item, or nothing if it returns nothing for one.
template <typename T>
std::optional<std::vector<T>> all_of(const simdjson::dom::array& list,
                                     std::optional<T> (*read)(const JsonValue&)) {
  std::vector<T> items;
  for (const JsonValue item : list) {
    const std::optional<T> value = read(item);
    if (!value) return std::nullopt;
    items.push_back(*value);
  }
  return items;
}

}  // namespace

void AttributeWriter::add(std::string_view name, std::string_view value_fields,
                          AttributeType type) {
  std::string attribute;
  pbf_writer writer(attribute);
  writer.add_string(field::attribute::kName, names_.take(name, "attribute"));
  attribute += value_fields;
  writer.add_enum(field::attribute::kType, static_cast<std::int32_t>(type));
  pbf_writer(node_).add_message(field::node::kAttribute, attribute);
}

void AttributeWriter::add_text(std::string_view name, std::string_view value) {
  std::string content;
  pbf_writer(content).add_bytes(field::attribute::kString, base::valid_utf8(value));
  add(name, content, AttributeType::kString);
}

void AttributeWriter::add_texts(std::string_view name, std::span<const std::string> values) {
  std::string content;
  pbf_writer writer(content);
  for (const std::string& value : values) {
    writer.add_bytes(field::attribute::kStrings, base::valid_utf8(value));
  }
  add(name, content, AttributeType::kStrings);
}

void AttributeWriter::add_number(std::string_view name, std::string_view text) {
  if (const auto integer = base::number_in<std::int64_t>(text)) return add_cell(name, *integer);
  const auto real = base::number_in<double>(text);
  return real && fits_float(*real) ? add_cell(name, *real) : add_text(name, text);
}

bool AttributeWriter::add_value(std::string_view name, const JsonValue& value) {
  if (const auto integer = get<std::int64_t>(value)) {
    add_cell(name, *integer);
    return true;
  }
  if (const auto number = get<double>(value); number && fits_float(*number)) {
    add_cell(name, *number);
    return true;
  }
  if (const auto text = get<std::string_view>(value)) {
    add_text(name, *text);
    return true;
  }
  const auto list = get<simdjson::dom::array>(value);
  return list && add_items(name, *list);
}

bool AttributeWriter::add_items(std::string_view name, const simdjson::dom::array& list) {
  std::string content;
  pbf_writer writer(content);
  // An empty list has a type too: the most common one.
  if (const auto integers = all_of<std::int64_t>(list, get<std::int64_t>)) {
    for (const std::int64_t item : *integers) writer.add_int64(field::attribute::kInts, item);
    add(name, content, AttributeType::kInts);
  } else if (const auto numbers = all_of<float>(list, get_float)) {
    for (const float item : *numbers) writer.add_float(field::attribute::kFloats, item);
    add(name, content, AttributeType::kFloats);
  } else if (const auto texts = all_of<std::string_view>(list, get<std::string_view>)) {
    for (const std::string_view item : *texts) {
      writer.add_bytes(field::attribute::kStrings, base::valid_utf8(item));
    }
    add(name, content, AttributeType::kStrings);
  } else {
    return false;
  }
  return true;
}

void AttributeWriter::add_list(std::string_view name, std::string_view json) {
  simdjson::dom::parser parser;
  simdjson::dom::array list;
  const bool is_list = parser.parse(json.data(), json.size()).get(list) == simdjson::SUCCESS;
  if (!is_list || !add_items(name, list)) add_text(name, json);
}

void AttributeWriter::add_parameters(std::string_view json) {
  if (json.empty()) return;
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  if (parser.parse(json.data(), json.size()).get(object) != simdjson::SUCCESS) {
    return add_text("parameters", json);
  }
  bool is_whole = true;
  for (const auto [name, value] : object) is_whole = add_value(name, value) && is_whole;
  if (!is_whole) add_text("parameters", json);
}

void AttributeWriter::add_json(std::string_view name, std::string_view value,
                               model::ValueType type) {
  switch (type) {
    case model::ValueType::kNumber:
      return add_number(name, value);
    case model::ValueType::kBoolean:
      return add_cell(name, std::int64_t{value == "true"});
    case model::ValueType::kArray:
      return add_list(name, value);
    case model::ValueType::kString:
    case model::ValueType::kObject:
    case model::ValueType::kJsonNull:
    case model::ValueType::kNull:
      return add_text(name, value);
  }
}

void AttributeWriter::add_cell(std::string_view name, const model::Cell& value) {
  std::string content;
  pbf_writer writer(content);
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    writer.add_int64(field::attribute::kInt, *integer);
    add(name, content, AttributeType::kInt);
  } else if (const auto* real = std::get_if<double>(&value)) {
    if (!fits_float(*real)) return;
    writer.add_float(field::attribute::kFloat, static_cast<float>(*real));
    add(name, content, AttributeType::kFloat);
  } else if (const auto* text = std::get_if<std::string_view>(&value)) {
    add_text(name, *text);
  } else if (const auto* list = std::get_if<std::span<const std::int64_t>>(&value)) {
    for (const std::int64_t item : *list) writer.add_int64(field::attribute::kInts, item);
    add(name, content, AttributeType::kInts);
  }
}

}  // namespace planex::render
