// Days of the calendar, as files write them: 2026-10-01 (ISO 8601).
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace planex::base {

using Date = std::chrono::year_month_day;

// Ten characters, a day that exists; nothing otherwise.
std::optional<Date> parse_date(std::string_view text);
std::string date_text(Date date);

}  // namespace planex::base
