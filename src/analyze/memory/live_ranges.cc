#include "analyze/memory/live_ranges.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <span>

#include "analyze/memory/stream_order.h"
#include "base/checked.h"

namespace planex::analyze {
namespace {

using base::CheckedInt;
using model::Direction;
using model::LayerId;
using model::PlanModel;
using model::Role;
using model::TensorId;
using model::TensorRole;
using Position = StreamOrder::Position;

// Names for one memory: the input and output of a no-op. Union by the smaller id.
class Aliases {
 public:
  explicit Aliases(const PlanModel& model) : parent_(model.tensors.row_count()) {
    std::iota(parent_.begin(), parent_.end(), 0U);
    for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
      if (model.layers.role[row] != Role::kNoOp || !model.is_shown(LayerId(row))) continue;
      const model::RowRange ports = model.ports_of(LayerId(row));
      std::optional<std::uint32_t> first;
      for (std::size_t port = ports.first; port < ports.end(); ++port) {
        const auto tensor = static_cast<std::uint32_t>(model.ports.tensor_id[port].index());
        const TensorRole role = model.tensors.role[tensor];
        if (role == TensorRole::kConstant || role == TensorRole::kShape) continue;
        if (first) join(*first, tensor);
        first = first.value_or(tensor);
      }
    }
  }

  std::uint32_t root(std::uint32_t tensor) {
    while (parent_[tensor] != tensor) {
      parent_[tensor] = parent_[parent_[tensor]];
      tensor = parent_[tensor];
    }
    return tensor;
  }

 private:
  void join(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t one = root(a), other = root(b);
    parent_[std::max(one, other)] = std::min(one, other);
  }

  std::vector<std::uint32_t> parent_;
};

// One memory: a tensor with all its names. Positions are of its home stream.
struct Memory {
  std::int64_t bytes = -1;  // -1: not known
  std::uint32_t largest = 0;
  bool counts = true;
  bool is_touched = false;
  std::uint32_t first_layer = 0, last_layer = 0;  // that touch it, on any stream
  std::uint32_t home = 0;
  // Live while the layers at [start, end) run.
  Position start = 0, end = 0;
  // Touched first or last by another stream, which can happen while the home stream is between
  // layers.
  bool starts_elsewhere = false, ends_elsewhere = false;

  // Live between the layers at `gap - 1` and `gap`.
  bool lives_in_gap(Position gap) const { return gap >= first_gap() && gap <= last_gap(); }
  Position first_gap() const { return starts_elsewhere ? start : start + 1; }
  Position last_gap() const { return ends_elsewhere ? end : end - 1; }
};

// A point of one stream: its layer at `position` runs, or it is in the gap before it.
struct Point {
  Position position = 0;
  bool is_gap = false;
};

class PeakFinder {
 public:
  explicit PeakFinder(const PlanModel& model)
      : model_(model), order_(model, kMaxStreams), memories_(model.tensors.row_count()) {}

  LiveTimeline timeline() {
    LiveTimeline timeline;
    timeline.peak = find(timeline);
    if (timeline.peak.bytes) {
      timeline.ranges = all_ranges();
    } else {
      timeline.live_bytes.clear();
    }
    timeline.memory_of.reserve(root_.size());
    for (const std::uint32_t root : root_) {
      const Memory& memory = memories_[root];
      timeline.memory_of.emplace_back(std::size_t{memory.bytes < 0 ? root : memory.largest});
    }
    return timeline;
  }

  LivePeak find() {
    LiveTimeline timeline;
    return find(timeline);
  }

 private:
  LivePeak find(LiveTimeline& timeline) {
    LivePeak peak;
    peak.stream_count = static_cast<std::int64_t>(order_.stream_count());
    if (!order_.is_known()) return peak;
    make_memories();
    touch();
    for (const Memory& memory : memories_) {
      if (memory.counts && memory.is_touched && memory.bytes < 0) ++peak.tensors_without_size;
    }
    if (!add_up()) return peak;
    timeline.live_bytes = totals();
    const auto& total = timeline.live_bytes;
    const auto highest = std::ranges::max_element(total);
    if (highest == total.end() || *highest <= 0) {
      // Zero bytes are certain only where there are tensors and all have a size.
      const bool nothing = !memories_.empty() && peak.tensors_without_size == 0;
      if (nothing) peak.bytes = 0;
      return peak;
    }
    const auto layer = static_cast<std::size_t>(highest - total.begin());
    peak.bytes = *highest;
    peak.layer = LayerId(layer);
    timeline.at_peak = live_at(layer);
    peak.contributor_count = static_cast<std::int64_t>(timeline.at_peak.size());
    for (const LiveRange& range :
         std::span(timeline.at_peak).first(std::min(kMaxContributors, timeline.at_peak.size()))) {
      peak.contributors.push_back({range.tensor, range.bytes});
    }
    if (add_scratch()) {
      const auto with_scratch = totals();
      peak.with_scratch_bytes = std::ranges::max(with_scratch);
    }
    return peak;
  }

