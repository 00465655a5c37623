#include "arrays/difference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace planex::arrays {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

Difference difference_of(const std::vector<float>& reference, const std::vector<float>& subject,
                         Tolerance tolerance = {}) {
  DifferenceSums sums(tolerance);
  sums.add(reference, subject);
  return sums.result();
}

template <typename T>
Array typed(ElementType type, const std::vector<T>& values) {
  Array array{.type = type, .shape = {static_cast<std::int64_t>(values.size())}, .data = {}};
  array.data.resize(values.size() * sizeof(T));
  std::memcpy(array.data.data(), values.data(), array.data.size());
  return array;
}

// r = 3, 4; s = 3, 2: signal 25, noise 4, rms 3.5355.
TEST(Difference, MeasuresAreThoseWorkedOutByHand) {
  const Difference result = difference_of({3, 4}, {3, 2});
  EXPECT_EQ(result.count, 2);
  EXPECT_FALSE(result.is_equal);
  EXPECT_NEAR(*result.sqnr_db, 10 * std::log10(25.0 / 4), 1e-12);
  EXPECT_NEAR(*result.psnr_db, 20 * std::log10(4.0) - 10 * std::log10(2.0), 1e-12);
  EXPECT_NEAR(*result.cosine, 17.0 / (5 * std::sqrt(13.0)), 1e-12);
  EXPECT_DOUBLE_EQ(*result.max_abs, 2);
  EXPECT_DOUBLE_EQ(*result.mean_abs, 1);
  EXPECT_DOUBLE_EQ(*result.max_rel, 0.5);
  EXPECT_DOUBLE_EQ(*result.mean_rel, 0.25);
  EXPECT_DOUBLE_EQ(*result.outside_ratio, 0.5);
}

TEST(Difference, RelativeErrorNearZeroIsFlooredByTheRms) {
  // rms = sqrt((0 + 100) / 2) = 7.07: an error of 1 beside 0 is 0.141, not infinite.
  const Difference result = difference_of({0, 10}, {1, 10});
  EXPECT_NEAR(*result.max_rel, 1 / std::sqrt(50.0), 1e-12);
}

TEST(Difference, TheFloorIsThatOfEachSample) {
  DifferenceSums sums;
  sums.add(std::vector<float>{1, 1}, std::vector<float>{1, 1.5});
  sums.add(std::vector<float>{100, 100}, std::vector<float>{100, 101});
  EXPECT_DOUBLE_EQ(*sums.result().max_rel, 0.5);
  EXPECT_EQ(sums.result().count, 4);
}

TEST(Difference, WhatIsEqualHasNoNoise) {
  const Difference result = difference_of({1, -2, kNan, kInfinity}, {1, -2, kNan, kInfinity});
  EXPECT_TRUE(result.is_equal);
  EXPECT_EQ(result.sqnr_db, std::nullopt);
  EXPECT_EQ(result.psnr_db, std::nullopt);
  EXPECT_EQ(*result.max_abs, 0);
  EXPECT_DOUBLE_EQ(*result.cosine, 1);
  EXPECT_EQ(*result.outside_ratio, 0);
}

TEST(Difference, ZerosOfBothSignsAreNotEqualButDoNotDiffer) {
  const Difference result = difference_of({0.0F}, {-0.0F});
  EXPECT_FALSE(result.is_equal);
  EXPECT_EQ(*result.max_abs, 0);
  EXPECT_EQ(*result.outside_ratio, 0);
}

TEST(Difference, AReferenceOfZerosHasNoSignal) {
  const Difference result = difference_of({0, 0}, {0, 1});
  EXPECT_EQ(result.sqnr_db, std::nullopt);
  EXPECT_EQ(result.psnr_db, std::nullopt);
  EXPECT_EQ(result.cosine, std::nullopt);
  EXPECT_EQ(result.max_rel, std::nullopt);
  EXPECT_EQ(*result.max_abs, 1);
  EXPECT_EQ(*result.mean_abs, 0.5);
}

TEST(Difference, WhatIsNotFiniteIsCountedAndLeftOut) {
  const Difference result =
      difference_of({kNan, 1, kInfinity, 2, -kInfinity}, {1, kNan, -kInfinity, 2, -kInfinity});
  EXPECT_EQ(result.reference_nan_count, 1);
  EXPECT_EQ(result.reference_inf_count, 2);
  EXPECT_EQ(result.subject_nan_count, 1);
  EXPECT_EQ(result.subject_inf_count, 2);
  EXPECT_EQ(result.nonfinite_mismatch_count, 3);
  EXPECT_EQ(result.count, 5);
  // Only the pair 2, 2 is finite; -inf is the same on both sides.
  EXPECT_EQ(*result.max_abs, 0);
  EXPECT_DOUBLE_EQ(*result.outside_ratio, 3.0 / 5);
}

