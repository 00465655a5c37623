#include "render/text/numbers.h"

#include <array>
#include <cmath>
#include <string_view>

#include "base/text.h"

namespace planex::render {
namespace {

using base::format;

// Three significant digits without an exponent.
std::string significant(double value) {
  const double size = std::fabs(value);
  if (size == 0) return "0";
  const int decimals = 2 - static_cast<int>(std::floor(std::log10(size)));
  return format("{:.{}f}", value, decimals < 0 ? 0 : decimals > 9 ? 9 : decimals);
}

std::string scaled(double value, std::span<const std::string_view> units) {
  std::size_t unit = 0;
  // 999.5 would print as 1000.
  while (unit + 1 < units.size() && std::fabs(value) >= 999.5) {
    value /= 1000;
    ++unit;
  }
  const bool whole = unit == 0 && std::trunc(value) == value;
  return format("{} {}", whole ? format("{:.0f}", value) : significant(value), units[unit]);
}

}  // namespace

std::string ms_text(double ms) {
  if (std::fabs(ms) >= 0.1 || ms == 0) return format("{:.3f}", ms);
  return significant(ms);
}

std::string rate_text(double per_second) {
  if (std::fabs(per_second) < 99.95) return significant(per_second);
  return grouped(static_cast<std::int64_t>(std::llround(per_second)));
}

std::string us_text(double us) {
  return std::fabs(us) < 10 ? format("{:.1f}", us) : significant(us);
}

std::string bytes_text(double bytes) {
  constexpr std::array<std::string_view, 5> kUnits = {"B", "kB", "MB", "GB", "TB"};
  return scaled(bytes, kUnits);
}

std::string flops_text(double flops) {
  constexpr std::array<std::string_view, 6> kUnits = {"FLOP",  "kFLOP", "MFLOP",
                                                      "GFLOP", "TFLOP", "PFLOP"};
  return scaled(flops, kUnits);
}

std::string percent_text(double ratio) { return format("{:.1f} %", ratio * 100); }

std::string or_dash(const std::optional<double>& value, std::string (*text)(double)) {
  return value ? text(*value) : "–";
}

std::string grouped(std::int64_t number) {
  std::string digits = format("{}", number);
  const std::size_t sign = number < 0 ? 1 : 0;
  if (digits.size() - sign <= 4) return digits;
  std::string result;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > sign && (digits.size() - i) % 3 == 0) result += "\u2009";
    result += digits[i];
  }
  return result;
}

std::string dims_text(std::span<const std::int64_t> dims) {
  if (dims.empty()) return "scalar";
  std::string text;
  for (const std::int64_t dim : dims) {
    if (!text.empty()) text += "×";
    text += dim < 0 ? "?" : format("{}", dim);
  }
  return text;
}

}  // namespace planex::render
