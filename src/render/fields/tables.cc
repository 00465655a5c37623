#include "render/fields/tables.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/plan_model.h"
#include "planex/version.h"

namespace planex::render {
namespace {

using model::DataTable;
using model::Value;
using record::Fields;

struct ColumnHead {
  const model::DataColumn* column;
  std::string_view type;  // empty: every value is null
};

std::string_view type_of(const DataTable& table, std::size_t column) {
  bool integers = false;
  bool doubles = false;
  bool texts = false;
  for (const auto& row : table.rows) {
    const Value& value = row[column];
    integers = integers || std::holds_alternative<std::int64_t>(value);
    doubles = doubles || std::holds_alternative<double>(value);
    texts = texts || std::holds_alternative<std::string>(value);
  }
  if (texts) return integers || doubles ? "mixed" : "text";
  if (doubles) return "double";
  return integers ? "int64" : "";
}

std::vector<ColumnHead> heads_of(const DataTable& table) {
  std::vector<ColumnHead> heads;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    heads.push_back({&table.columns[i], type_of(table, i)});
  }
  return heads;
}

Fields<model::ColumnInfo> column_info_fields() {
  using model::ColumnInfo;
  return Fields<ColumnInfo>("SchemaColumn", "A column of a table of the model.")
      .field("name", "", "Its name in SQL and in documents.", &ColumnInfo::name)
      .field("type", "", "Type of its values.", &ColumnInfo::type)
      .maybe("unit", "", "ms, us, bytes, ratio, count and so on.", &ColumnInfo::unit)
      .field("description", "", "What it means.", &ColumnInfo::description);
}

Fields<model::TableInfo> table_info_fields() {
  using model::TableInfo;
  return Fields<TableInfo>("SchemaTable", "A table of the model.")
      .field("name", "", "Its name in SQL and in documents.", &TableInfo::name)
      .field("description", "", "What its rows are.", &TableInfo::description)
      .list("columns", "The columns, from the first.", column_info_fields(), &TableInfo::columns);
}

}  // namespace

TableDocument document_of_table(std::string_view id, std::string_view title, std::string_view name,
                                std::string_view description) {
  const auto fields =
      Fields<ColumnHead>("TableColumn", "A column of a table.")
          .field("name", "", "Its name.",
                 [](const ColumnHead& head) -> const std::string& { return head.column->name; })
          .maybe("type", "", "Type of its values; null if every value is null.", &ColumnHead::type)
          .one_of({"text", "int64", "double", "mixed"})
          .maybe("unit", "", "ms, us, bytes, ratio, count and so on.",
                 [](const ColumnHead& head) -> const std::string& { return head.column->unit; });
  return {id, title,
          Fields<DataTable>(name, description)
              .list("columns", "The columns, from the first.", fields, heads_of)
              .field("rows", "", "One list per row, in the order of columns.", &DataTable::rows)};
}

std::span<const TableDocument> table_documents() {
  static const std::vector<TableDocument> kDocuments = {
      document_of_table("planex.columns/1",
                        "Columns of a table: planex query --columns-of --format json", "Columns",
                        "Columns of a table."),
      document_of_table("planex.layers/1", "Layers: planex layers --format json", "Layers",
                        "Layers of an engine."),
      document_of_table("planex.list/1", "Engines below folders: planex list --format json", "List",
                        "Engines below folders."),
      document_of_table("planex.query/1", "The result of a query: planex query --format json",
                        "Query", "The result of a query."),
      document_of_table("planex.tables/1", "Tables that queries read: planex query --format json",
                        "Tables", "Tables that queries read."),
  };
  return kDocuments;
}

const TableDocument& table_document(std::string_view id) {
  return *std::ranges::find(table_documents(), id, &TableDocument::id);
}

const record::Document<record::NoContext>& schema_document() {
  static const record::Document<record::NoContext> kDocument = {
      "planex.schema/1", "Every table and column: planex schema --format json",
      Fields<record::NoContext>("Schema", "Every table and column of the model.")
          .list("tables", "The tables.", table_info_fields(),
                [](const record::NoContext&) { return model::schema(); })};
  return kDocument;
}

const record::Document<record::NoContext>& version_document() {
  static const record::Document<record::NoContext> kDocument = {
      "planex.version/1", "Which planex it is: planex version --format json",
      Fields<record::NoContext>("Version", "Which planex it is.")
          .field("version", "", "Its version.",
                 [](const record::NoContext&) { return PLANEX_VERSION; })};
  return kDocument;
}

}  // namespace planex::render