TEST(Difference, NothingFiniteOrNothingAtAllHasNoMeasures) {
  const Difference none = difference_of({kNan}, {1});
  EXPECT_EQ(none.max_abs, std::nullopt);
  EXPECT_EQ(none.cosine, std::nullopt);
  EXPECT_EQ(*none.outside_ratio, 1);
  const Difference empty = difference_of({}, {});
  EXPECT_EQ(empty.count, 0);
  EXPECT_TRUE(empty.is_equal);
  EXPECT_EQ(empty.outside_ratio, std::nullopt);
  EXPECT_EQ(empty.max_abs, std::nullopt);
}

TEST(Difference, ToleranceIsAbsoluteAndRelative) {
  const std::vector<float> reference{10, 10, 10, 10};
  const std::vector<float> subject{10, 10.5, 11, 12};
  EXPECT_DOUBLE_EQ(
      *difference_of(reference, subject, {.absolute = 0.5, .relative = 0}).outside_ratio, 0.5);
  EXPECT_DOUBLE_EQ(
      *difference_of(reference, subject, {.absolute = 0, .relative = 0.1}).outside_ratio, 0.25);
  EXPECT_DOUBLE_EQ(
      *difference_of(reference, subject, {.absolute = 1, .relative = 0.1}).outside_ratio, 0);
}

TEST(Difference, ArraysOfIntegersAreToldApartBeyondFloatAndDouble) {
  const Array one = typed<std::int64_t>(ElementType::kInt64, {16777217, (1LL << 53) + 1});
  DifferenceSums by_float;
  by_float.add(one, typed<std::int64_t>(ElementType::kInt64, {16777216, (1LL << 53) + 1}));
  EXPECT_EQ(*by_float.result().max_abs, 1);
  DifferenceSums by_double;
  by_double.add(one, typed<std::int64_t>(ElementType::kInt64, {16777217, 1LL << 53}));
  EXPECT_FALSE(by_double.result().is_equal);
}

TEST(Difference, ArraysOfTwoTypesAreComparedByValue) {
  DifferenceSums sums;
  sums.add(typed<float>(ElementType::kFloat32, {1, 0.5, kNan}),
           typed<double>(ElementType::kFloat64, {1, 0.5, std::nan("")}));
  EXPECT_TRUE(sums.result().is_equal);
}

TEST(Difference, LargeTensorsLoseNothing) {
  // 0.1 has no finite binary form: adding ten million squares in float32 would lose three digits.
  const std::vector<float> reference(10'000'000, 0.1F);
  const std::vector<float> subject(10'000'000, 0.1001F);
  const double noise = static_cast<double>(0.1001F) - static_cast<double>(0.1F);
  EXPECT_NEAR(*difference_of(reference, subject).sqnr_db,
              20 * std::log10(static_cast<double>(0.1F) / noise), 1e-9);
}

TEST(Agreement, CountsLargestClasses) {
  Agreement sums;
  // The same class; the reference's is second; the reference's is sixth; equal values.
  add_agreement(std::vector<float>{0, 9, 1, 2, 3, 4, 5}, std::vector<float>{0, 7, 1, 2, 3, 4, 5}, 7,
                sums);
  add_agreement(std::vector<float>{0, 9, 1, 2, 3, 4, 5}, std::vector<float>{8, 7, 1, 2, 3, 4, 5}, 7,
                sums);
  add_agreement(std::vector<float>{9, 0, 1, 2, 3, 4, 5}, std::vector<float>{1, 0, 2, 3, 4, 5, 6}, 7,
                sums);
  EXPECT_EQ(sums.rows, 3);
  EXPECT_EQ(sums.top1_count, 1);
  EXPECT_EQ(sums.top5_count, 2);
}

TEST(Agreement, OfEqualValuesTheFirstIsTheLargest) {
  Agreement sums;
  add_agreement(std::vector<float>{1, 1, 0, 2}, std::vector<float>{1, 1, 2, 2}, 2, sums);
  EXPECT_EQ(sums.rows, 2);
  EXPECT_EQ(sums.top1_count, 1);
}

TEST(Agreement, NanIsNoClass) {
  Agreement sums;
  add_agreement(std::vector<float>{kNan, 1, kNan, kNan, 1, 2},
                std::vector<float>{kNan, 1, kNan, kNan, 1, kNan}, 2, sums);
  EXPECT_EQ(sums.rows, 3);
  EXPECT_EQ(sums.top1_count, 1);
  EXPECT_EQ(sums.top5_count, 1);
}

}  // namespace
}  // namespace planex::arrays
