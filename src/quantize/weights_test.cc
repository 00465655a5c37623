#include "quantize/weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "onnx/small_floats.h"

namespace planex::quantize {
namespace {

using onnx::DataType;
using testing::ElementsAre;
using testing::FloatEq;

std::vector<int> bytes_of(const QuantizedNumbers& numbers) {
  std::vector<int> bytes;
  for (const char byte : numbers.bytes) bytes.push_back(static_cast<unsigned char>(byte));
  return bytes;
}

TEST(Weights, BlocksAlongTheFirstDimension) {
  // [4, 3] in blocks of 2 rows: scales are [2, 3].
  const ScaleGroups groups{.inner = 3, .block = 2};
  EXPECT_EQ(groups.count(12), 6U);
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < 12; ++i) found.push_back(groups.of(i));
  EXPECT_THAT(found, ElementsAre(0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5));
}

TEST(Weights, BlocksAlongTheLastDimension) {
  // [2, 4] in blocks of 2 columns: scales are [2, 2].
  const ScaleGroups groups{.inner = 1, .block = 2};
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < 8; ++i) found.push_back(groups.of(i));
  EXPECT_THAT(found, ElementsAre(0, 0, 1, 1, 2, 2, 3, 3));
}

TEST(Weights, TwoNumbersOfFourBitsInAByteTheFirstBelow) {
  const std::vector<float> numbers = {7, -7, 2.5F, -1, 3};
  const auto made = quantize_numbers(numbers, {.channels = 1, .inner = 5}, NumberFormat::kInt4, 4,
                                     DataType::kFloat);
  EXPECT_THAT(made.scales, ElementsAre(FloatEq(1)));
  // 7 and -7, 2 (2.5 goes to even) and -1, 3 and nothing.
  EXPECT_THAT(bytes_of(made), ElementsAre(0x97, 0xF2, 0x03));
  EXPECT_EQ(stored_type(NumberFormat::kInt4), DataType::kInt4);
}

TEST(Weights, FloatsOf8BitsReachTo448Scales) {
  const std::vector<float> numbers = {4.48F, -0.01F, 0.0051F, 0};
  const auto made = quantize_numbers(numbers, {.channels = 1, .inner = 4}, NumberFormat::kFp8, 8,
                                     DataType::kFloat);
  ASSERT_EQ(made.scales.size(), 1U);
  EXPECT_FLOAT_EQ(made.scales[0], 0.01F);
  std::vector<float> values;
  for (const int code : bytes_of(made)) {
    values.push_back(onnx::from_small(DataType::kFloat8E4M3FN, static_cast<std::uint8_t>(code)));
  }
  EXPECT_THAT(values, ElementsAre(448, -1, 0.5F, 0));
}

TEST(Weights, AGroupOfZerosHasAScale) {
  for (const NumberFormat format : number_formats()) {
    const std::vector<float> numbers = {0, 0, 1, 0};
    const auto made =
        quantize_numbers(numbers, {.channels = 2, .inner = 2}, format, 8, DataType::kFloat);
    EXPECT_EQ(made.scales[0], onnx::kSmallestNormalHalf);
    EXPECT_FALSE(made.sqnr_db) << "nothing is lost";
  }
}

}  // namespace
}  // namespace planex::quantize
