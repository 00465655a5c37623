// Quantities in sentences: the one way in which linter and renderers write them. The report page
// has its own (web/src/base/format.ts); tests/data/number_cases.json holds both to the same texts.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace planex::base {

// With this many decimals; halves are rounded away from zero, as in JavaScript: 12.25 is "12.3".
std::string fixed(double value, int decimals);
// Three significant digits without an exponent, rounded first: 9.996 is "10.0".
std::string significant(double value);
// Three decimals from 0.1 ms on, then more, so that three significant digits remain: 0.883, 0.0369.
std::string ms_text(double ms);
// Three significant digits, one decimal at most: 6.1, 36.9, 202.
std::string us_text(double us);
// "11.7 MB": decimal units to PB, three significant digits.
std::string bytes_text(double bytes);
// "116 GFLOP".
std::string flops_text(double flops);
// "312 TFLOP/s", "500 GFLOP/s"; for integers "624 TOP/s".
enum class Arithmetic : std::uint8_t { kFloat, kInteger };
std::string rate_text(double per_s, Arithmetic arithmetic = Arithmetic::kFloat);
// Inferences per second: whole from 100 on, three significant digits below: 3 614, 22.1, 0.883.
std::string throughput_text(double per_s);
// "1 935 GB/s", "49.6 GB/s".
std::string bandwidth_text(double bytes_per_s);
// "64.9 %" for a ratio; "<0.1 %" for anything above 0.
std::string percent_text(double ratio);
// "3 614": groups of three, thin spaces; a sign and decimals stay as they are.
std::string group_digits(std::string_view digits);
std::string grouped(std::int64_t number);
// "32×3×224×224"; "scalar" without dimensions, "?" for a dynamic one.
std::string dims_text(std::span<const std::int64_t> dims);

}  // namespace planex::base
