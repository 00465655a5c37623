#include "render/json/plan_schema.h"

#include <cstddef>
#include <functional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "model/plan_columns.h"
#include "model/plan_model.h"
#include "record/value.h"
#include "render/json/json_writer.h"

namespace planex::render {
namespace {

using model::ColumnKind;
using model::PlanUse;

template <typename C>
std::vector<std::string> words_of_column() {
  if constexpr (std::is_enum_v<typename C::Value>) {
    return record::ValueOf<typename C::Value>::type().words;
  } else if constexpr (std::is_same_v<typename C::Value, model::Layout>) {
    const auto names = model::layout_names();
    return {names.begin(), names.end()};
  } else {
    return {};
  }
}

// By table and column, in their order; empty if a column is not an enumeration.
const std::vector<std::vector<std::vector<std::string>>>& words() {
#define PLANEX_WORDS(kind, name, unit, description) words_of_column<decltype(Table::name)>(),
#define PLANEX_TABLE_WORDS(Struct, table, COLUMNS, description)          \
  [] {                                                                   \
    using Table = model::Struct;                                         \
    return std::vector<std::vector<std::string>>{COLUMNS(PLANEX_WORDS)}; \
  }(),
  static const std::vector<std::vector<std::vector<std::string>>> kWords = {
      PLANEX_TABLES(PLANEX_TABLE_WORDS)};
#undef PLANEX_TABLE_WORDS
#undef PLANEX_WORDS
  return kWords;
}

// What a record must have; nothing for other tables.
std::string_view required_of(std::string_view table) {
  if (table == "bindings" || table == "layers" || table == "tensors") return "name";
  if (table == "profiles") return "profile_index";
  if (table == "events") return "layer_id";
  if (table == "metadata") return "key";
  if (table == "diagnostics") return "code";
  if (table == "sources") return "op_name";
  if (table == "ports" || table == "calibration") return "tensor";
  if (table == "accuracy" || table == "accuracy_outputs") return "tensor";
  if (table == "difference_maps") return "tensor";
  if (table == "front" || table == "front_layers") return "point";
  return {};
}

class PlanSchema {
 public:
  std::string write() {
    json_.begin_object()
        .member("$schema", "https://json-schema.org/draft/2020-12/schema")
        .member("$id", "planex.plan/1")
        .member("title", "A whole engine, as any program can write it: planex export")
        .member("description",
                "Only schema and the layers' names are required. Null and a missing key both mean: "
                "unknown. Keys that are not described are kept as attributes or metadata.")
        .member("type", "object");
    json_.key("required").begin_array().value("schema").value("layers").end_array();
    json_.key("properties").begin_object();
    json_.key("schema").begin_object().member("const", "planex.plan/1").end_object();
    json_.key("engine").begin_object();
    record("engine", "null");
    json_.end_object();
    for (const std::string_view table : {"bindings", "profiles"}) list_of(table, [] {});
    layers();
    for (const std::string_view table :
         {"tensors", "blocks", "regions", "events", "kernels", "streams", "stream_pairs",
          "tactic_choices", "tactics", "calibration", "accuracy", "accuracy_outputs", "front",
          "front_layers", "difference_maps"}) {
      list_of(table, [] {});
    }
    list_of("operations", [this] {
      short_list("inputs", "Tensors it reads; omitted optional inputs count.", "operation_ports");
      short_list("outputs", "Tensors it writes.", "operation_ports");
    });
    iterations();
    for (const std::string_view table : {"machine_samples", "metadata", "diagnostics"})
      list_of(table, [] {});
    json_.end_object().end_object();
    return json_.take() + "\n";
  }

 private:
  using More = std::function<void()>;

  // A record's members, as those of an open schema. `or_null`: "null" if there may be no record.
  void record(std::string_view table, std::string_view or_null, const More& more = [] {}) {
    type("object", !or_null.empty());
    const std::string_view required = required_of(table);
    if (!required.empty()) json_.key("required").begin_array().value(required).end_array();
    json_.key("properties").begin_object();
    columns(table, required);
    more();
    json_.end_object();
  }

