#include "analyze/explain/memory_timeline.h"

#include <algorithm>
#include <limits>

#include "analyze/explain/memory_packing.h"
#include "base/checked.h"

namespace planex::analyze {
namespace {

using model::LayerId;
using model::PlanModel;

// Frames that touch the memory, ascending.
std::vector<std::size_t> frames_touching(const PlanModel& model, const LiveTimeline& live,
                                         const std::vector<TimelineFrame>& frames,
                                         const PeakContributor& contributor) {
  std::vector<std::size_t> touching;
  for (std::size_t frame = 0; frame < frames.size(); ++frame) {
    const LayerId layer = frames[frame].layer;
    if (layer < contributor.first || layer > contributor.last) continue;
    const model::RowRange ports = model.ports_of(layer);
    for (std::size_t port = ports.first; port < ports.end(); ++port) {
      if (live.memory_of[model.ports.tensor_id[port].index()] == contributor.tensor) {
        touching.push_back(frame);
        break;
      }
    }
  }
  return touching;
}

std::int64_t peak_without(const std::vector<TimelineFrame>& frames,
                          const PeakContributor& contributor,
                          const std::vector<std::size_t>& touching) {
  std::int64_t peak = 0;
  auto next = touching.begin();
  for (std::size_t frame = 0; frame < frames.size(); ++frame) {
    const bool touches = next != touching.end() && *next == frame;
    if (touches) ++next;
    const bool is_held = !touching.empty() && frame > touching.front() && frame < touching.back();
    peak = std::max(peak, frames[frame].live_bytes - (is_held && !touches ? contributor.bytes : 0));
  }
  return peak;
}

// By tensor: the memories that a layer reads or writes.
std::vector<bool> memories_of(const PlanModel& model, const LiveTimeline& live, LayerId layer) {
  std::vector<bool> touched(model.tensors.row_count());
  const model::RowRange ports = model.ports_of(layer);
  for (std::size_t port = ports.first; port < ports.end(); ++port) {
    touched[live.memory_of[model.ports.tensor_id[port].index()].index()] = true;
  }
  return touched;
}

// By tensor: the type at its first writer, else at its first reader.
std::vector<model::DType> types_of(const PlanModel& model) {
  std::vector<model::DType> types(model.tensors.row_count(), model::DType::kNull);
  std::vector<bool> is_written(types.size());
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    if (!model.is_shown(LayerId(row))) continue;
    const model::RowRange ports = model.ports_of(LayerId(row));
    for (std::size_t port = ports.first; port < ports.end(); ++port) {
      const std::size_t tensor = model.ports.tensor_id[port].index();
      const bool writes = model.ports.direction[port] == model::Direction::kOutput;
      if (is_written[tensor] || (!writes && types[tensor] != model::DType::kNull)) continue;
      types[tensor] = model.ports.dtype[port];
      is_written[tensor] = writes;
    }
  }
  return types;
}

// Offsets from the file, regions stacked in their order. False where one is missing, is negative or
// does not fit.
bool take_offsets(const PlanModel& model, MemoryTimeline& timeline) {
  const model::TensorsTable& table = model.tensors;
  const auto region_of = [&](const TimelineTensor& one) {
    const auto region = table.region_id.get(one.tensor.index());
    return region ? region->index() : 0;
  };
  // Tensors without a region are in the first one.
  std::vector<base::CheckedInt> base(std::max<std::size_t>(model.regions.row_count(), 1) + 1, 0);
  for (const TimelineTensor& one : timeline.tensors) {
    const auto offset = table.offset_bytes.get(one.tensor.index());
    if (!offset || *offset < 0) return false;
    const auto end = (base::CheckedInt(*offset) + one.bytes).value();
    if (!end) return false;
    // Where the next region begins, for now: the size of this one.
    base::CheckedInt& size = base[region_of(one) + 1];
    size = std::max(*size.value(), *end);
  }
  for (std::size_t region = 1; region < base.size(); ++region) base[region] += base[region - 1];
  if (!base.back().value()) return false;
  for (TimelineTensor& one : timeline.tensors) {
    const std::int64_t bottom = *base[region_of(one)].value();
    one.offset_bytes = bottom + table.offset_bytes[one.tensor.index()];
  }
  timeline.height_bytes = base.back().value();
  timeline.offsets = TimelineOffsets::kGiven;
  return true;
}

void fill_tensors(const PlanModel& model, const LiveTimeline& live,
                  const std::vector<std::size_t>& frame_of, MemoryTimeline& timeline) {
  const std::vector<model::DType> types = types_of(model);
  std::vector<PackedLife> lives;
  for (const LiveRange& range : live.ranges) {
    const std::size_t first = frame_of[range.first.index()], last = frame_of[range.last.index()];
    timeline.tensors.push_back({.tensor = range.tensor,
                                .dtype = types[range.tensor.index()],
                                .bytes = range.bytes,
                                .first_frame = first,
                                .last_frame = last,
                                .offset_bytes = std::nullopt});
    lives.push_back({first, last, range.bytes});
  }
  if (lives.empty() || take_offsets(model, timeline)) return;
  const Packing packing = pack_by_size(lives, timeline.frames.size());
  for (std::size_t i = 0; i < lives.size(); ++i) {
    timeline.tensors[i].offset_bytes = packing.offset_bytes[i];
  }
  timeline.height_bytes = packing.height_bytes;
  timeline.offsets = TimelineOffsets::kPacked;
}

}  // namespace

