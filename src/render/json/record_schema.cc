#include "render/json/record_schema.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "render/json/json_writer.h"

namespace planex::render {
namespace {

using record::Field;
using record::Kind;
using record::Record;
using record::Type;

std::string_view json_type(Kind kind) {
  switch (kind) {
    case Kind::kBool:
      return "boolean";
    case Kind::kInteger:
      return "integer";
    case Kind::kReal:
      return "number";
    default:
      return "string";
  }
}

class Schema {
 public:
  std::string of(const record::DocumentInfo& document) {
    json_.begin_object()
        .member("$schema", "https://json-schema.org/draft/2020-12/schema")
        .member("$id", document.id)
        .member("title", document.title);
    json_.member("description", document.record->description).member("type", "object");
    members(*document.record, document.id);
    json_.key("$defs").begin_object();
    // Each record adds the ones inside it.
    for (std::size_t i = 0; i < records_.size(); ++i) {
      json_.key(records_[i]->name).begin_object();
      json_.member("description", records_[i]->description).member("type", "object");
      members(*records_[i], {});
      json_.end_object();
    }
    json_.end_object().end_object();
    return json_.take() + "\n";
  }

 private:
  void members(const Record& record, std::string_view id) {
    json_.key("required").begin_array();
    if (!id.empty()) json_.value("schema");
    for (const Field& field : record.fields) {
      if (!field.may_be_missing()) json_.value(field.name);
    }
    json_.end_array().key("properties").begin_object();
    if (!id.empty()) json_.key("schema").begin_object().member("const", id).end_object();
    for (const Field& field : record.fields) {
      json_.key(field.name).begin_object();
      annotations(field);
      type(field.type, !field.is_left_out);
      json_.end_object();
    }
    json_.end_object();
  }

  void annotations(const Field& field) {
    if (!field.description.empty()) json_.member("description", field.description);
    if (!field.unit.empty()) json_.member("unit", field.unit);
  }

  // What makes a value of the type valid; null if it may be.
  void type(const Type& type, bool may_be_null = true) {
    const bool nullable = type.nullable && may_be_null;
    switch (type.kind) {
      case Kind::kRecord:
        return record(type, nullable);
      case Kind::kScalar:
        json_.key("type").begin_array().value("number").value("string").value("null").end_array();
        return;
      case Kind::kList:
        name_type("array", nullable);
        json_.key("items").begin_object();
        this->type(*type.item);
        json_.end_object();
        return;
      case Kind::kMap:
        name_type("object", nullable);
        json_.key("additionalProperties").begin_object();
        this->type(*type.item);
        json_.end_object();
        return;
      case Kind::kColumns:
        return columns(*type.record);
      case Kind::kTable:
        return table(*type.record);
      case Kind::kPacked:
        return;
      default:
        break;
    }
    if (!type.words.empty()) {
      json_.key("enum").begin_array();
      for (const std::string& word : type.words) json_.value(word);
      if (nullable) json_.null();
      json_.end_array();
    } else {
      name_type(json_type(type.kind), nullable);
    }
  }

  void name_type(std::string_view name, bool nullable) {
    json_.key("type");
    if (nullable) {
      json_.begin_array().value(name).value("null").end_array();
    } else {
      json_.value(name);
    }
  }

  void record(const Type& type, bool nullable) {
    const auto is_it = [&](const Record* known) { return known->name == type.record->name; };
    if (std::ranges::none_of(records_, is_it)) records_.push_back(type.record.get());
    const std::string place = "#/$defs/" + std::string(type.record->name);
    if (!nullable) {
      json_.member("$ref", place);
      return;
    }
    json_.key("anyOf").begin_array();
    json_.begin_object().member("type", "null").end_object();
    json_.begin_object().member("$ref", place).end_object();
    json_.end_array();
  }

  void columns(const Record& record) {
    json_.member("type", "object").key("required").begin_array();
    for (const Field& field : record.fields) json_.value(field.name);
    json_.end_array().key("properties").begin_object();
    for (const Field& field : record.fields) {
      json_.key(field.name).begin_object();
      annotations(field);
      json_.member("type", "array").key("items").begin_object();
      type(field.type);
      json_.end_object().end_object();
    }
    json_.end_object();
  }

  // As the report has tables: columns by name, those without any value left out.
  void table(const Record& record) {
    json_.member("type", "object").key("required").begin_array();
    json_.value("row_count").value("columns").end_array();
    json_.key("properties").begin_object();
    json_.key("row_count").begin_object().member("type", "integer").end_object();
    json_.key("columns").begin_object().member("type", "object");
    json_.key("properties").begin_object();
    for (const Field& field : record.fields) {
      json_.key(field.name).begin_object();
      annotations(field);
      json_.member("type", "object").key("required").begin_array();
      json_.value("type").value("unit").value("values").end_array();
      json_.key("properties").begin_object();
      for (const std::string_view name : {"type", "unit"}) {
        json_.key(name).begin_object().member("type", "string").end_object();
      }
      json_.key("values").begin_object().member("type", "array").end_object();
      json_.end_object().end_object();
    }
    json_.end_object().end_object().end_object();
  }

  JsonWriter json_{JsonStyle::kPretty};
  std::vector<const Record*> records_;
};

}  // namespace

std::string json_schema(const record::DocumentInfo& document) { return Schema().of(document); }

}  // namespace planex::render