  void columns(std::string_view table, std::string_view required) {
    const std::size_t index = *model::find_table(table);
    const auto infos = model::schema()[index].columns;
    const auto columns = model::plan_columns(index);
    if (table == "ports") {
      json_.key("tensor").begin_object();
      json_.member("description", "The tensor's name; equal names are one tensor.");
      type("string", false);
      json_.end_object();
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].use != PlanUse::kFact) continue;
      json_.key(infos[i].name).begin_object();
      json_.member("description", infos[i].description);
      if (!infos[i].unit.empty()) json_.member("unit", infos[i].unit);
      value(columns[i], infos[i].unit, words()[index][i],
            infos[i].name != required || table == "layers");
      json_.end_object();
    }
  }

  void value(const model::PlanColumn& column, std::string_view unit,
             const std::vector<std::string>& words, bool nullable) {
    // The texts of these may be the JSON that they contain.
    if (column.name == "parameters") {
      json_.key("type").begin_array().value("string").value("object").value("null").end_array();
      return;
    }
    if (column.name == "value") return;
    switch (column.kind) {
      case ColumnKind::kId:
        type("integer", nullable);
        json_.member("minimum", 0);
        return;
      case ColumnKind::kInt:
        type("integer", nullable);
        if (unit == "bytes" || unit == "count") json_.member("minimum", 0);
        return;
      case ColumnKind::kReal:
        type("number", nullable);
        return;
      case ColumnKind::kIntList:
        type("array", nullable);
        json_.key("items").begin_object().member("type", "integer").end_object();
        json_.member("maxItems", model::IntList::kNullLength - 1);
        return;
      case ColumnKind::kText:
      case ColumnKind::kWord:
        break;
    }
    if (words.empty()) return type("string", nullable);
    json_.key("enum").begin_array();
    for (const std::string& word : words) json_.value(word);
    if (nullable) json_.null();
    json_.end_array();
  }

  void type(std::string_view name, bool nullable) {
    if (nullable) {
      json_.key("type").begin_array().value(name).value("null").end_array();
    } else {
      json_.member("type", name);
    }
  }

  void list_of(std::string_view table, const More& more, bool nullable = true) {
    json_.key(table).begin_object();
    json_.member("description", model::schema()[*model::find_table(table)].description);
    type("array", nullable);
    json_.key("items").begin_object();
    record(table, "", more);
    json_.end_object().end_object();
  }

  // For records that may be just their name.
  void short_list(std::string_view key, std::string_view description, std::string_view table) {
    json_.key(key).begin_object().member("description", description);
    type("array", true);
    json_.key("items").begin_object().key("anyOf").begin_array();
    json_.begin_object();
    type("string", false);
    json_.end_object().begin_object();
    record(table, "");
    json_.end_object().end_array().end_object().end_object();
  }

  void layers() {
    const auto more = [this] {
      short_list("inputs", "What it reads, in order.", "ports");
      short_list("constants", "Weights that are listed apart from the inputs.", "ports");
      short_list("outputs", "What it writes, in order.", "ports");
      short_list("sources", "Its source operations.", "sources");
      json_.key("attributes").begin_object();
      json_.member("description",
                   "Any other key, with a value of any JSON type; order and types are kept.");
      type("object", true);
      json_.end_object();
    };
    list_of("layers", more, false);
  }

  // Columns, as in planex.times/1.
  void iterations() {
    const std::size_t table = *model::find_table("iterations");
    json_.key("iterations").begin_object();
    json_.member("description", model::schema()[table].description);
    type("object", true);
    json_.key("properties").begin_object();
    for (const model::ColumnInfo& column : model::schema()[table].columns) {
      json_.key(column.name).begin_object().member("description", column.description);
      if (!column.unit.empty()) json_.member("unit", column.unit);
      type("array", false);
      json_.key("items").begin_object();
      type(column.type == model::ColumnType::kInt64 ? "integer" : "number", true);
      json_.end_object().end_object();
    }
    json_.end_object().end_object();
  }

  JsonWriter json_{JsonStyle::kPretty};
};

}  // namespace

std::string plan_schema() { return PlanSchema().write(); }

}  // namespace planex::render
