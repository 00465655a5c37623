// Streams of the device side by side, from a trace: how much of the time each runs, and which one
// waits while another runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/plan_model.h"

namespace planex::analyze {

// Null: not known.
struct StreamUse {
  std::int64_t process = 0, stream = 0;
  std::optional<std::int64_t> device, context;
  std::int64_t inferences = 0;  // of this engine; 0: work of other engines or programs
  std::int64_t launches = 0;
  double busy_ms = 0, busy_share = 0;              // of the window
  double overlapped_ms = 0, overlapped_share = 0;  // of busy_ms
  // While work was queued on it, it ran nothing, and another stream ran; relative to the window.
  // And the stream that ran during most of it (a place in StreamUses::streams).
  std::optional<double> waiting_ms, waiting_share;
  std::optional<std::size_t> waits_while;
  std::optional<double> waits_while_ms;
};

struct StreamPairUse {
  std::size_t stream = 0, other = 0;  // places in StreamUses::streams
  double overlapped_ms = 0;
  std::optional<double> waiting_ms;  // of the first, while the other runs
};

struct StreamUses {
  double window_ms = 0;            // from the first to the last work of this engine's inferences
  std::vector<StreamUse> streams;  // by process, device, context and number
  std::vector<StreamPairUse> pairs;
  std::optional<std::size_t> longest_wait;  // the stream that waits longest; null: no stream waits
  bool are_waits_known = false;             // at least one stream has it
};

// Null where no trace shows streams. Cost: O(streams²).
std::optional<StreamUses> find_streams(const model::PlanModel& model);

}  // namespace planex::analyze
