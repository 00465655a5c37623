// Attributes of an ONNX node.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/plan_model.h"
#include "onnx/model.h"
#include "render/onnx/value_names.h"

namespace simdjson::dom {
class array;
class element;
}  // namespace simdjson::dom

namespace planex::render {

// Appends attributes to the message of one node (NodeProto), each under its own name.
class AttributeWriter {
 public:
  explicit AttributeWriter(std::string& node) : node_(node) {}

  // As written in a file: numbers, and lists of numbers or texts, keep their type; everything
  // without an ONNX type is text, as JSON. Numbers that are not integers become 32-bit floats, the
  // only ones ONNX has.
  void add_json(std::string_view name, std::string_view value, model::ValueType type);
  // A cell of a table; nothing if it is null.
  void add_cell(std::string_view name, const model::Cell& value);
  // Each member of a JSON object, or the whole as text if ONNX has no types for it.
  void add_parameters(std::string_view json);
  void add_texts(std::string_view name, std::span<const std::string> values);

 private:
  void add(std::string_view name, std::string_view value_fields, onnx::AttributeType type);
  void add_text(std::string_view name, std::string_view value);
  void add_number(std::string_view name, std::string_view text);
  void add_list(std::string_view name, std::string_view json);
  // False if ONNX has no type for the value.
  bool add_value(std::string_view name, const simdjson::dom::element& value);
  bool add_items(std::string_view name, const simdjson::dom::array& list);

  std::string& node_;
  UniqueNames names_;
};

}  // namespace planex::render
