#include "support/model_dump.h"

#include <algorithm>
#include <variant>
#include <vector>

#include "base/json_text.h"
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

// Cells that hold JSON as it was written, where it is no text.
bool may_be_json(std::string_view table, std::string_view column) {
  return (table == "attributes" && column == "value") ||
         (table == "metadata" && column == "value") ||
         (table == "operations" && column == "parameters");
}

std::string json_text(std::string_view text, const DumpOptions& options) {
  const bool is_container = text.starts_with('{') || text.starts_with('[');
  const bool is_number = options.canonical_scalars && base::is_json_number(text);
  if (!is_number && !(is_container && base::is_json_value(text))) return std::string(text);
  return canonical(text, options.canonical_scalars ? Scalars::kByValue : Scalars::kAsWritten);
}

std::string row_text(const model::TableView& table, std::size_t row, const DumpOptions& options) {
  std::string line;
  for (std::size_t column = 0; column < table.info().columns.size(); ++column) {
    const std::string_view name = table.info().columns[column].name;
    if (options.without_byte_places && is_byte_place(table.info().name, name)) continue;
    const model::Cell cell = table.cell(column, row);
    if (std::holds_alternative<std::monostate>(cell)) continue;
    const auto* written = std::get_if<std::string_view>(&cell);
    const bool is_json =
        options.canonical_json && written != nullptr && may_be_json(table.info().name, name);
    line += format(" {}={}", name,
                   is_json ? CellText::quoted(json_text(*written, options))
                           : std::visit(CellText{options}, cell));
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
    const bool is_of_keys = table.info().name == "attributes" || table.info().name == "metadata" ||
                            table.info().name == "events";
    if (is_of_keys && options.attributes == AttributeOrder::kSorted) {
      std::ranges::sort(lines);
    }
    text += format("{}: {}\n", table.info().name, base::counted(lines.size(), "row"));
    for (const std::string& line : lines) text += " " + line + "\n";
  }
  return text;
}

}  // namespace planex::test
