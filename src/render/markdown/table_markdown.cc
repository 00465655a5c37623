#include "render/markdown/table_markdown.h"

#include <cstddef>
#include <vector>

#include "render/words/column_format.h"
#include "render/words/display_width.h"

namespace planex::render {
namespace {

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

void append_line(std::string& markdown, std::string_view line) {
  constexpr std::string_view kMarkup = "\\`*[]|~$#";
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '<') {
      markdown += "&lt;";
    } else if (c == '>') {
      markdown += "&gt;";
    } else if (c == '&') {
      markdown += "&amp;";
    } else if (c == '_') {
      // Inside a word it is not markup, and median_ms should stay readable.
      const bool inside = i > 0 && i + 1 < line.size() && is_alphanumeric(line[i - 1]) &&
                          is_alphanumeric(line[i + 1]);
      markdown += inside ? "_" : "\\_";
    } else {
      if (kMarkup.find(c) != kMarkup.npos) markdown += '\\';
      markdown += c;
    }
  }
}

void append_row(std::string& markdown, const std::vector<std::string>& cells) {
  for (const std::string& cell : cells) markdown.append("| ").append(cell).append(" ");
  markdown += "|\n";
}

}  // namespace

std::string markdown_text(std::string_view text) {
  std::string markdown;
  while (true) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r') && end != text.npos) line.remove_suffix(1);
    append_line(markdown, printable(line));
    if (end == text.npos) return markdown;
    markdown += "<br>";
    text.remove_prefix(end + 1);
  }
}

std::string markdown_table(const model::DataTable& table) {
  const std::vector<FormattedColumn> columns = format_columns(table);
  if (columns.empty()) return {};
  std::string markdown;
  std::vector<std::string> cells;
  for (const FormattedColumn& column : columns) cells.push_back(markdown_text(column.head));
  append_row(markdown, cells);
  cells.clear();
  for (const FormattedColumn& column : columns) {
    cells.emplace_back(column.alignment == Alignment::kRight ? "---:" : "---");
  }
  append_row(markdown, cells);
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    cells.clear();
    for (const FormattedColumn& column : columns) cells.push_back(markdown_text(column.cells[row]));
    append_row(markdown, cells);
  }
  return markdown;
}

}  // namespace planex::render
