#include "analyze/timing/kernel_timeline.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace planex::analyze {
namespace {

using model::LayerId;
using model::PlanModel;

constexpr double kUsPerMs = 1000;
// Longer than any trace, and far below the limit of Femtoseconds.
constexpr Femtoseconds kLatest = Femtoseconds{1} << 61;

// One row per place in a layer's launches.
std::vector<std::size_t> rows_of_one_inference(const PlanModel& model) {
  const model::KernelsTable& kernels = model.kernels;
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < kernels.row_count(); ++row) {
    const LayerId layer = kernels.layer_id[row];
    if (!layer.is_null() && model.is_shown(layer)) rows.push_back(row);
  }
  const auto place = [&](std::size_t row) {
    return std::pair(kernels.layer_id[row], kernels.index[row]);
  };
  std::ranges::sort(rows, {}, [&](std::size_t row) {
    // The largest count first; its complement can't overflow.
    return std::tuple(place(row), ~kernels.count.get(row).value_or(0), row);
  });
  const auto others = std::ranges::unique(rows, {}, place);
  rows.erase(others.begin(), others.end());
  return rows;
}

}  // namespace

KernelTimeline kernel_timeline_of(const PlanModel& model) {
  const model::KernelsTable& kernels = model.kernels;
  KernelTimeline timeline;
  struct Placed {
    std::optional<std::int64_t> stream;
    KernelSlice slice;
  };
  std::vector<Placed> placed;
  for (const std::size_t row : rows_of_one_inference(model)) {
    const auto start = kernels.start_us.get(row), time = kernels.median_us.get(row);
    const auto start_fs = start.and_then([](double us) { return femtoseconds(us / kUsPerMs); });
    const auto time_fs = time.and_then([](double us) { return femtoseconds(us / kUsPerMs); });
    if (!start_fs || !time_fs || *start_fs < 0 || *time_fs < 0) {
      ++timeline.without_time;
      continue;
    }
    placed.push_back({.stream = kernels.stream.get(row),
                      .slice = {.row = row, .start = *start_fs, .duration = *time_fs}});
  }
  // An unknown stream goes last.
  std::ranges::sort(placed, {}, [](const Placed& of) {
    return std::tuple(!of.stream, of.stream, of.slice.start, of.slice.row);
  });
  Femtoseconds end = 0;
  for (Placed& of : placed) {
    if (timeline.streams.empty() || timeline.streams.back() != of.stream) {
      timeline.streams.push_back(of.stream);
      end = 0;
    }
    KernelSlice& slice = of.slice;
    slice.track = static_cast<std::uint32_t>(timeline.streams.size() - 1);
    slice.start = std::max(slice.start, end);
    if (slice.start > kLatest - slice.duration) {
      ++timeline.without_time;
      continue;
    }
    end = slice.start + slice.duration;
    timeline.slices.push_back(slice);
  }
  return timeline;
}

}  // namespace planex::analyze
