#include "quantize/scales.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace planex::quantize {
namespace {

using testing::DoubleNear;

constexpr MethodOptions kMinMax{.method = Method::kMinMax};

// Uniform from min to max: bins below 0 as far as they go, bins above 0 likewise.
QuantizedTensor quantized(std::string name, double min, double max, std::uint32_t group) {
  QuantizedTensor one;
  one.tensor = std::move(name);
  one.min = min;
  one.max = max;
  one.scale_group = group;
  one.histogram.range = std::max(std::fabs(min), std::fabs(max));
  for (int bin = 0; bin < kHistogramBins; ++bin) {
    const double center = (bin + 0.5) * one.histogram.range / kHistogramBins;
    const std::uint64_t below = center <= -min ? 1 : 0, above = center <= max ? 1 : 0;
    one.histogram.counts.push_back(below + above);
    if (min < 0) one.histogram.negative_counts.push_back(below);
  }
  return one;
}

TEST(Levels, OfSignedRangesAreSymmetric) {
  for (const Encoding encoding : {Encoding::kSigned, Encoding::kMiddle}) {
    const Levels levels = levels_of(encoding, -1, 3, 2.54);
    EXPECT_THAT(levels.scale, DoubleNear(0.02, 1e-12));
    EXPECT_EQ(levels.lowest, -127);
    EXPECT_EQ(levels.highest, 127);
  }
}

TEST(Levels, OfFloat8CoverTheThreshold) {
  const Levels levels = levels_of(Encoding::kFloat8, -1, 3, 2.24);
  EXPECT_THAT(levels.scale, DoubleNear(0.005, 1e-12));
  EXPECT_EQ(levels.lowest, -448);
  EXPECT_EQ(levels.highest, 448);
  EXPECT_TRUE(levels.is_float8);
  // For 1 to 16 steps three bits of the mantissa are left, so small values lose less than in whole
  // numbers.
  const Histogram small{.range = 1, .counts = {0, 1000, 0, 0, 0, 0, 0, 1}, .negative_counts = {}};
  const double in_float8 = *judge(small, levels_of(Encoding::kFloat8, 0, 1, 1)).sqnr_db;
  EXPECT_GT(in_float8, 25);
}

TEST(Scales, OfFloat8HaveNoZeroPoint) {
  std::vector<QuantizedTensor> tensors = {quantized("x", 0, 4.48, 0)};
  choose_encodings(tensors, Target::kTensorrt, NumberFormat::kFp8);
  EXPECT_EQ(tensors[0].encoding, Encoding::kFloat8);
  const auto scales = choose_scales(tensors, kMinMax);
  EXPECT_FLOAT_EQ(scales[0].scale, 0.01F);
  EXPECT_FALSE(scales[0].zero_point.is_unsigned);
  EXPECT_EQ(scales[0].zero_point.value, 0);
}

TEST(Levels, OfShiftedRangesFitThem) {
  const Levels positive = levels_of(Encoding::kShifted, 0, 5.1, 5.1);
  EXPECT_THAT(positive.scale, DoubleNear(0.02, 1e-12));
  EXPECT_EQ(positive.lowest, 0);
  EXPECT_EQ(positive.highest, 255);
  // Even where all values are above 0, 0 can be represented.
  EXPECT_EQ(levels_of(Encoding::kShifted, 2, 5.1, 5.1).lowest, 0);
  const Levels negative = levels_of(Encoding::kShifted, -5.1, -1, 5.1);
  EXPECT_EQ(negative.lowest, -255);
  EXPECT_EQ(negative.highest, 0);
  // The threshold cuts either end.
  const Levels swish = levels_of(Encoding::kShifted, -0.375, 20, 10);
  EXPECT_THAT(swish.scale, DoubleNear(10.375 / 255, 1e-12));
  EXPECT_EQ(swish.lowest, -9);
  EXPECT_EQ(swish.highest, 246);
  EXPECT_EQ(levels_of(Encoding::kShifted, 0, 0, 1).highest, 127);
}

TEST(Encodings, AreShiftedForOpenvinoWhereRangesAreLopsided) {
  const std::vector<QuantizedTensor> seen = {
      quantized("relu", 0, 4, 0), quantized("swish", -0.375, 20, 1), quantized("even", -3, 4, 2),
      quantized("zero", 0, 0, 3)};
  std::vector<QuantizedTensor> tensors = seen;
  choose_encodings(tensors, Target::kOpenvino);
  EXPECT_EQ(tensors[0].encoding, Encoding::kShifted);
  EXPECT_EQ(tensors[1].encoding, Encoding::kShifted);
  EXPECT_EQ(tensors[2].encoding, Encoding::kSigned);
  EXPECT_EQ(tensors[3].encoding, Encoding::kSigned);
  for (const Target target : {Target::kTensorrt, Target::kTensorrtRtx}) {
    tensors = seen;
    choose_encodings(tensors, target);
    for (const TensorScale& scale : choose_scales(tensors, kMinMax)) {
      EXPECT_FALSE(scale.zero_point.is_unsigned);
      EXPECT_EQ(scale.zero_point.value, 0);
    }
  }
}

TEST(Encodings, AreThoseOfThePlacementElsewhere) {
  std::vector<QuantizedTensor> tensors = {quantized("resized", -3, 4, 0)};
  tensors[0].is_unsigned = true;
  choose_encodings(tensors, Target::kOpenvino);
  const TensorScale scale = choose_scales(tensors, kMinMax).front();
  EXPECT_TRUE(scale.zero_point.is_unsigned);
  EXPECT_EQ(scale.zero_point.value, 128);
  EXPECT_FLOAT_EQ(scale.scale, 4.0F / 127);
}

// Whatever the range, since types must not mix; the zero point is 0 after a Relu.
TEST(Encodings, AreUnsignedThroughoutForOnnxruntime) {
  std::vector<QuantizedTensor> tensors = {quantized("even", -2, 2, 0), quantized("relu", 0, 5, 1),
                                          quantized("zeros", 0, 0, 2)};
  choose_encodings(tensors, Target::kOnnxruntime);
  const auto scales = choose_scales(tensors, kMinMax);
  for (const TensorScale& scale : scales) {
    EXPECT_TRUE(scale.zero_point.is_unsigned);
    EXPECT_GT(scale.scale, 0);
  }
  EXPECT_EQ(scales[0].zero_point.value, 128);
  EXPECT_EQ(scales[1].zero_point.value, 0);
  EXPECT_EQ(scales[2].zero_point.value, 0);
  EXPECT_FLOAT_EQ(scales[2].scale, 1.0F / 255);
}

// Otherwise a Clip would still cut something, and stay.
TEST(Scales, OfWhatALayerWritesEndWithinItsRange) {
  for (const double largest : {6.0, 1.0, 0.1, 3.3, 20.7, 1e-3, 12345.6}) {
    std::vector<QuantizedTensor> tensors = {quantized("clipped", 0, largest, 0)};
    tensors.front().rules = {"quantized-output"};
    choose_encodings(tensors, Target::kOnnxruntime);
    const float scale = choose_scales(tensors, kMinMax).front().scale;
    EXPECT_LE(static_cast<double>(scale * 255), largest);
    EXPECT_GT(static_cast<double>(scale * 255), largest * (1 - 1e-6));
  }
}

TEST(Scales, OfAGroupAreOne) {
  std::vector<QuantizedTensor> tensors = {quantized("a", -0.2, 4, 0), quantized("b", 0, 10.1, 0),
                                          quantized("c", -3, 3, 2)};
  choose_encodings(tensors, Target::kOpenvino);
  const auto scales = choose_scales(tensors, kMinMax);
  EXPECT_EQ(scales[0].scale, scales[1].scale);
  EXPECT_EQ(scales[0].zero_point.value, scales[1].zero_point.value);
  EXPECT_FLOAT_EQ(scales[0].scale, static_cast<float>((10.1 + 0.2) / 255));
  // round(0.2 / 0.0404)
  EXPECT_EQ(scales[0].zero_point.value, 5);
  EXPECT_FLOAT_EQ(scales[2].scale, 3.0F / 127);
  const RewriteOptions options = rewrite_options(scales);
  EXPECT_EQ(options.scales.size(), 3U);
  EXPECT_TRUE(options.zero_points[1].is_unsigned);
  EXPECT_FALSE(options.zero_points[2].is_unsigned);
}

TEST(Scales, OfAGroupThatIsNotLopsidedAsAWholeAreSigned) {
  std::vector<QuantizedTensor> tensors = {quantized("a", -4, 0, 0), quantized("b", 0, 4, 0)};
  choose_encodings(tensors, Target::kOpenvino);
  for (const TensorScale& scale : choose_scales(tensors, kMinMax)) {
    EXPECT_FALSE(scale.zero_point.is_unsigned);
  }
}

TEST(Scales, OfATensorOfZerosArePositive) {
  std::vector<QuantizedTensor> tensors = {quantized("zero", 0, 0, 0)};
  choose_encodings(tensors, Target::kOpenvino);
  EXPECT_FLOAT_EQ(choose_scales(tensors, kMinMax).front().scale, 1.0F / 127);
}

// Uniform values that are never below 0 gain the 6 dB of the bit that a sign takes.
TEST(Judgements, SeeWhatShiftedLevelsGain) {
  const QuantizedTensor relu = quantized("relu", 0, 1, 0);
  const Judgement is_signed = judge(relu.histogram, levels_of(Encoding::kSigned, 0, 1, 1));
  const Judgement is_shifted = judge(relu.histogram, levels_of(Encoding::kShifted, 0, 1, 1));
  ASSERT_TRUE(is_signed.sqnr_db && is_shifted.sqnr_db);
  EXPECT_NEAR(*is_shifted.sqnr_db - *is_signed.sqnr_db, 6.02, 0.2);
  EXPECT_EQ(is_shifted.clipped_ratio, 0);
}

TEST(Judgements, CountWhatIsClippedOnEitherSide) {
  const QuantizedTensor even = quantized("even", -1, 1, 0);
  const Levels positive = levels_of(Encoding::kShifted, 0, 1, 1);
  EXPECT_NEAR(judge(even.histogram, positive).clipped_ratio, 0.5, 0.001);
}

// A few large values: the more levels there are, the less clipping is worth.
TEST(Thresholds, OfTheLeastErrorDependOnTheLevels) {
  QuantizedTensor relu = quantized("relu", 0, 1, 0);
  for (int bin = 0; bin < kHistogramBins; ++bin) {
    relu.histogram.counts[static_cast<std::size_t>(bin)] =
        static_cast<std::uint64_t>(1e7 * std::exp(-bin / 150.0));
  }
  const MethodOptions mse{.method = Method::kMse};
  const double is_signed = threshold(relu.histogram, mse);
  const double is_shifted = threshold(relu.histogram, mse, Encoding::kShifted, 0, 1);
  EXPECT_LT(is_signed, is_shifted);
  EXPECT_LE(is_shifted, 1);
}

}  // namespace
}  // namespace planex::quantize
