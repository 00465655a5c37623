#include "render/csv/csv_fields.h"

#include <cmath>
#include <span>
#include <variant>

#include "render/words/column_format.h"

namespace planex::render {
namespace {

void append_csv_number(std::string& csv, double number) {
  if (!std::isnan(number)) csv += shortest(number);
}

std::string list_text(std::span<const std::int64_t> list) {
  std::string text = "[";
  for (const std::int64_t number : list) {
    if (text.size() > 1) text += ',';
    text += std::to_string(number);
  }
  return text + ']';
}

}  // namespace

void append_csv(std::string& csv, std::string_view text) {
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

void append_csv(std::string& csv, const model::Cell& cell) {
  if (const auto* text = std::get_if<std::string_view>(&cell)) {
    append_csv(csv, *text);
  } else if (const auto* integer = std::get_if<std::int64_t>(&cell)) {
    csv += std::to_string(*integer);
  } else if (const auto* real = std::get_if<double>(&cell)) {
    append_csv_number(csv, *real);
  } else if (const auto* list = std::get_if<std::span<const std::int64_t>>(&cell)) {
    append_csv(csv, std::string_view(list_text(*list)));
  }
}

void append_csv(std::string& csv, const model::Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    append_csv(csv, std::string_view(*text));
  } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    csv += std::to_string(*integer);
  } else if (const auto* real = std::get_if<double>(&value)) {
    append_csv_number(csv, *real);
  }
}

}  // namespace planex::render
