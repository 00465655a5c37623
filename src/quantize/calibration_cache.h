// TensorRT's calibration cache: text, a scale for each tensor as the big-endian hexadecimal bits of
// a float32.
#ifndef PLANEX_QUANTIZE_CALIBRATION_CACHE_H_
#define PLANEX_QUANTIZE_CALIBRATION_CACHE_H_

#include <string>
#include <string_view>
#include <vector>

#include "planex/error.h"

namespace planex::quantize {

struct CacheEntry {
  std::string tensor;  // as TensorRT names it: may hold colons
  float scale = 0;     // range / 127
};

struct CalibrationCache {
  std::string version = "100300";                 // of the banner: 8501, 100300
  std::string algorithm = "EntropyCalibration2";  // what trtexec's calibrator accepts
  std::vector<CacheEntry> entries;
};

// Errors: kBadInput with the line.
Result<CalibrationCache> read_calibration_cache(std::string_view text);
std::string write_calibration_cache(const CalibrationCache& cache);

}  // namespace planex::quantize

#endif  // PLANEX_QUANTIZE_CALIBRATION_CACHE_H_
