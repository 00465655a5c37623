#include "arrays/difference.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/numbers.h"

namespace planex::arrays {
namespace {

// Small enough that both blocks stay in the L1 cache, large enough that block sums are added to a
// total only thousands of times.
constexpr std::size_t kBlock = 1024;

bool is_same_element(double reference, double subject) {
  return std::bit_cast<std::uint64_t>(reference) == std::bit_cast<std::uint64_t>(subject) ||
         (std::isnan(reference) && std::isnan(subject));
}

// How many classes come before class `at`: larger, or equal and earlier.
std::size_t rank_of(std::span<const float> row, std::size_t at) {
  std::size_t rank = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i] > row[at] || (row[i] == row[at] && i < at)) ++rank;
  }
  return rank;
}

}  // namespace

template <typename Fill>
void DifferenceSums::add_blocks(std::size_t count, const Fill& fill) {
  std::array<double, kBlock> reference_values;
  std::array<double, kBlock> subject_values;
  const auto for_each_block = [&](const auto& look) {
    for (std::size_t first = 0; first < count; first += kBlock) {
      const std::size_t size = std::min(kBlock, count - first);
      const std::span reference = std::span(reference_values).first(size);
      const std::span subject = std::span(subject_values).first(size);
      fill(first, reference, subject);
      look(reference, subject);
    }
  };
  double squares = 0;
  std::int64_t pairs = 0;
  for_each_block([&](std::span<const double> reference, std::span<const double> subject) {
    double block_squares = 0;
    for (std::size_t i = 0; i < reference.size(); ++i) {
      if (!std::isfinite(reference[i]) || !std::isfinite(subject[i])) continue;
      block_squares += reference[i] * reference[i];
      ++pairs;
    }
    squares += block_squares;
  });
  const double rms = pairs > 0 ? std::sqrt(squares / static_cast<double>(pairs)) : 0;
  for_each_block([&](std::span<const double> reference, std::span<const double> subject) {
    add_block(reference, subject, rms);
  });
}

void DifferenceSums::add_block(std::span<const double> reference, std::span<const double> subject,
                               double rms) {
  double reference_squares = 0, subject_squares = 0, products = 0, error_squares = 0;
  double abs_sum = 0, rel_sum = 0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const double r = reference[i];
    const double s = subject[i];
    const bool is_same = is_same_element(r, s);
    is_equal_ = is_equal_ && is_same;
    if (!std::isfinite(r) || !std::isfinite(s)) {
      reference_nan_ += std::isnan(r) ? 1 : 0;
      reference_inf_ += std::isinf(r) ? 1 : 0;
      subject_nan_ += std::isnan(s) ? 1 : 0;
      subject_inf_ += std::isinf(s) ? 1 : 0;
      nonfinite_mismatches_ += is_same ? 0 : 1;
      outside_ += is_same ? 0 : 1;
      continue;
    }
    ++finite_;
    const double magnitude = std::abs(r);
    const double error = s - r;
    const double distance = std::abs(error);
    reference_squares += r * r;
    subject_squares += s * s;
    products += r * s;
    error_squares += error * error;
    abs_sum += distance;
    max_abs_ = std::max(max_abs_, distance);
    reference_max_ = std::max(reference_max_, magnitude);
    outside_ += distance > tolerance_.absolute + tolerance_.relative * magnitude ? 1 : 0;
    // A piece of the reference that is all zero has no relative errors.
    if (rms > 0) {
      const double relative = distance / std::max(magnitude, rms);
      rel_sum += relative;
      max_rel_ = std::max(max_rel_, relative);
      ++relative_;
    }
  }
  count_ += static_cast<std::int64_t>(reference.size());
  reference_squares_ += reference_squares;
  subject_squares_ += subject_squares;
  products_ += products;
  error_squares_ += error_squares;
  abs_sum_ += abs_sum;
  rel_sum_ += rel_sum;
}

