#include "render/csv/table_csv.h"

#include <string_view>

#include "render/csv/csv_fields.h"

namespace planex::render {

std::string csv_table(const model::DataTable& table) {
  std::string csv;
  bool first = true;
  for (const model::DataColumn& column : table.columns) {
    if (!first) csv += ',';
    first = false;
    append_csv(csv, std::string_view(column.name));
  }
  csv += kCsvLineEnd;
  for (const auto& row : table.rows) {
    first = true;
    for (const model::Value& value : row) {
      if (!first) csv += ',';
      first = false;
      append_csv(csv, value);
    }
    csv += kCsvLineEnd;
  }
  return csv;
}

}  // namespace planex::render
