#include "analyze/timeline.h"

#include <algorithm>
#include <unordered_map>

#include "analyze/live_ranges.h"
#include "analyze/stream_order.h"

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

}  // namespace

Timeline timeline_of(const model::PlanModel& model, TimeBasis basis) {
  Timeline timeline;
  const ExactTimes times = exact_times(model, basis);
  if (!times.total) return timeline;
  timeline.basis = basis;
  timeline.total = 0;
  const StreamOrder order(model, kMostStreams);
  timeline.is_ordered = order.is_known();

  Tracks tracks(timeline.streams);
  std::vector<Femtoseconds> now;  // by track: when its last layer has ended
  // By stream of the order: when the layers up to each position have ended.
  std::vector<std::vector<Femtoseconds>> ended(order.is_known() ? order.stream_count() : 0);
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    const model::LayerId layer(row);
    const bool shown = model.is_shown(layer);
    const auto time = times.of_layer[row];
    if (!shown && !time) continue;
    const std::uint32_t track = tracks.of(model.layers.stream.get(row).value_or(0));
    now.resize(timeline.streams.size());
    Femtoseconds start = now[track];
    if (shown && order.is_known()) {
      for (std::size_t stream = 0; stream < ended.size(); ++stream) {
        // What has not been placed yet comes later in execution order, and is not waited for.
        const std::size_t before =
            std::min<std::size_t>(order.ended_before(row, stream), ended[stream].size());
        if (before > 0) start = std::max(start, ended[stream][before - 1]);
      }
    }
    Femtoseconds end = start;
    if (time && *time >= 0) {
      timeline.slices.push_back({layer, track, start, *time});
      *timeline.total += *time;
      end += *time;
    } else if (time) {
      ++timeline.negative;
    } else if (model.does_work(layer)) {
      ++timeline.without_time;
    }
    now[track] = end;
    timeline.end = std::max(timeline.end, end);
    if (shown && order.is_known()) ended[order.stream_of(row)].push_back(end);
  }
  return timeline;
}

}  // namespace planex::analyze
