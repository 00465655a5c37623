// What memory is held when, and who holds the most: `planex explain memory`.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analyze/memory/live_ranges.h"
#include "analyze/memory/memory.h"
#include "model/plan_model.h"

namespace planex::analyze {

// While one layer runs.
struct TimelineFrame {
  model::LayerId layer;
  std::int64_t live_bytes = 0;                // activations, by the definition of live_ranges.h
  std::optional<std::int64_t> scratch_bytes;  // that the layer reserves for itself
};

// A tensor that is live at the peak.
struct PeakContributor {
  model::TensorId tensor;
  std::int64_t bytes = 0;
  model::LayerId first, last;    // that touch it
  std::int64_t span = 0;         // frames from the first to the last, both counted
  std::int64_t byte_layers = 0;  // bytes · span; saturates
  // The layer at the peak neither reads nor writes it: it waits for a later one.
  bool is_live_through = false;
  // The peak, were the tensor not held between the layers that touch it (computed again, or moved
  // away and back): of carried ones among the first kMaxLiveThrough, on one stream; else null.
  std::optional<std::int64_t> peak_without_bytes;
};

// One memory for as long as it lives.
struct TimelineTensor {
  model::TensorId tensor;  // of several names for one memory, the largest
  // At the end of who writes it first; of who reads it, where nobody does.
  model::DType dtype = model::DType::kNull;
  std::int64_t bytes = 0;
  std::size_t first_frame = 0, last_frame = 0;
  // Null where it is not placed: see Packing.
  std::optional<std::int64_t> offset_bytes;
};

enum class TimelineOffsets : std::uint8_t {
  kNone,    // nothing is placed
  kGiven,   // as the file says; of several regions, one above the other
  kPacked,  // pack_by_size()
};
std::string_view to_string(TimelineOffsets offsets);

struct MemoryTimeline {
  // Records of the shown profile in execution order. Its greatest live_bytes is peak.bytes. Empty
  // where the peak is not known.
  std::vector<TimelineFrame> frames;
  // All memories of activations that have a size, by tensor. On one stream the bytes of those that
  // a frame lies within add up to its live_bytes.
  std::vector<TimelineTensor> tensors;
  TimelineOffsets offsets = TimelineOffsets::kNone;
  // The end of the highest of the placed; null where nothing is.
  std::optional<std::int64_t> height_bytes;
  LivePeak peak;
  std::optional<std::size_t> peak_frame;
  // Greatest first, then by tensor: all that is live at the peak.
  std::vector<PeakContributor> contributors;
  // Sums over contributors: peak.bytes = used_bytes + live_through_bytes on one stream; with
  // several, what other streams hold counts as carried.
  std::int64_t used_bytes = 0, live_through_bytes = 0;
  // The carried contributor without which the peak is lowest, an index into contributors; null
  // where that is less than a hundredth lower: another layer needs as much.
  std::optional<std::size_t> best_contributor_to_move;
  // Held beside it all the time, and what the builder says.
  MemorySummary memory;
};

// Cost: those of live_timeline() and pack_by_size(), besides O(layers + ports) for each of
// kMaxLiveThrough contributors.
MemoryTimeline memory_timeline(const model::PlanModel& model, const MemorySummary& memory);

inline constexpr std::size_t kMaxLiveThrough = 10;
inline constexpr std::int64_t kWorthwhile = 100;  // of the peak, one part in so many

}  // namespace planex::analyze
