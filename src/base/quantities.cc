#include "base/quantities.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "base/text.h"

namespace planex::base {
namespace {

constexpr int kMaxDecimals = 9;

// Exactly halfway between two numbers with this many decimals: v = j / 2^(decimals + 1), j odd.
bool is_halfway(double value, int decimals) {
  const double halves = std::ldexp(std::fabs(value), decimals + 1);
  return std::fmod(halves, 2) == 1;
}

struct Scaled {
  double value;
  std::size_t unit;
};

Scaled scale(double value, std::size_t unit_count) {
  std::size_t unit = 0;
  // 999.5 would print as 1000.
  while (unit + 1 < unit_count && std::fabs(value) >= 999.5) {
    value /= 1000;
    ++unit;
  }
  return {value, unit};
}

std::string scaled_text(double value, std::span<const std::string_view> units) {
  const auto [scaled, unit] = scale(value, units.size());
  return format("{} {}", unit == 0 ? group_digits(fixed(scaled, 0)) : significant(scaled),
                units[unit]);
}

}  // namespace

std::string fixed(double value, int decimals) {
  if (is_halfway(value, decimals)) {
    value = std::nextafter(value, std::copysign(std::numeric_limits<double>::infinity(), value));
  }
  std::string text = format("{:.{}f}", value, decimals);
  // No "-0.0".
  const bool is_zero = text.find_first_not_of("-0.") == std::string::npos;
  return is_zero && text.starts_with('-') ? text.substr(1) : text;
}

std::string significant(double value) {
  if (value == 0) return "0";
  const auto decimals_of = [](double size) {
    return std::clamp(2 - static_cast<int>(std::floor(std::log10(size))), 0, kMaxDecimals);
  };
  const double size = std::fabs(value);
  int decimals = decimals_of(size);
  // Rounding can add a digit before the point: 9.996 is 10.0, not 10.00.
  const double next = std::pow(10, 3 - decimals);
  if (decimals > 0 && size < next && fixed(size, decimals) == fixed(next, decimals)) --decimals;
  return group_digits(fixed(value, decimals));
}

std::string ms_text(double ms) {
  if (std::fabs(ms) >= 0.1 || ms == 0) return group_digits(fixed(ms, 3));
  return significant(ms);
}

std::string us_text(double us) { return std::fabs(us) < 10 ? fixed(us, 1) : significant(us); }

std::string bytes_text(double bytes) {
  constexpr std::array<std::string_view, 6> kUnits = {"B", "kB", "MB", "GB", "TB", "PB"};
  return scaled_text(bytes, kUnits);
}

std::string flops_text(double flops) {
  constexpr std::array<std::string_view, 6> kUnits = {"FLOP",  "kFLOP", "MFLOP",
                                                      "GFLOP", "TFLOP", "PFLOP"};
  return scaled_text(flops, kUnits);
}

std::string rate_text(double per_s, Arithmetic arithmetic) {
  constexpr std::array<std::string_view, 6> kPrefixes = {"", "k", "M", "G", "T", "P"};
  const auto [scaled, unit] = scale(per_s, kPrefixes.size());
  return format("{} {}{}/s", significant(scaled), kPrefixes[unit],
                arithmetic == Arithmetic::kFloat ? "FLOP" : "OP");
}

std::string throughput_text(double per_s) {
  return std::fabs(per_s) < 99.95 ? significant(per_s) : group_digits(fixed(per_s, 0));
}

std::string bandwidth_text(double bytes_per_s) {
  return format("{} GB/s", group_digits(fixed(bytes_per_s / 1e9, bytes_per_s < 99.95e9 ? 1 : 0)));
}

std::string percent_text(double ratio) {
  const double percent = ratio * 100;
  return format("{} %", percent > 0 && percent < 0.05 ? "<0.1" : group_digits(fixed(percent, 1)));
}

std::string group_digits(std::string_view digits) {
  const std::size_t sign = digits.starts_with('-') ? 1 : 0;
  const std::size_t end = std::min(digits.find('.'), digits.size());
  std::string result;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > sign && i < end && (end - i) % 3 == 0) result += "\u2009";
    result += digits[i];
  }
  return result;
}

std::string grouped(std::int64_t number) { return group_digits(format("{}", number)); }

std::string dims_text(std::span<const std::int64_t> dims) {
  if (dims.empty()) return "scalar";
  std::string text;
  for (const std::int64_t dim : dims) {
    if (!text.empty()) text += "×";
    text += dim < 0 ? "?" : format("{}", dim);
  }
  return text;
}

}  // namespace planex::base