std::string_view to_string(TimelineOffsets offsets) {
  switch (offsets) {
    case TimelineOffsets::kGiven:
      return "given";
    case TimelineOffsets::kPacked:
      return "packed";
    case TimelineOffsets::kNone:
      break;
  }
  return {};
}

MemoryTimeline memory_timeline(const PlanModel& model, const MemorySummary& memory) {
  MemoryTimeline timeline;
  const LiveTimeline live = live_timeline(model);
  timeline.peak = live.peak;
  timeline.memory = memory;
  if (live.live_bytes.empty()) return timeline;
  std::vector<std::size_t> frame_of(model.layers.row_count(), 0);
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    frame_of[row] = timeline.frames.size();
    if (!model.is_shown(LayerId(row))) continue;
    timeline.frames.push_back(
        {LayerId(row), live.live_bytes[row], model.layers.scratch_bytes.get(row)});
  }
  fill_tensors(model, live, frame_of, timeline);
  if (timeline.peak.layer.is_null()) return timeline;
  timeline.peak_frame = frame_of[timeline.peak.layer.index()];
  const std::vector<bool> used = memories_of(model, live, timeline.peak.layer);
  for (const LiveRange& range : live.at_peak) {
    PeakContributor contributor{
        .tensor = range.tensor, .bytes = range.bytes, .first = range.first, .last = range.last};
    contributor.span =
        static_cast<std::int64_t>(frame_of[range.last.index()] - frame_of[range.first.index()] + 1);
    base::CheckedInt product = contributor.bytes;
    product *= contributor.span;
    contributor.byte_layers = product.value().value_or(std::numeric_limits<std::int64_t>::max());
    contributor.is_live_through = !used[range.tensor.index()];
    (contributor.is_live_through ? timeline.live_through_bytes : timeline.used_bytes) +=
        contributor.bytes;
    timeline.contributors.push_back(contributor);
  }
  // Several streams have no single order in which a tensor could be moved away and back.
  if (timeline.peak.stream_count != 1) return timeline;
  std::size_t asked = 0;
  for (std::size_t i = 0; i < timeline.contributors.size() && asked < kMaxLiveThrough; ++i) {
    PeakContributor& contributor = timeline.contributors[i];
    if (!contributor.is_live_through) continue;
    ++asked;
    contributor.peak_without_bytes = peak_without(
        timeline.frames, contributor, frames_touching(model, live, timeline.frames, contributor));
    const auto best = timeline.best_contributor_to_move;
    if (*contributor.peak_without_bytes > *timeline.peak.bytes - *timeline.peak.bytes / kWorthwhile)
      continue;
    if (!best || contributor.peak_without_bytes < timeline.contributors[*best].peak_without_bytes) {
      timeline.best_contributor_to_move = i;
    }
  }
  return timeline;
}

}  // namespace planex::analyze
