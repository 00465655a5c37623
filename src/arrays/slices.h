// Parts of a tensor that are compared separately: one SQNR over a tensor that joins boxes of 0 to
// 640 with scores of 0 to 1 does not show the scores.
//
// docs/reference/accuracy.md tells users how a tensor is split.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "arrays/array.h"

namespace planex::arrays {

// How a tensor was joined: the Concat that makes it.
struct Split {
  std::size_t axis = 0;
  std::vector<std::int64_t> sizes;  // along the axis
  std::vector<std::string> names;   // of the joined parts, one per size
};

// Some neighbors along one axis.
struct Slice {
  std::int64_t axis = 0;
  std::int64_t first = 0, last = 0;  // both are in it
  std::string name;                  // the part that was joined there; empty: split by ranges
  // The same sums as in Difference, over the values of the slice.
  std::int64_t count = 0, nonfinite_mismatch_count = 0;
  bool is_equal = false;  // all values, but NaN equals NaN
  std::optional<double> sqnr_db;
  std::optional<double> reference_max_abs, max_abs;
};

// Sums along each axis of a tensor, from which slices are made.
//
// Slices are those of the Split, where the tensors' shape has it; without sizes the Split only
// names as many ranges. On the other axes, or where there is no Split, the tensor is split where
// ranges differ widely: where the channels of an axis have two levels of max |r|, kRangeFactor
// apart, in at most kMaxRuns runs. Of several such gaps the one nearest to the widest ranges
// counts, as these hide the rest. The axis whose levels are furthest apart is used. A channel has
// at least kMinValues values.
//
// Cost: O(values * axes). Memory: O(sum of dimensions).
class SliceSums {
 public:
  static constexpr double kRangeFactor = 20;
  static constexpr std::size_t kMaxRuns = 8;
  static constexpr std::int64_t kMinValues = 16;

  SliceSums() = default;
  explicit SliceSums(Split split) : split_(std::move(split)) {}

  // One sample. Both have as many values as the product of `shape`. The first axis is not split by
  // ranges: it is the batch.
  void add(std::span<const float> reference, std::span<const float> subject,
           std::span<const std::int64_t> shape);
  void add(const Array& reference, const Array& subject);

  // At least two, or none.
  std::vector<Slice> result() const;

 private:
  struct Channel {
    std::int64_t count = 0, mismatches = 0;
    bool is_equal = true;
    double squares = 0, error_squares = 0, max = 0, max_error = 0;
    void add(double reference, double subject);
    void add(const Channel& other);
  };
  // Runs of channels: the first of each.
  struct Runs {
    std::vector<std::size_t> firsts;
    double factor = 0;  // between the two levels
  };

  void begin(std::span<const std::int64_t> shape);
  template <typename Value>
  void add_block(std::size_t first, std::span<const Value> reference,
                 std::span<const Value> subject);
  static Runs runs_of(std::span<const Channel> channels);
  Slice slice_of(std::size_t axis, std::size_t first, std::size_t last) const;

  Split split_;
  bool has_shape_ = false;
  std::vector<std::int64_t> shape_;
  std::vector<std::vector<Channel>> axes_;  // an axis that is not examined has none
};

// The SQNR of a slice; infinite where nothing differs, minus infinity where something differs
// without a signal, or is finite on one side only.
double kept_db(const Slice& slice);

// The slice with the lowest SQNR; null without slices.
const Slice* worst_slice(std::span<const Slice> slices);

}  // namespace planex::arrays
