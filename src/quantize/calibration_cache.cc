#include "quantize/calibration_cache.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>

#include "base/text.h"

namespace planex::quantize {
namespace {

using base::format;

constexpr std::string_view kStart = "TRT-";
constexpr std::size_t kDigits = 8;

Failure bad_line(std::size_t line, std::string_view found, std::string_view expected) {
  return fail(
      ErrorCode::kBadInput,
      format("line {} of the calibration cache is {}, not {}", line, base::quoted(found), expected),
      "a cache is a line TRT-100300-EntropyCalibration2, then one line TENSOR: SCALE for "
      "each tensor, with the scale as 8 hexadecimal digits");
}

bool is_word(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7f; });
}

}  // namespace

Result<CalibrationCache> read_calibration_cache(std::string_view text) {
  CalibrationCache cache;
  std::string_view rest = text;
  const std::string_view whole_first = base::take_part(rest, '\n');
  std::string_view first = whole_first;
  cache.has_carriage_returns = first.ends_with('\r');
  const auto without_return = [&](std::string_view line) {
    if (cache.has_carriage_returns && line.ends_with('\r')) line.remove_suffix(1);
    return line;
  };
  first = without_return(first);
  const std::size_t dash = first.find('-', kStart.size());
  if (!first.starts_with(kStart) || dash == std::string_view::npos ||
      !is_word(first.substr(kStart.size(), dash - kStart.size())) ||
      !is_word(first.substr(dash + 1))) {
    return bad_line(1, first, "TRT-VERSION-ALGORITHM");
  }
  cache.version = first.substr(kStart.size(), dash - kStart.size());
  cache.algorithm = first.substr(dash + 1);
  for (std::size_t number = 2; !rest.empty(); ++number) {
    const std::string_view line = without_return(base::take_part(rest, '\n'));
    // Left by editors at the end; TensorRT writes none.
    if (base::trimmed(line).empty()) continue;
    // Names may hold colons: the last one ends the name.
    const std::size_t colon = line.rfind(':');
    if (colon == std::string_view::npos || colon == 0)
      return bad_line(number, line, "TENSOR: SCALE");
    const std::string_view digits = base::trimmed(line.substr(colon + 1));
    std::uint32_t bits = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stopped, error] = std::from_chars(digits.data(), end, bits, 16);
    if (digits.size() != kDigits || error != std::errc() || stopped != end) {
      return bad_line(number, line, "a tensor's name, a colon and 8 hexadecimal digits");
    }
    cache.entries.push_back(
        {.tensor = std::string(line.substr(0, colon)), .scale = std::bit_cast<float>(bits)});
  }
  return cache;
}

std::string write_calibration_cache(const CalibrationCache& cache) {
  const std::string_view end = cache.has_carriage_returns ? "\r\n" : "\n";
  std::string text = format("{}{}-{}{}", kStart, cache.version, cache.algorithm, end);
  for (const CacheEntry& entry : cache.entries) {
    text += format("{}: {:08x}{}", entry.tensor, std::bit_cast<std::uint32_t>(entry.scale), end);
  }
  return text;
}

}  // namespace planex::quantize
