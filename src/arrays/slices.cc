#include "arrays/slices.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "base/numbers.h"

namespace planex::arrays {
namespace {

// A dimension beyond this has no meaningful channels.
constexpr std::int64_t kMaxChannels = 1 << 16;

std::size_t product_of(std::span<const std::int64_t> dims) {
  std::size_t product = 1;
  for (const std::int64_t dim : dims) product *= static_cast<std::size_t>(dim);
  return product;
}

}  // namespace

void SliceSums::Channel::add(double reference, double subject) {
  ++count;
  const bool is_same = reference == subject || (std::isnan(reference) && std::isnan(subject));
  is_equal = is_equal && is_same;
  if (!std::isfinite(reference) || !std::isfinite(subject)) {
    if (!is_same) ++mismatches;
    return;
  }
  const double error = subject - reference;
  squares += reference * reference;
  error_squares += error * error;
  max = std::max(max, std::abs(reference));
  max_error = std::max(max_error, std::abs(error));
}

void SliceSums::Channel::add(const Channel& other) {
  count += other.count;
  mismatches += other.mismatches;
  is_equal = is_equal && other.is_equal;
  squares += other.squares;
  error_squares += other.error_squares;
  max = std::max(max, other.max);
  max_error = std::max(max_error, other.max_error);
}

// An axis on which samples differ has no channels.
void SliceSums::begin(std::span<const std::int64_t> shape) {
  if (!has_shape_) {
    has_shape_ = true;
    axes_.resize(shape.size());
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      const bool is_wanted = axis > 0 || (axis == split_.axis && !split_.sizes.empty());
      if (is_wanted && shape[axis] > 1 && shape[axis] <= kMaxChannels) {
        axes_[axis].resize(static_cast<std::size_t>(shape[axis]));
      }
    }
  } else if (axes_.size() != shape.size()) {
    axes_.assign(axes_.size(), {});
  } else {
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      if (axes_[axis].size() != static_cast<std::size_t>(shape[axis])) axes_[axis].clear();
    }
  }
  shape_.assign(shape.begin(), shape.end());
}

template <typename Value>
void SliceSums::add_block(std::size_t first, std::span<const Value> reference,
                          std::span<const Value> subject) {
  for (std::size_t axis = 0; axis < axes_.size() && axis < shape_.size(); ++axis) {
    std::vector<Channel>& channels = axes_[axis];
    if (channels.empty()) continue;
    const std::size_t inner = product_of(std::span(shape_).subspan(axis + 1));
    for (std::size_t i = 0; i < reference.size();) {
      const std::size_t place = (first + i) / inner;
      const std::size_t end = std::min(reference.size(), (place + 1) * inner - first);
      Channel sums;
      for (; i < end; ++i) sums.add(reference[i], subject[i]);
      channels[place % channels.size()].add(sums);
    }
  }
}

void SliceSums::add(std::span<const float> reference, std::span<const float> subject,
                    std::span<const std::int64_t> shape) {
  if (product_of(shape) != reference.size() || reference.size() != subject.size()) return;
  begin(shape);
  add_block<float>(0, reference, subject);
}

void SliceSums::add(const Array& reference, const Array& subject) {
  const std::size_t count = reference.data.size() / bytes_per_element(reference.type);
  if (product_of(reference.shape) != count ||
      count != subject.data.size() / bytes_per_element(subject.type)) {
    return;
  }
  begin(reference.shape);
  constexpr std::size_t kBlock = 4096;
  std::vector<double> reference_values, subject_values;
  for (std::size_t first = 0; first < count; first += kBlock) {
    const std::size_t size = std::min(kBlock, count - first);
    reference_values.resize(size);
    subject_values.resize(size);
    doubles_of(reference, first, reference_values);
    doubles_of(subject, first, subject_values);
    add_block<double>(first, reference_values, subject_values);
  }
}

