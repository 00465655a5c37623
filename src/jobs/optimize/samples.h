// Samples without data: random values, for results that must be the same whatever the input.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "planex/error.h"
#include "tune/model_file.h"
#include "tune/runner.h"

namespace planex::jobs {

// `count` samples in `folder`: values from -1 to 1 for float inputs, 0 and 1 for integers and bool,
// which ids, masks and lengths can all be. `shapes`: of inputs whose dimensions the model leaves
// open; other open dimensions are 1. The same seed gives the same samples on every machine. Errors:
// kIo.
Result<tune::SampleRange> random_samples(
    const std::vector<tune::ModelInput>& inputs,
    const std::vector<std::pair<std::string, std::vector<std::int64_t>>>& shapes,
    const std::string& folder, std::size_t count, std::uint64_t seed);

}  // namespace planex::jobs
