#include "render/words/column_format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>

#include "base/quantities.h"
#include "base/text.h"

namespace planex::render {
namespace {

using model::DataColumn;
using model::DataTable;
using model::Value;

constexpr std::string_view kNull = "–";
constexpr std::string_view kMinus = "−";

// How the numbers of one column are written.
struct CellFormat {
  double scale = 1;
  // -1: the fewest digits that are exact.
  int decimals = -1;
  bool grouped = false;
  std::string unit;
};

std::optional<double> number_of(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    return static_cast<double>(*integer);
  }
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

// Statistics of the magnitudes in a column. Zeros, infinities and NaN don't count.
struct Magnitudes {
  double largest = 0;
  // The lower quartile: small, but not an outlier.
  double typical_small = 0;
  bool all_whole = true;
};

Magnitudes magnitudes_of(const DataTable& table, std::size_t column) {
  Magnitudes result;
  std::vector<double> sizes;
  for (const auto& row : table.rows) {
    const double size = std::fabs(number_of(row[column]).value_or(0));
    if (!std::isfinite(size) || size == 0) continue;
    result.all_whole = result.all_whole && std::trunc(size) == size;
    sizes.push_back(size);
  }
  if (sizes.empty()) return result;
  const auto quarter = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 4);
  std::ranges::nth_element(sizes, quarter);
  result.typical_small = *quarter;
  result.largest = *std::ranges::max_element(sizes);
  return result;
}

// Decimals that leave three significant digits of `size`.
int decimals_for(double size, int least, int most) {
  if (size == 0) return least;
  constexpr int kDigitsAfterFirst = 2;
  const int decimals = kDigitsAfterFirst - static_cast<int>(std::floor(std::log10(size)));
  return std::clamp(decimals, least, most);
}

CellFormat format_of(const DataColumn& column, const Magnitudes& sizes) {
  constexpr int kMaxDecimals = 6;
  constexpr double kSmallestInDigits = 1e-4;
  constexpr double kLargestInDigits = 1e15;
  CellFormat style{.unit = column.unit};
  if (column.unit == "ms" || column.unit == "us") {
    const int least = column.unit == "ms" ? 3 : 1;
    style.decimals =
        sizes.largest >= 1 ? least : decimals_for(sizes.typical_small, least, kMaxDecimals);
    if (column.unit == "us") style.unit = "µs";
  } else if (column.unit == "bytes") {
    constexpr auto kUnits = std::to_array<std::string_view>({"bytes", "kB", "MB", "GB", "TB"});
    constexpr double kStep = 1000;
    std::size_t unit = 0;
    double divisor = 1;
    while (unit + 1 < kUnits.size() && sizes.largest >= divisor * kStep) {
      divisor *= kStep;
      ++unit;
    }
    style.unit = kUnits[unit];
    style.scale = 1 / divisor;
    // Bytes are whole numbers, unless they are means.
    if (unit > 0 || !sizes.all_whole) style.decimals = decimals_for(sizes.largest / divisor, 1, 2);
  } else if (column.unit == "1/s") {
    style.decimals = sizes.largest >= 1000 ? 0 : 1;
    style.unit = "/s";
  } else if (column.unit == "ratio") {
    constexpr double kPercent = 100;
    style.scale = kPercent;
    style.decimals = 1;
    style.unit = "%";
  } else if (column.unit == "dB") {
    style.decimals = 1;
  } else if (column.unit == "count") {
    style.unit.clear();
    style.grouped = true;
    if (!sizes.all_whole) style.decimals = decimals_for(sizes.typical_small, 1, kMaxDecimals);
  } else if (!sizes.all_whole && sizes.typical_small >= kSmallestInDigits) {
    style.decimals = decimals_for(sizes.typical_small, 0, kMaxDecimals);
  }
  // Beyond this range digits say nothing, and hundreds of them break the table.
  if (sizes.largest * style.scale >= kLargestInDigits) style.decimals = -1;
  return style;
}

std::string with_sign(bool negative, std::string digits) {
  return negative ? std::string(kMinus) + digits : digits;
}

std::string format_integer(std::int64_t value, const CellFormat& style) {
  std::string digits = base::format("{}", value);
  const bool negative = value < 0;
  if (negative) digits.erase(0, 1);
  return with_sign(negative, style.grouped ? base::group_digits(digits) : digits);
}

std::string format_number(double value, const CellFormat& style) {
  const double scaled = value * style.scale;
  if (!std::isfinite(scaled)) return std::isnan(value) ? std::string(kNull) : shortest(scaled);
  const bool negative = scaled < 0;
  const double size = std::fabs(scaled);
  if (style.decimals < 0) {
    std::string digits = shortest(size);
    return with_sign(negative, style.grouped ? base::group_digits(digits) : digits);
  }
  std::string digits = base::format("{:.{}f}", size, style.decimals);
  if (size > 0 && digits.find_first_not_of("0.") == digits.npos) {
    // Not zero, so it must not look like zero.
    digits.back() = '1';
    return (negative ? ">" + std::string(kMinus) : std::string("<")) + digits;
  }
  return with_sign(negative, style.grouped ? base::group_digits(digits) : digits);
}

std::string format_value(const Value& value, const CellFormat& style) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    const bool as_is = style.decimals < 0 && style.scale == 1;
    return as_is ? format_integer(*integer, style)
                 : format_number(static_cast<double>(*integer), style);
  }
  if (const auto* real = std::get_if<double>(&value)) return format_number(*real, style);
  return std::string(kNull);
}

bool is_word(std::string_view name) {
  return std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// Takes "_ms" out of "median_ms" and "sum(median_ms)": the unit follows. "layer_count": "layers".
// Names have units in lower case: "gpu_mhz", and "_c" for °C.
void remove_unit(std::string& name, std::string_view unit) {
  const std::string ending = unit == "°C"    ? std::string("_c")
                             : unit == "1/s" ? std::string("_per_s")
                                             : base::format("_{}", base::lower(unit));
  const std::string_view plural = unit == "count" ? "s" : "";
  for (std::size_t at = 0; (at = name.find(ending, at)) != name.npos;) {
    const std::size_t end = at + ending.size();
    const bool ends_word = end == name.size() || !is_word(name.substr(end, 1));
    if (at > 0 && ends_word) {
      name.replace(at, ending.size(), plural);
    } else {
      at = end;
    }
  }
}

std::string head_of(const DataColumn& column, const std::string& shown_unit) {
  std::string head = column.name;
  if (!column.unit.empty()) remove_unit(head, column.unit);
  if (head == column.unit && !shown_unit.empty()) return shown_unit;
  if (is_word(head)) std::ranges::replace(head, '_', ' ');
  if (!shown_unit.empty()) head += " " + shown_unit;
  return head;
}

}  // namespace

std::vector<FormattedColumn> format_columns(const DataTable& table) {
  std::vector<FormattedColumn> columns;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const DataColumn& column = table.columns[i];
    FormattedColumn formatted;
    CellFormat style;
    if (column.numeric) {
      style = format_of(column, magnitudes_of(table, i));
      formatted.alignment = Alignment::kRight;
    }
    formatted.head = column.numeric ? head_of(column, style.unit) : head_of(column, column.unit);
    formatted.cells.reserve(table.rows.size());
    for (const auto& row : table.rows) formatted.cells.push_back(format_value(row[i], style));
    columns.push_back(std::move(formatted));
  }
  return columns;
}

std::string shortest(double value) {
  constexpr std::size_t kLongest = 32;  // -1.7976931348623157e+308 has 24
  std::array<char, kLongest> text{};
  const auto result = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), result.ptr};
}

}  // namespace planex::render
