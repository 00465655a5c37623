// Single slow samples: when they come, and whether they come regularly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analyze/timing/steady_state.h"

namespace planex::analyze {

struct EventPattern {
  std::int64_t burst_count = 0;
  std::optional<Period> period, inner_period;
};

// Events close together count as one burst; every scale of their intervals is tried as the limit.
// The period is that of the widest scale whose bursts are regular and cover half of the series; the
// inner one is a finer regularity. Shapes: positions[n] ascending; starts_ms[n] the same events'
// times, or empty where there are none; the series has `sample_count` samples. Cost: O(n log n ·
// scales), with at most kMaxScales.
inline constexpr std::size_t kMaxScales = 12;
EventPattern find_pattern(std::span<const double> positions, std::span<const double> starts_ms,
                          std::size_t sample_count);

}  // namespace planex::analyze
