#include "base/numbers.h"

#include <array>
#include <cmath>
#include <version>

#ifndef __cpp_lib_to_chars
#include <cerrno>
#include <cstdlib>
#include <string>
#endif

namespace planex::base {

#ifdef __cpp_lib_to_chars

std::from_chars_result read_number(const char* first, const char* last, double& value) {
  return std::from_chars(first, last, value);
}

#else

// The C library's function accepts more: blanks, a sign +, hexadecimal digits, "nan(…)".
std::from_chars_result read_number(const char* first, const char* last, double& value) {
  const std::string_view text(first, last);
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  constexpr std::string_view kBegins = "0123456789.iInN";
  if (text.size() <= sign || !kBegins.contains(text[sign])) {
    return {first, std::errc::invalid_argument};
  }
  std::string copy(text.substr(0, text.find_first_not_of("0123456789.eE+-aAfFiInNtTyY")));
  const char* end = nullptr;
  errno = 0;
  const double number = std::strtod(copy.c_str(), const_cast<char**>(&end));
  const char* const stopped = first + (end - copy.c_str());
  if (stopped == first) return {first, std::errc::invalid_argument};
  if (errno == ERANGE) return {stopped, std::errc::result_out_of_range};
  value = number;
  return {stopped, std::errc()};
}

#endif

double rounded_to_digits(double value, int digits) {
  if (!std::isfinite(value)) return value;
  std::array<char, 64> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value,
                                     std::chars_format::scientific, digits - 1);
  return number_in<double>({text.data(), written.ptr}).value_or(value);
}

}  // namespace planex::base
