// How much one tensor differs from another: the measures of `planex accuracy`.
//
// docs/reference/accuracy.md defines them for users.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "arrays/array.h"
#include "arrays/slices.h"

namespace planex::arrays {

struct Tolerance {
  double absolute = 1e-5;
  double relative = 1e-5;
};

// For all values that were added. Sums are over pairs in which both values are finite; a measure
// that is undefined for the values (no signal, nothing finite) is null, never 0 or infinity.
struct Difference {
  std::int64_t count = 0;
  std::int64_t reference_nan_count = 0, reference_inf_count = 0;
  std::int64_t subject_nan_count = 0, subject_inf_count = 0;
  // Pairs in which a NaN or infinity does not match.
  std::int64_t nonfinite_mismatch_count = 0;
  bool is_equal = false;  // bit for bit, but NaN equals NaN
  // 10 log10(sum r^2 / sum (s - r)^2). Null where the reference is all zero, or no pair differs.
  std::optional<double> sqnr_db;
  // 20 log10(max |r|) - 10 log10(mean (s - r)^2), as in Polygraphy.
  std::optional<double> psnr_db;
  std::optional<double> cosine;
  std::optional<double> max_abs, mean_abs;
  // |s - r| / max(|r|, rms of the reference): relative error near zero is noise.
  std::optional<double> max_rel, mean_rel;
  // Share of the values beyond absolute + relative * |r|; a NaN or infinity that the other does not
  // have counts as beyond.
  std::optional<double> outside_ratio;
  // Parts that are judged separately; empty: the tensor is one part.
  std::vector<Slice> slices;
};

// The tensor's SQNR, or that of its worst slice where that is lower. Infinite where nothing
// differs, minus infinity where a slice differs without a signal, or is finite on one side only.
// Null where the tensor has no signal.
std::optional<double> kept_db(const Difference& difference);

// Cost: O(values), constant memory. Sums are doubles, in blocks, so that the same values in the
// same pieces give the same results.
class DifferenceSums {
 public:
  explicit DifferenceSums(Tolerance tolerance = {}) : tolerance_(tolerance) {}

  // Values of one sample; both have the same size. The lower limit for the relative error's divisor
  // is the rms of this piece of the reference.
  void add(std::span<const float> reference, std::span<const float> subject);
  // The same for arrays with equal element counts, of any types, in float64. Where the types are
  // the same, elements are equal if their bytes are. Neither array is copied.
  void add(const Array& reference, const Array& subject);

  Difference result() const;

 private:
  // Fills a block with the values from a place on.
  template <typename Fill>
  void add_blocks(std::size_t count, const Fill& fill);
  void add_block(std::span<const double> reference, std::span<const double> subject, double rms);

  Tolerance tolerance_;
  std::int64_t count_ = 0, finite_ = 0, relative_ = 0, outside_ = 0;
  std::int64_t reference_nan_ = 0, reference_inf_ = 0, subject_nan_ = 0, subject_inf_ = 0;
  std::int64_t nonfinite_mismatches_ = 0;
  bool is_equal_ = true;
  double reference_squares_ = 0, subject_squares_ = 0, products_ = 0, error_squares_ = 0;
  double abs_sum_ = 0, rel_sum_ = 0, max_abs_ = 0, max_rel_ = 0, reference_max_ = 0;
};

// Agreement of the largest values along the last axis, which is the classes: rows of `classes`
// values.
struct Agreement {
  std::int64_t rows = 0;
  std::int64_t top1_count = 0;  // same largest class
  std::int64_t top5_count = 0;  // the reference's class is among the subject's five largest
};
// Among equal values the first is the largest; NaN is below everything, and a row of NaN only
// agrees with none.
void add_agreement(std::span<const float> reference, std::span<const float> subject,
                   std::size_t classes, Agreement& sums);

}  // namespace planex::arrays
