// What layers of a float model compute and hold.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "planex/error.h"
#include "quantize/placement.h"
#include "tune/model_file.h"
#include "tune/runner.h"

namespace planex::tune {

struct LayerCost {
  // Multiplications with accumulation for one sample; null where OpenVINO's reader drops the tensor
  // that tells.
  std::optional<std::int64_t> macs;
  std::int64_t weight_bytes = 0;  // in float; of a weight that layers share, at each
};

// Of each of Placement::layers, in their order. Shapes are seen by running the first sample.
// Errors: those of Runner::run(). Cost: one compile, one inference.
Result<std::vector<LayerCost>> layer_costs(const ModelFile& file,
                                           const quantize::Placement& placement,
                                           const SampleRange& samples, Runner& runner);

}  // namespace planex::tune
