#include "base/date.h"

#include <charconv>

#include "base/text.h"

namespace planex::base {
namespace {

// Digits and nothing else.
std::optional<unsigned> digits(std::string_view text) {
  unsigned value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return value;
}

}  // namespace

std::optional<Date> parse_date(std::string_view text) {
  constexpr std::size_t kLength = 10;
  if (text.size() != kLength || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto year = digits(text.substr(0, 4));
  const auto month = digits(text.substr(5, 2));
  const auto day = digits(text.substr(8, 2));
  if (!year || !month || !day) return std::nullopt;
  const Date date{std::chrono::year(static_cast<int>(*year)), std::chrono::month(*month),
                  std::chrono::day(*day)};
  return date.ok() ? std::optional(date) : std::nullopt;
}

std::string date_text(Date date) {
  return format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

}  // namespace planex::base
