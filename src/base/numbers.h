// Text as numbers: "12", "-0.5e3", "inf" and "nan"; no sign +, no blanks, no hexadecimal digits.
#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>

namespace planex::base {

// Like std::from_chars(), which not every standard library has for these. The nearest double.
std::from_chars_result read_number(const char* first, const char* last, double& value);
template <std::integral Integer>
std::from_chars_result read_number(const char* first, const char* last, Integer& value) {
  return std::from_chars(first, last, value);
}

// The whole text as a number; nothing where it is not one, or does not fit.
template <typename Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = read_number(text.data(), end, number);
  if (text.empty() || error != std::errc() || stopped != end) return std::nullopt;
  return number;
}

// The number that the text begins with.
template <typename Number>
std::optional<Number> leading_number(std::string_view text) {
  Number number{};
  const auto [stopped, error] = read_number(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

// Nothing where it is infinite or not a number.
inline std::optional<double> finite(std::optional<double> number) {
  return number && std::isfinite(*number) ? number : std::nullopt;
}

// The nearest number with this many significant digits; non-finite numbers are unchanged.
double rounded_to_digits(double value, int digits);

}  // namespace planex::base