// The gap nearest to the widest ranges separates them from those that they hide; a lower gap where
// that leaves too many runs.
SliceSums::Runs SliceSums::runs_of(std::span<const Channel> channels) {
  std::vector<double> ranges;
  for (const Channel& channel : channels) {
    if (channel.count < kMinValues) return {};
    if (channel.max > 0) ranges.push_back(channel.max);
  }
  std::ranges::sort(ranges);
  std::vector<std::pair<double, double>> gaps;  // the lowest range above, factor
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    const double factor = ranges[i] / ranges[i - 1];
    if (factor >= kRangeFactor) gaps.emplace_back(ranges[i], factor);
  }
  std::ranges::sort(gaps, std::ranges::greater{});
  for (const auto& [level, factor] : gaps) {
    Runs runs{.firsts = {0}, .factor = factor};
    std::optional<bool> is_wide;
    for (std::size_t place = 0; place < channels.size(); ++place) {
      // A channel without any signal goes with those before it.
      if (channels[place].max == 0) continue;
      const bool is_above = channels[place].max >= level;
      if (is_wide && *is_wide != is_above) runs.firsts.push_back(place);
      is_wide = is_above;
    }
    if (runs.firsts.size() <= kMaxRuns) return runs;
  }
  return {};
}

Slice SliceSums::slice_of(std::size_t axis, std::size_t first, std::size_t last) const {
  Channel sums;
  for (std::size_t place = first; place <= last; ++place) sums.add(axes_[axis][place]);
  Slice slice{.axis = static_cast<std::int64_t>(axis),
              .first = static_cast<std::int64_t>(first),
              .last = static_cast<std::int64_t>(last),
              .name = {},
              .count = sums.count,
              .nonfinite_mismatch_count = sums.mismatches,
              .is_equal = sums.is_equal,
              .sqnr_db = {},
              .reference_max_abs = base::finite(sums.max),
              .max_abs = base::finite(sums.max_error)};
  if (sums.squares > 0 && sums.error_squares > 0) {
    slice.sqnr_db = base::finite(10 * (std::log10(sums.squares) - std::log10(sums.error_squares)));
  }
  return slice;
}

std::vector<Slice> SliceSums::result() const {
  std::vector<Slice> slices;
  std::optional<std::size_t> known;
  if (split_.sizes.size() > 1 && split_.axis < axes_.size() && !axes_[split_.axis].empty()) {
    std::size_t sum = 0;
    const bool is_sane = std::ranges::all_of(split_.sizes, [&](std::int64_t size) {
      sum += size > 0 ? static_cast<std::size_t>(size) : 0;
      return size > 0;
    });
    if (is_sane && sum == axes_[split_.axis].size()) known = split_.axis;
  }
  if (known) {
    std::size_t first = 0;
    for (std::size_t i = 0; i < split_.sizes.size(); ++i) {
      const std::size_t end = first + static_cast<std::size_t>(split_.sizes[i]);
      slices.push_back(slice_of(*known, first, end - 1));
      if (i < split_.names.size()) slices.back().name = split_.names[i];
      first = end;
    }
  }
  const auto add_runs = [&](std::size_t axis, const Runs& runs,
                            std::span<const std::string> names) {
    for (std::size_t i = 0; i < runs.firsts.size(); ++i) {
      const std::size_t end = i + 1 < runs.firsts.size() ? runs.firsts[i + 1] : axes_[axis].size();
      slices.push_back(slice_of(axis, runs.firsts[i], end - 1));
      if (i < names.size()) slices.back().name = names[i];
    }
  };
  // There are as many ranges as joined tensors: they correspond.
  if (!known && split_.sizes.empty() && split_.names.size() > 1 && split_.axis < axes_.size() &&
      !axes_[split_.axis].empty()) {
    const Runs runs = runs_of(axes_[split_.axis]);
    if (runs.firsts.size() == split_.names.size()) {
      known = split_.axis;
      add_runs(*known, runs, split_.names);
    }
  }
  Runs widest;
  std::size_t axis_of_widest = 0;
  for (std::size_t axis = 1; axis < axes_.size(); ++axis) {
    if (axis == known || axes_[axis].empty()) continue;
    Runs runs = runs_of(axes_[axis]);
    if (runs.factor <= widest.factor) continue;
    widest = std::move(runs);
    axis_of_widest = axis;
  }
  add_runs(axis_of_widest, widest, {});
  return slices;
}

double kept_db(const Slice& slice) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (slice.nonfinite_mismatch_count > 0) return -kInfinity;
  if (slice.sqnr_db) return *slice.sqnr_db;
  return slice.max_abs.value_or(0) > 0 ? -kInfinity : kInfinity;
}

const Slice* worst_slice(std::span<const Slice> slices) {
  const Slice* worst = nullptr;
  for (const Slice& slice : slices) {
    if (worst == nullptr || kept_db(slice) < kept_db(*worst)) worst = &slice;
  }
  return worst;
}

}  // namespace planex::arrays
