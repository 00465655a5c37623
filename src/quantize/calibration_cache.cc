#include "quantize/calibration_cache.h"

#include <bit>
#include <cstdint>

#include "base/text.h"

namespace planex::quantize {

std::string write_calibration_cache(const CalibrationCache& cache) {
  std::string text = base::format("TRT-{}-{}\n", cache.version, cache.algorithm);
  for (const CacheEntry& entry : cache.entries) {
    text += base::format("{}: {:08x}\n", entry.tensor, std::bit_cast<std::uint32_t>(entry.scale));
  }
  return text;
}

}  // namespace planex::quantize
