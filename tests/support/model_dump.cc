#include "support/model_dump.h"

#include <algorithm>
#include <variant>
#include <vector>

#include "base/text.h"
#include "support/json_tree.h"

namespace planex::test {
namespace {

using base::format;

struct CellText {
  const DumpOptions& options;

  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(std::int64_t number) const { return format("{}", number); }
  std::string operator()(double number) const { return format("{}", number); }
  std::string operator()(std::string_view text) const { return quoted(text); }
  std::string operator()(std::span<const std::int64_t> list) const {
    std::string text = "[";
    for (const std::int64_t number : list)
      text += format("{}{}", text.size() > 1 ? "," : "", number);
    return text + "]";
  }

  static std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
        result += format("\\x{:02x}", static_cast<unsigned char>(c));
      } else {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
      }
    }
    return result + "\"";
  }
};

bool is_byte_place(std::string_view table, std::string_view column) {
  return (table == "files" && column == "size_bytes") ||
         (table == "diagnostics" && column == "byte_offset");
}

std::string row_text(const model::TableView& table, std::size_t row, const DumpOptions& options) {
  std::string line;
  bool json = false;
  if (options.canonical_json && table.info().name == "attributes") {
    // layer_id, key, value, value_type: strings stay as they are.
    json = std::get<std::string_view>(table.cell(3, row)) != "string";
  }
  for (std::size_t column = 0; column < table.info().columns.size(); ++column) {
    const std::string_view name = table.info().columns[column].name;
    if (options.without_byte_places && is_byte_place(table.info().name, name)) continue;
    const model::Cell cell = table.cell(column, row);
    if (std::holds_alternative<std::monostate>(cell)) continue;
    std::string text;
    if (json && name == "value") {
      text = CellText::quoted(canonical(std::get<std::string_view>(cell)));
    } else {
      text = std::visit(CellText{options}, cell);
    }
    line += format(" {}={}", name, text);
  }
  return line;
}

}  // namespace

std::string dump(const model::PlanModel& model, const DumpOptions& options) {
  std::string text;
  for (std::size_t index = 0; index < model::schema().size(); ++index) {
    const model::TableView table(model, index);
    if (table.row_count() == 0) continue;
    std::vector<std::string> lines;
    for (std::size_t row = 0; row < table.row_count(); ++row) {
      lines.push_back(row_text(table, row, options));
    }
    if (table.info().name == "attributes" && options.attributes == AttributeOrder::kSorted) {
      std::ranges::sort(lines);
    }
    text += format("{}: {}\n", table.info().name, base::counted(lines.size(), "row"));
    for (const std::string& line : lines) text += " " + line + "\n";
  }
  return text;
}

}  // namespace planex::test
