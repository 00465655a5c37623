// What changed on the machine when the times of inferences changed.
#pragma once

#include <vector>

#include "analyze/machine/machine_state.h"

namespace planex::analyze {

// `origin_ms`: where the first inference starts, on the clock of machine_samples.inference_ms.
// Shapes: samples are those of the table, ascending in inference_ms, which all of them have.
std::vector<MachineCause> find_machine_causes(const model::MachineSamplesTable& samples,
                                              double origin_ms, const SteadyState& state);

// Reasons that hold a clock down, as bits of NVML. Settings and idleness do not count.
std::vector<ThrottleReason> throttle_reasons(std::int64_t bits);

}  // namespace planex::analyze
