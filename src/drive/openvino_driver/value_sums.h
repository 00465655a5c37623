// Statistics of a tensor's values over samples: range and histogram.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace planex::drive {

// Cost: O(values); memory: one float per sample.
class RangeSums {
 public:
  // The values of one sample.
  void add(std::span<const float> values);

  std::int64_t count() const { return count_; }
  std::int64_t nan_count() const { return nan_; }
  std::int64_t inf_count() const { return inf_; }
  std::int64_t zero_count() const { return zero_; }
  bool has_finite() const { return count_ > nan_ + inf_; }
  // Over finite values; 0 if there are none.
  float min() const { return has_finite() ? min_ : 0; }
  float max() const { return has_finite() ? max_ : 0; }
  float max_abs() const;
  const std::vector<float>& sample_max_abs() const { return sample_max_abs_; }

 private:
  std::int64_t count_ = 0, nan_ = 0, inf_ = 0, zero_ = 0;
  float min_ = 0, max_ = 0;
  bool has_range_ = false;
  std::vector<float> sample_max_abs_;
};

// Bins of |x| over [0, max_abs]; values that are not finite are left out.
class Histogram {
 public:
  Histogram(std::size_t bins, float max_abs);
  void add(std::span<const float> values);
  std::vector<std::uint64_t> counts() const;
  // Only the values below 0.
  std::vector<std::uint64_t> negative_counts() const;

 private:
  // Neighbours go to different lanes: incrementing a count that was just written would stall, and
  // tensors are full of runs of the same value.
  static constexpr std::size_t kLanes = 4;
  std::size_t bins_;
  double scale_;  // bins per unit
  // Per lane: the bins of non-negative values, then the bins of negative ones.
  std::vector<std::uint64_t> counts_;
};

}  // namespace planex::drive
