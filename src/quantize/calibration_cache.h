// TensorRT's calibration cache: text, a scale for each tensor as the big-endian hexadecimal bits of
// a float32.
//
//   TRT-100300-EntropyCalibration2
//   images: 3c010a14
//   (Unnamed Layer* 3) [Constant]_output: 39137939
//
// TensorRT accepts a cache only if it names the algorithm of the calibrator that reads it. planex
// writes caches and does not read them.
#pragma once

#include <string>
#include <vector>

namespace planex::quantize {

struct CacheEntry {
  std::string tensor;  // as TensorRT names it: can contain colons
  float scale = 0;     // range / 127
};

struct CalibrationCache {
  std::string version = "100300";                 // version in the banner: 8501, 100300
  std::string algorithm = "EntropyCalibration2";  // what trtexec's calibrator accepts
  std::vector<CacheEntry> entries;                // in the file's order; a name can occur twice
};

// Scales are kept bit for bit, whatever they are: zero, negative and NaN, too.
std::string write_calibration_cache(const CalibrationCache& cache);

}  // namespace planex::quantize
