#include "render/markdown/schema_markdown.h"

#include "base/text.h"
#include "model/schema.h"
#include "render/markdown/table_markdown.h"

namespace planex::render {

std::string schema_markdown() {
  std::string text =
      "# Tables and columns\n\n"
      "Written by `planex schema --format markdown`. Unknown values are NULL, never 0. `planex "
      "query PLAN \"select …\"` reads these tables.\n";
  for (const model::TableInfo& table : model::schema()) {
    text += base::format("\n## {}\n\n{}\n\n| column | type | unit | meaning |\n|---|---|---|---|\n",
                         table.name, markdown_text(table.description));
    for (const model::ColumnInfo& column : table.columns) {
      text += base::format("| `{}` | {} | {} | {} |\n", column.name, to_string(column.type),
                           column.unit, markdown_text(column.description));
    }
  }
  return text;
}

model::DataTable schema_table() {
  model::DataTable result;
  result.columns = {{"table", "", false},
                    {"column", "", false},
                    {"type", "", false},
                    {"unit", "", false},
                    {"description", "", false}};
  for (const model::TableInfo& table : model::schema()) {
    for (const model::ColumnInfo& column : table.columns) {
      result.rows.push_back({std::string(table.name), std::string(column.name),
                             std::string(to_string(column.type)), std::string(column.unit),
                             std::string(column.description)});
    }
  }
  return result;
}

}  // namespace planex::render
