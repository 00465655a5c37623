// Text as numbers: "12", "-0.5e3", "inf" and "nan"; no sign +, no blanks, no hexadecimal digits.
#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>

namespace planex::base {

// As std::from_chars(), which not every standard library has for these. The nearest double.
std::from_chars_result read_number(const char* first, const char* last, double& value);
template <std::integral Integer>
std::from_chars_result read_number(const char* first, const char* last, Integer& value) {
  return std::from_chars(first, last, value);
}

// All of the text; nothing where it is none, or does not fit.
template <typename Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = read_number(text.data(), end, number);
  if (text.empty() || error != std::errc() || stopped != end) return std::nullopt;
  return number;
}

// What the text begins with.
template <typename Number>
std::optional<Number> leading_number(std::string_view text) {
  Number number{};
  const auto [stopped, error] = read_number(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

// Nothing where it is infinite or no number.
inline std::optional<double> finite(std::optional<double> number) {
  return number && std::isfinite(*number) ? number : std::nullopt;
}

// The nearest number of so many significant digits; what is not finite stays.
double rounded_to_digits(double value, int digits);

}  // namespace planex::base
