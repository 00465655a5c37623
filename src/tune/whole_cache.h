// A scale for every float tensor of a model: what a DLA wants of a calibration cache.
#ifndef PLANEX_TUNE_WHOLE_CACHE_H_
#define PLANEX_TUNE_WHOLE_CACHE_H_

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "planex/error.h"
#include "quantize/calibration_cache.h"
#include "quantize/outcome.h"
#include "quantize/thresholds.h"
#include "tune/data.h"
#include "tune/model_file.h"

namespace planex::tune {

struct WholeCacheRun {
  std::string samples;  // folder
  std::size_t sample_count = 0;
  quantize::MethodOptions method;
};

// Inputs of the graph and what its nodes make, in the order of the nodes, where it is float;
// tensors of `placed` have their thresholds from there, others by the method, on their own.
// Constants and bodies of other nodes have none. A tensor that OpenVINO's reader drops, or that has
// NaN or infinity, gets no line, and `notes` says so. Memory: that of all tensors of one sample,
// and a histogram of each. Errors: those of drive::infer().
Result<quantize::CalibrationCache> whole_cache(const ModelFile& file,
                                               std::span<const quantize::QuantizedTensor> placed,
                                               const WholeCacheRun& run, const Workshop& workshop,
                                               std::vector<std::string>& notes);

}  // namespace planex::tune

#endif  // PLANEX_TUNE_WHOLE_CACHE_H_