void DifferenceSums::add(std::span<const float> reference, std::span<const float> subject) {
  const std::size_t count = std::min(reference.size(), subject.size());
  add_blocks(count, [&](std::size_t first, std::span<double> r, std::span<double> s) {
    std::copy_n(reference.data() + first, r.size(), r.data());
    std::copy_n(subject.data() + first, s.size(), s.data());
  });
}

void DifferenceSums::add(const Array& reference, const Array& subject) {
  const std::size_t count = std::min(reference.data.size() / bytes_per_element(reference.type),
                                     subject.data.size() / bytes_per_element(subject.type));
  add_blocks(count, [&](std::size_t first, std::span<double> r, std::span<double> s) {
    doubles_of(reference, first, r);
    doubles_of(subject, first, s);
  });
  // Doubles can't distinguish all 64-bit integers.
  if (reference.type == subject.type && !is_float(reference.type)) {
    is_equal_ = is_equal_ && reference.data == subject.data;
  }
}

Difference DifferenceSums::result() const {
  Difference result{.count = count_,
                    .reference_nan_count = reference_nan_,
                    .reference_inf_count = reference_inf_,
                    .subject_nan_count = subject_nan_,
                    .subject_inf_count = subject_inf_,
                    .nonfinite_mismatch_count = nonfinite_mismatches_,
                    .is_equal = is_equal_};
  if (count_ > 0) {
    result.outside_ratio = static_cast<double>(outside_) / static_cast<double>(count_);
  }
  if (finite_ == 0) return result;
  const auto pairs = static_cast<double>(finite_);
  if (error_squares_ > 0 && reference_squares_ > 0) {
    result.sqnr_db =
        base::finite(10 * (std::log10(reference_squares_) - std::log10(error_squares_)));
    result.psnr_db =
        base::finite(20 * std::log10(reference_max_) - 10 * std::log10(error_squares_ / pairs));
  }
  if (reference_squares_ > 0 && subject_squares_ > 0) {
    const double cosine = products_ / (std::sqrt(reference_squares_) * std::sqrt(subject_squares_));
    if (std::isfinite(cosine)) result.cosine = std::clamp(cosine, -1.0, 1.0);
    // Rounding alone would separate equal values.
    if (result.cosine && error_squares_ == 0) result.cosine = 1;
  }
  result.max_abs = base::finite(max_abs_);
  result.mean_abs = base::finite(abs_sum_ / pairs);
  if (relative_ > 0) {
    result.max_rel = base::finite(max_rel_);
    result.mean_rel = base::finite(rel_sum_ / static_cast<double>(relative_));
  }
  return result;
}

std::optional<double> kept_db(const Difference& difference) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  // NaN where there should be none is worse than any noise.
  if (difference.nonfinite_mismatch_count > 0) return -kInfinity;
  if (difference.is_equal || difference.max_abs == 0.0) return kInfinity;
  if (!difference.sqnr_db) return std::nullopt;
  const Slice* const worst = worst_slice(difference.slices);
  return worst == nullptr ? *difference.sqnr_db : std::min(*difference.sqnr_db, kept_db(*worst));
}

void add_agreement(std::span<const float> reference, std::span<const float> subject,
                   std::size_t classes, Agreement& sums) {
  if (classes == 0) return;
  const std::size_t rows = std::min(reference.size(), subject.size()) / classes;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::span reference_row = reference.subspan(i * classes, classes);
    const std::span subject_row = subject.subspan(i * classes, classes);
    ++sums.rows;
    std::optional<std::size_t> best;
    for (std::size_t at = 0; at < classes; ++at) {
      if (std::isnan(reference_row[at])) continue;
      if (!best || reference_row[at] > reference_row[*best]) best = at;
    }
    if (!best || std::isnan(subject_row[*best])) continue;
    constexpr std::size_t kFew = 5;
    const std::size_t rank = rank_of(subject_row, *best);
    sums.top1_count += rank == 0 ? 1 : 0;
    sums.top5_count += rank < kFew ? 1 : 0;
  }
}

}  // namespace planex::arrays
