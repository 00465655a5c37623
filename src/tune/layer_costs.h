// How much the layers of a float model compute and store.
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
  // Multiply-accumulates for one sample; null where OpenVINO's reader drops the tensor that
  // determines them.
  std::optional<std::int64_t> macs;
  std::int64_t weight_bytes = 0;  // in float; a weight that layers share counts for each
};

// For each of Placement::layers, in their order. Shapes come from running the first sample. Errors:
// those of Runner::run(). Cost: one compilation, one inference.
Result<std::vector<LayerCost>> layer_costs(const ModelFile& file,
                                           const quantize::Placement& placement,
                                           const SampleRange& samples, Runner& runner);

}  // namespace planex::tune