  void make_memories() {
    Aliases aliases(model_);
    root_.resize(memories_.size());
    for (std::size_t tensor = 0; tensor < memories_.size(); ++tensor) {
      root_[tensor] = aliases.root(static_cast<std::uint32_t>(tensor));
      Memory& memory = memories_[root_[tensor]];
      memory.counts = memory.counts && model_.tensors.role[tensor] == TensorRole::kActivation;
      const auto bytes = model_.tensors.bytes.get(tensor);
      if (bytes && *bytes > memory.bytes) {
        memory.bytes = *bytes;
        memory.largest = static_cast<std::uint32_t>(tensor);
      }
      if (tensor != root_[tensor]) memories_[tensor].counts = false;
    }
  }

  void touch() {
    for (std::size_t row = 0; row < model_.layers.row_count(); ++row) {
      if (!model_.is_shown(LayerId(row))) continue;
      const model::RowRange ports = model_.ports_of(LayerId(row));
      for (std::size_t port = ports.first; port < ports.end(); ++port) {
        Memory& memory = memories_[root_[model_.ports.tensor_id[port].index()]];
        if (memory.counts && model_.ports.direction[port] != Direction::kConstant) {
          touch(memory, row);
        }
      }
    }
  }

  void touch(Memory& memory, std::size_t layer) {
    const Position position = order_.position_of(layer);
    memory.last_layer = static_cast<std::uint32_t>(layer);
    if (!memory.is_touched) {
      memory.first_layer = memory.last_layer;
      memory.is_touched = true;
      memory.home = static_cast<std::uint32_t>(order_.stream_of(layer));
      memory.start = position;
      memory.end = position + 1;
      return;
    }
    const bool elsewhere = order_.stream_of(layer) != memory.home;
    const Position start = elsewhere ? order_.ended_before(layer, memory.home) : position;
    const Position end = elsewhere ? order_.starts_after(layer, memory.home) : position + 1;
    if (start <= memory.start && elsewhere) memory.starts_elsewhere = true;
    memory.start = std::min(memory.start, start);
    if (end > memory.end) {
      memory.end = end;
      memory.ends_elsewhere = elsewhere;
    } else if (end == memory.end) {
      memory.ends_elsewhere = memory.ends_elsewhere || elsewhere;
    }
  }

  // Fills running_ and between_: bytes that are live at each point of each stream. False on
  // overflow of a sum.
  bool add_up() {
    CheckedInt all = 0;
    running_.resize(order_.stream_count());
    between_.resize(order_.stream_count());
    for (std::size_t stream = 0; stream < order_.stream_count(); ++stream) {
      running_[stream].assign(order_.layers_of(stream).size() + 1, 0);
      between_[stream].assign(order_.layers_of(stream).size() + 2, 0);
    }
    for (const Memory& memory : memories_) {
      if (!memory.counts || !memory.is_touched || memory.bytes < 0) continue;
      all += memory.bytes;
      // No sum below exceeds this one, so none overflows if this does not; streams are added up
      // only over what each of them holds.
      if (!all.value()) return false;
      auto& running = running_[memory.home];
      running[memory.start] += memory.bytes;
      running[memory.end] -= memory.bytes;
      if (order_.stream_count() == 1 || memory.first_gap() > memory.last_gap()) continue;
      auto& between = between_[memory.home];
      between[memory.first_gap()] += memory.bytes;
      between[memory.last_gap() + 1] -= memory.bytes;
    }
    for (std::size_t stream = 0; stream < order_.stream_count(); ++stream) {
      std::partial_sum(running_[stream].begin(), running_[stream].end(), running_[stream].begin());
      std::partial_sum(between_[stream].begin(), between_[stream].end(), between_[stream].begin());
    }
    return true;
  }

  // False where no layer records it, or where the sums could overflow.
  bool add_scratch() {
    CheckedInt all = 0;
    for (const auto& stream : running_) all += std::ranges::max(stream);
    bool any = false;
    for (std::size_t stream = 0; stream < order_.stream_count(); ++stream) {
      for (const std::uint32_t layer : order_.layers_of(stream)) {
        const auto bytes = model_.layers.scratch_bytes.get(layer);
        if (!bytes || *bytes < 0) continue;
        any = true;
        all += *bytes;
        if (!all.value()) return false;
        running_[stream][order_.position_of(layer)] += *bytes;
      }
    }
    return any && all.value().has_value();
  }

