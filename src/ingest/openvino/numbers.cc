#include "ingest/openvino/numbers.h"

#include <charconv>
#include <cmath>

#include "base/text.h"

namespace planex::ingest::openvino {
namespace {

template <typename Number>
std::optional<Number> parse(std::string_view text) {
  text = base::trimmed(text);
  Number number{};
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return number;
}

}  // namespace

std::optional<std::int64_t> parse_integer(std::string_view text) {
  return parse<std::int64_t>(text);
}

std::optional<double> parse_number(std::string_view text) {
  const auto number = parse<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

}  // namespace planex::ingest::openvino
