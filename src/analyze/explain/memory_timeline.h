// Which memory is live when, and what contributes most: `planex explain memory`.
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
  std::int64_t live_bytes = 0;                // activations, as defined in live_ranges.h
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
  // The peak if the tensor were not held between the layers that touch it (recomputed, or moved
  // away and back): for live-through tensors among the first kMaxLiveThrough, on one stream; else
  // null.
  std::optional<std::int64_t> peak_without_bytes;
};

// One memory over its lifetime.
struct TimelineTensor {
  model::TensorId tensor;  // with several names for one memory, the largest
  // At its first writer, else at its first reader.
  model::DType dtype = model::DType::kNull;
  std::int64_t bytes = 0;
  std::size_t first_frame = 0, last_frame = 0;
  // Null where it is not placed: see Packing.
  std::optional<std::int64_t> offset_bytes;
};

enum class TimelineOffsets : std::uint8_t {
  kNone,    // nothing is placed
  kGiven,   // as in the file; several regions are stacked
  kPacked,  // pack_by_size()
};
std::string_view to_string(TimelineOffsets offsets);

struct MemoryTimeline {
  // Records of the shown profile in execution order. Its greatest live_bytes is peak.bytes. Empty
  // where the peak is not known.
  std::vector<TimelineFrame> frames;
  // All memories of activations that have a size, by tensor. On one stream, the bytes of those that
  // are live in a frame add up to its live_bytes.
  std::vector<TimelineTensor> tensors;
  TimelineOffsets offsets = TimelineOffsets::kNone;
  // The end of the highest of the placed; null where nothing is.
  std::optional<std::int64_t> height_bytes;
  LivePeak peak;
  std::optional<std::size_t> peak_frame;
  // Largest first, then by tensor: everything that is live at the peak.
  std::vector<PeakContributor> contributors;
  // Sums over contributors: peak.bytes = used_bytes + live_through_bytes on one stream; with
  // several, memory held by other streams counts as live-through.
  std::int64_t used_bytes = 0, live_through_bytes = 0;
  // The live-through contributor without which the peak is lowest, an index into contributors; null
  // where that is less than a hundredth lower: another layer needs as much.
  std::optional<std::size_t> best_contributor_to_move;
  // Memory held permanently in addition, and what the builder reports.
  MemorySummary memory;
};

// Cost: those of live_timeline() and pack_by_size(), besides O(layers + ports) for each of
// kMaxLiveThrough contributors.
MemoryTimeline memory_timeline(const model::PlanModel& model, const MemorySummary& memory);

inline constexpr std::size_t kMaxLiveThrough = 10;
inline constexpr std::int64_t kWorthwhile = 100;  // reductions below peak / 100 are not named

}  // namespace planex::analyze
