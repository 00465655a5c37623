#include "arrays/slices.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "arrays/accuracy.h"
#include "arrays/difference.h"

namespace planex::arrays {
namespace {

constexpr std::int64_t kPlaces = 32;

// 1 x channels x kPlaces: channel c is `ranges[c]` with a sign that changes from place to place.
std::vector<float> joined(const std::vector<float>& ranges) {
  std::vector<float> values;
  for (const float range : ranges) {
    for (std::int64_t place = 0; place < kPlaces; ++place) {
      values.push_back(place % 2 == 0 ? range : -range);
    }
  }
  return values;
}

std::vector<std::int64_t> shape_of(const std::vector<float>& ranges) {
  return {1, static_cast<std::int64_t>(ranges.size()), kPlaces};
}

Array floats_array_of(const std::vector<float>& values, std::vector<std::int64_t> shape) {
  std::string data(values.size() * sizeof(float), '\0');
  std::memcpy(data.data(), values.data(), data.size());
  return {.type = ElementType::kFloat32, .shape = std::move(shape), .data = std::move(data)};
}

TEST(Slices, BoxesAndScoresAreTwo) {
  const std::vector<float> ranges = {200, 310, 100, 250, 0.9F, 0.002F, 0.5F};
  const std::vector<float> reference = joined(ranges);
  std::vector<float> subject = reference;
  // Boxes are 1 off, all scores 0.
  for (std::size_t i = 0; i < subject.size(); ++i) {
    subject[i] = i < 4 * kPlaces ? subject[i] + 1 : 0;
  }
  SliceSums sums;
  sums.add(reference, subject, shape_of(ranges));
  const std::vector<Slice> slices = sums.result();
  ASSERT_EQ(slices.size(), 2);
  EXPECT_EQ(slices[0].axis, 1);
  EXPECT_EQ(slices[0].first, 0);
  EXPECT_EQ(slices[0].last, 3);
  EXPECT_EQ(slices[1].first, 4);
  EXPECT_EQ(slices[1].last, 6);
  EXPECT_EQ(slices[1].count, 3 * kPlaces);
  // (200^2 + 310^2 + 100^2 + 250^2) / 4 of an error of 1.
  EXPECT_NEAR(*slices[0].sqnr_db, 10 * std::log10((40000 + 96100 + 10000 + 62500) / 4.0), 1e-9);
  EXPECT_NEAR(*slices[1].sqnr_db, 0, 1e-9);
  EXPECT_FLOAT_EQ(static_cast<float>(*slices[1].reference_max_abs), 0.9F);
  EXPECT_EQ(worst_slice(slices), &slices[1]);
}

TEST(Slices, NamesOfWhatIsJoinedComeFromTheSplit) {
  const std::vector<float> ranges = {5, 5, 5};
  const std::vector<float> reference = joined(ranges);
  SliceSums sums({.axis = 1, .sizes = {1, 2}, .names = {"box", "score"}});
  sums.add(reference, reference, shape_of(ranges));
  const std::vector<Slice> slices = sums.result();
  ASSERT_EQ(slices.size(), 2);
  EXPECT_EQ(slices[1].name, "score");
  EXPECT_EQ(slices[1].first, 1);
  EXPECT_EQ(slices[1].last, 2);
  EXPECT_TRUE(slices[1].is_equal);
  EXPECT_EQ(kept_db(slices[1]), std::numeric_limits<double>::infinity());
}

// Sizes that the tensor does not have are ignored; names alone belong to as many ranges.
TEST(Slices, ASplitThatDoesNotFitIsReplacedByRanges) {
  const std::vector<float> ranges = {300, 300, 1, 1};
  const std::vector<float> reference = joined(ranges);
  for (const Split& split : {Split{.axis = 1, .sizes = {3, 3}, .names = {"a", "b"}},
                             Split{.axis = 1, .sizes = {}, .names = {"a", "b"}}}) {
    SliceSums sums(split);
    sums.add(reference, reference, shape_of(ranges));
    const std::vector<Slice> slices = sums.result();
    ASSERT_EQ(slices.size(), 2);
    EXPECT_EQ(slices[0].last, 1);
    EXPECT_EQ(slices[1].name, split.sizes.empty() ? "b" : "");
  }
}

// Heads of three sizes joined along places, each of boxes and scores: both axes are examined.
TEST(Slices, RangesSplitAnotherAxisThanTheConcat) {
  const std::vector<float> ranges = {300, 1};
  const std::vector<float> reference = joined(ranges);
  SliceSums sums({.axis = 2, .sizes = {24, 8}, .names = {"p3", "p4"}});
  sums.add(reference, reference, shape_of(ranges));
  const std::vector<Slice> slices = sums.result();
  ASSERT_EQ(slices.size(), 4);
  EXPECT_EQ(slices[1].axis, 2);
  EXPECT_EQ(slices[2].axis, 1);
  EXPECT_EQ(slices[3].axis, 1);
}

TEST(Slices, OneRangeOrManyScatteredOnesAreNotSplit) {
  std::vector<float> alike(64, 1), scattered;
  for (int channel = 0; channel < 64; ++channel) {
    alike[static_cast<std::size_t>(channel)] = 1.0F + static_cast<float>(channel) / 10;
    scattered.push_back(channel % 2 == 0 ? 1000 : 1);
  }
  for (const std::vector<float>& ranges : {alike, scattered}) {
    const std::vector<float> reference = joined(ranges);
    SliceSums sums;
    sums.add(reference, reference, shape_of(ranges));
    EXPECT_TRUE(sums.result().empty());
  }
}

// One value per channel does not show a range: ten logits of one sample.
TEST(Slices, ChannelsOfFewValuesAreNotSplit) {
  const std::vector<float> reference = {1000, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  const std::vector<std::int64_t> shape = {1, 10};
  SliceSums sums;
  sums.add(reference, reference, shape);
  EXPECT_TRUE(sums.result().empty());
}

TEST(Slices, SamplesOfOtherShapesAreNotAdded) {
  const std::vector<float> ranges = {300, 1};
  const std::vector<float> reference = joined(ranges);
  SliceSums sums;
  sums.add(reference, reference, shape_of(ranges));
  const std::vector<std::int64_t> flat = {1, 2 * kPlaces};
  sums.add(reference, reference, flat);
  EXPECT_TRUE(sums.result().empty());
  SliceSums wrong;
  const std::vector<std::int64_t> other = {1, 3, kPlaces};
  wrong.add(reference, reference, other);
  EXPECT_TRUE(wrong.result().empty());
}

TEST(Slices, ArraysAreSplitAsTheirValuesAre) {
  const std::vector<float> ranges = {300, 300, 1};
  const std::vector<float> reference = joined(ranges);
  std::vector<float> subject = reference;
  subject.back() += 0.25F;
  SliceSums of_floats, of_arrays;
  of_floats.add(reference, subject, shape_of(ranges));
  of_arrays.add(floats_array_of(reference, shape_of(ranges)),
                floats_array_of(subject, shape_of(ranges)));
  const std::vector<Slice> one = of_floats.result(), two = of_arrays.result();
  ASSERT_EQ(one.size(), 2);
  ASSERT_EQ(two.size(), 2);
  EXPECT_DOUBLE_EQ(*one[1].sqnr_db, *two[1].sqnr_db);
}

TEST(Slices, NanInASliceIsTheWorst) {
  const std::vector<float> ranges = {300, 1};
  const std::vector<float> reference = joined(ranges);
  std::vector<float> subject = reference;
  subject[0] = std::numeric_limits<float>::quiet_NaN();
  SliceSums sums;
  sums.add(reference, subject, shape_of(ranges));
  const std::vector<Slice> slices = sums.result();
  ASSERT_EQ(slices.size(), 2);
  EXPECT_EQ(slices[0].nonfinite_mismatch_count, 1);
  EXPECT_EQ(worst_slice(slices), &slices[0]);
}

// A tensor of 47 dB whose scores are all 0 fails a limit of 20 dB.
TEST(Slices, ATensorKeepsWhatItsWorstSliceKeeps) {
  const std::vector<float> ranges = {300, 300, 1};
  const std::vector<float> reference = joined(ranges);
  std::vector<float> subject = reference;
  std::fill(subject.end() - kPlaces, subject.end(), 0.0F);
  ArrayRun first, second;
  first.iterations.push_back({{{"y", floats_array_of(reference, shape_of(ranges))}}});
  second.iterations.push_back({{{"y", floats_array_of(subject, shape_of(ranges))}}});
  const auto report = compare_arrays(first, second, false, {.fail_below_db = 20});
  ASSERT_TRUE(report);
  const Difference& difference = report->tensors.front().difference;
  EXPECT_GT(*difference.sqnr_db, 40);
  EXPECT_NEAR(*kept_db(difference), 0, 1e-9);
  EXPECT_EQ(report->failed_count(), 1);
}

}  // namespace
}  // namespace planex::arrays
