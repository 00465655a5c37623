#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz_targets.h"
#include "quantize/calibration_cache.h"

namespace planex::fuzz {

// What is read is written and read again without a difference.
std::string run_calibration_cache(std::string_view input) {
  const auto cache = quantize::read_calibration_cache(input);
  if (!cache) {
    if (cache.error().message.empty()) return "an error without a message";
    if (cache.error().code != ErrorCode::kBadInput) return "a bug: " + cache.error().message;
    return {};
  }
  const std::string written = quantize::write_calibration_cache(*cache);
  const auto again = quantize::read_calibration_cache(written);
  if (!again) return "what was written can't be read: " + again.error().message;
  if (again->version != cache->version || again->algorithm != cache->algorithm) {
    return "another first line";
  }
  if (again->entries.size() != cache->entries.size()) return "another number of entries";
  for (std::size_t i = 0; i < cache->entries.size(); ++i) {
    if (again->entries[i].tensor != cache->entries[i].tensor) return "another name";
    if (std::bit_cast<std::uint32_t>(again->entries[i].scale) !=
        std::bit_cast<std::uint32_t>(cache->entries[i].scale)) {
      return "another scale";
    }
  }
  if (quantize::write_calibration_cache(*again) != written) return "another text";
  return {};
}

}  // namespace planex::fuzz
