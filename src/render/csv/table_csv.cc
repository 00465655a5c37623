#include "render/csv/table_csv.h"

#include <cmath>
#include <string_view>

#include "render/text/column_format.h"

namespace planex::render {
namespace {

void append_text(std::string& csv, std::string_view text) {
  constexpr std::string_view kFormulaStarts = "=+-@\t\r";
  const bool is_formula = !text.empty() && kFormulaStarts.find(text.front()) != text.npos;
  const bool needs_quotes = text.empty() || text.find_first_of(",\"\r\n") != text.npos;
  if (needs_quotes) csv += '"';
  if (is_formula) csv += '\'';
  for (const char c : text) {
    if (c == '"') csv += '"';
    csv += c;
  }
  if (needs_quotes) csv += '"';
}

void append_value(std::string& csv, const model::Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    append_text(csv, *text);
  } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    csv += std::to_string(*integer);
  } else if (const auto* real = std::get_if<double>(&value);
             real != nullptr && !std::isnan(*real)) {
    csv += shortest(*real);
  }
}

}  // namespace

std::string csv_table(const model::DataTable& table) {
  std::string csv;
  bool first = true;
  for (const model::DataColumn& column : table.columns) {
    if (!first) csv += ',';
    first = false;
    append_text(csv, column.name);
  }
  csv += "\r\n";
  for (const auto& row : table.rows) {
    first = true;
    for (const model::Value& value : row) {
      if (!first) csv += ',';
      first = false;
      append_value(csv, value);
    }
    csv += "\r\n";
  }
  return csv;
}

}  // namespace planex::render
