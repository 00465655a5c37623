// Numbers in sentences. Columns of tables are formatted by column_format.h.
#ifndef PLANEX_RENDER_TEXT_NUMBERS_H_
#define PLANEX_RENDER_TEXT_NUMBERS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace planex::render {

// Three decimals from 0.1 ms on, then more, so that three significant digits stay: 0.883, 0.0369.
std::string ms_text(double ms);
// Three significant digits: 6.1, 36.9, 202.
std::string us_text(double us);
// "11.7 MB": decimal units, three significant digits.
std::string bytes_text(double bytes);
inline std::string size_text(std::int64_t bytes) { return bytes_text(static_cast<double>(bytes)); }
// Inferences per second: whole from 100 on, three significant digits below: 3 614, 22.1, 0.883.
std::string rate_text(double per_second);
// "64.9 %" of a ratio.
std::string percent_text(double ratio);
// "3 614": groups of three, thin spaces.
std::string grouped(std::int64_t number);
// "116 GFLOP".
std::string flops_text(double flops);
// The value as `text` writes it, or a dash.
std::string or_dash(const std::optional<double>& value, std::string (*text)(double));
// "32×3×224×224"; "scalar" without dimensions, "?" for a dynamic one.
std::string dims_text(std::span<const std::int64_t> dims);

}  // namespace planex::render

#endif  // PLANEX_RENDER_TEXT_NUMBERS_H_