  std::int64_t bytes_at(std::size_t stream, Point point) const {
    return point.is_gap ? between_[stream][point.position] : running_[stream][point.position];
  }

  // By layer; 0 for those that are not shown.
  std::vector<std::int64_t> totals() const {
    std::vector<std::int64_t> total(model_.layers.row_count(), 0);
    for (std::size_t own = 0; own < order_.stream_count(); ++own) {
      for (const std::uint32_t layer : order_.layers_of(own)) {
        total[layer] = running_[own][order_.position_of(layer)];
      }
      for (std::size_t other = 0; other < order_.stream_count(); ++other) {
        if (other != own) add_most_of(other, own, total);
      }
    }
    return total;
  }

  // Adds, to each layer of `own`, the most that can be live in `other` while it runs: a maximum
  // over a window whose ends only move forward.
  void add_most_of(std::size_t other, std::size_t own, std::vector<std::int64_t>& total) const {
    const auto others = order_.layers_of(other);
    const auto at = [&](Position p) { return std::max(running_[other][p], between_[other][p]); };
    std::deque<Position> candidates;  // positions in the window, their bytes descending
    Position first = 0, end = 0;
    for (const std::uint32_t layer : order_.layers_of(own)) {
      first = std::max(first, order_.ended_before(layer, other));
      while (end < others.size() &&
             order_.ended_before(others[end], own) <= order_.position_of(layer)) {
        while (!candidates.empty() && at(candidates.back()) <= at(end)) candidates.pop_back();
        candidates.push_back(end++);
      }
      while (!candidates.empty() && candidates.front() < first) candidates.pop_front();
      const std::int64_t in_window = candidates.empty() ? 0 : at(candidates.front());
      // It can also be before the layer that comes next.
      total[layer] += std::max(in_window, between_[other][std::max(first, end)]);
    }
  }

  // The point of `stream` that counts while `layer` of another stream runs.
  Point fullest_point(std::size_t layer, std::size_t stream) const {
    const Position first = order_.ended_before(layer, stream);
    const Position end = std::max(first, order_.starts_after(layer, stream));
    Point best{end, true};
    for (Position p = first; p < end; ++p) {
      for (const Point point : {Point{p, false}, Point{p, true}}) {
        if (bytes_at(stream, point) > bytes_at(stream, best)) best = point;
      }
    }
    return best;
  }

  static LiveRange range_of(const Memory& memory) {
    return {TensorId(memory.largest), memory.bytes, LayerId(memory.first_layer),
            LayerId(memory.last_layer)};
  }

  std::vector<LiveRange> all_ranges() const {
    std::vector<LiveRange> ranges;
    for (const Memory& memory : memories_) {
      if (memory.counts && memory.is_touched && memory.bytes > 0) {
        ranges.push_back(range_of(memory));
      }
    }
    std::ranges::sort(ranges, {}, &LiveRange::tensor);
    return ranges;
  }

  // Everything that is live while `layer` runs, largest first.
  std::vector<LiveRange> live_at(std::size_t layer) const {
    std::vector<LiveRange> live;
    std::vector<Point> points(order_.stream_count());
    for (std::size_t stream = 0; stream < points.size(); ++stream) {
      points[stream] = stream == order_.stream_of(layer) ? Point{order_.position_of(layer), false}
                                                         : fullest_point(layer, stream);
    }
    for (const Memory& memory : memories_) {
      if (!memory.counts || !memory.is_touched || memory.bytes <= 0) continue;
      const Point point = points[memory.home];
      const bool lives = point.is_gap
                             ? memory.lives_in_gap(point.position)
                             : memory.start <= point.position && point.position < memory.end;
      if (!lives) continue;
      live.push_back(range_of(memory));
    }
    std::ranges::sort(live, [](const LiveRange& a, const LiveRange& b) {
      return a.bytes != b.bytes ? a.bytes > b.bytes : a.tensor < b.tensor;
    });
    return live;
  }

  const PlanModel& model_;
  StreamOrder order_;
  std::vector<Memory> memories_;  // by tensor; only roots count
  std::vector<std::uint32_t> root_;
  // By stream, then position: live while the layer there runs, and in the gap before it.
  std::vector<std::vector<std::int64_t>> running_, between_;
};

}  // namespace

LivePeak live_peak(const PlanModel& model) { return PeakFinder(model).find(); }

LiveTimeline live_timeline(const PlanModel& model) { return PeakFinder(model).timeline(); }

}  // namespace planex::analyze
