#include "analyze/timing/timeline.h"

#include <algorithm>
#include <unordered_map>

#include "analyze/memory/live_ranges.h"
#include "analyze/memory/stream_order.h"

namespace planex::analyze {
namespace {

class Tracks {
 public:
  explicit Tracks(std::vector<std::int64_t>& streams) : streams_(streams) {}

  std::uint32_t of(std::int64_t stream) {
    const auto [found, is_new] =
        index_.try_emplace(stream, static_cast<std::uint32_t>(streams_.size()));
    if (is_new) streams_.push_back(stream);
    return found->second;
  }

 private:
  std::vector<std::int64_t>& streams_;
  std::unordered_map<std::int64_t, std::uint32_t> index_;
};

// When layers start and end, one after the other in execution order.
class Clock {
 public:
  // Starts are multiples of `grid`.
  Clock(const StreamOrder& order, Femtoseconds grid)
      : order_(order), grid_(grid), ended_(order.is_known() ? order.stream_count() : 0) {}

  Femtoseconds start(std::size_t layer, std::uint32_t track, bool is_in_order) {
    if (track >= now_.size()) now_.resize(track + 1);
    Femtoseconds start = now_[track];
    for (std::size_t stream = 0; is_in_order && stream < ended_.size(); ++stream) {
      // Unplaced layers come later in execution order, and are not waited for.
      const std::size_t before =
          std::min<std::size_t>(order_.ended_before(layer, stream), ended_[stream].size());
      if (before > 0) start = std::max(start, ended_[stream][before - 1]);
    }
    return (start + grid_ - 1) / grid_ * grid_;
  }
  void end(std::size_t layer, std::uint32_t track, bool is_in_order, Femtoseconds at) {
    now_[track] = at;
    last_ = std::max(last_, at);
    if (is_in_order) ended_[order_.stream_of(layer)].push_back(at);
  }
  Femtoseconds last() const { return last_; }

 private:
  const StreamOrder& order_;
  Femtoseconds grid_;
  std::vector<Femtoseconds> now_;                 // by track: when its last layer has ended
  std::vector<std::vector<Femtoseconds>> ended_;  // by stream of the order, then position
  Femtoseconds last_ = 0;
};

}  // namespace

Timeline timeline_of(const model::PlanModel& model, TimeBasis basis) {
  constexpr Femtoseconds kNanosecond = 1'000'000;
  Timeline timeline;
  const ExactTimes times = exact_times(model, basis);
  if (!times.total) return timeline;
  timeline.basis = basis;
  timeline.total = 0;
  const StreamOrder order(model, kMaxStreams);
  timeline.is_ordered = order.is_known();

  Tracks tracks(timeline.streams);
  Clock exact(order, 1), shown_on(order, kNanosecond);
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    const model::LayerId layer(row);
    const auto time = times.of_layer[row];
    if (!model.is_shown(layer) && !time) continue;
    const bool is_in_order = model.is_shown(layer) && order.is_known();
    const std::uint32_t track = tracks.of(model.layers.stream.get(row).value_or(0));
    const Femtoseconds start = shown_on.start(row, track, is_in_order);
    const Femtoseconds duration = std::max<Femtoseconds>(time.value_or(0), 0);
    if (time && *time >= 0) {
      timeline.slices.push_back({layer, track, start, duration});
      *timeline.total += duration;
    } else if (time) {
      ++timeline.negative;
    } else if (model.does_work(layer)) {
      ++timeline.without_time;
    }
    shown_on.end(row, track, is_in_order, start + duration);
    exact.end(row, track, is_in_order, exact.start(row, track, is_in_order) + duration);
  }
  timeline.end = exact.last();
  return timeline;
}

}  // namespace planex::analyze
