// Samples to calibrate with, and others to judge on.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "planex/error.h"
#include "tune/data.h"
#include "tune/runner.h"

namespace planex::tune {

struct SplitRequest {
  DataRequest data;
  // Samples to judge on; none: held-back samples of `data`.
  std::optional<DataRequest> judge_data;
  // Maximum number of samples of each.
  std::size_t calibration_limit = 512, judge_limit = 256;
  bool is_judged = true;
};

struct Split {
  Data data;
  SampleRange calibration;
  SampleRange judge;  // none: not judged
  std::vector<std::string> notes;
};

// Where there are too few samples for both, a quarter is held back.
// Errors: those of load_data().
Result<Split> load_split(const SplitRequest& request, const std::vector<ModelInput>& inputs,
                         const Workshop& workshop);

}  // namespace planex::tune
