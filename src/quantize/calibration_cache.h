// TensorRT's calibration cache: text, a scale for each tensor as the big-endian hexadecimal bits of
// a float32.
//
//   TRT-100300-EntropyCalibration2
//   images: 3c010a14
//   (Unnamed Layer* 3) [Constant]_output: 39137939
//
// TensorRT takes a cache only if the algorithm is that of the calibrator that reads it. planex
// writes caches and reads none.
#pragma once

#include <string>
#include <vector>

namespace planex::quantize {

struct CacheEntry {
  std::string tensor;  // as TensorRT names it: may hold colons
  float scale = 0;     // range / 127
};

struct CalibrationCache {
  std::string version = "100300";                 // of the banner: 8501, 100300
  std::string algorithm = "EntropyCalibration2";  // what trtexec's calibrator accepts
  std::vector<CacheEntry> entries;                // in the file's order; a name may come twice
};

// Scales are kept bit by bit, whatever they are: zero, negative and NaN, too.
std::string write_calibration_cache(const CalibrationCache& cache);

}  // namespace planex::quantize
