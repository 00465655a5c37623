// Numbers in sentences. Columns of tables are formatted by column_format.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/quantities.h"

namespace planex::render {

using base::bandwidth_text;
using base::bytes_text;
using base::dims_text;
using base::flops_text;
using base::grouped;
using base::ms_text;
using base::percent_text;
using base::throughput_text;
using base::us_text;

inline std::string size_text(std::int64_t bytes) { return bytes_text(static_cast<double>(bytes)); }
// A time with the unit that fits, three significant digits: "36.9 µs", "19.7 ms", "1.23 s".
std::string short_time_text(double ms);
// "23.8 dB"; a dash where there is none.
std::string db_text(const std::optional<double>& db);
// The value as `text` writes it, or a dash.
std::string or_dash(const std::optional<double>& value, std::string (*text)(double));

}  // namespace planex::render
