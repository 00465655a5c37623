#include "arrays/array.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace planex::arrays {
namespace {

template <typename T>
Array array_of(ElementType type, std::initializer_list<T> values) {
  Array array{.type = type, .shape = {static_cast<std::int64_t>(values.size())}, .data = {}};
  for (const T value : values) {
    const auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
    array.data.append(bytes.data(), bytes.size());
  }
  return array;
}

TEST(Floats, HalfHasEveryKindOfValue) {
  // 1, -2, the largest, the smallest normal, the smallest and largest subnormal, zeros, infinities.
  const auto values = floats_of(array_of<std::uint16_t>(
      ElementType::kFloat16,
      {0x3C00, 0xC000, 0x7BFF, 0x0400, 0x0001, 0x83FF, 0x8000, 0x7C00, 0xFC00, 0x7E00, 0x3555}));
  ASSERT_EQ(values.size(), 11U);
  EXPECT_EQ(values[0], 1.0F);
  EXPECT_EQ(values[1], -2.0F);
  EXPECT_EQ(values[2], 65504.0F);
  EXPECT_EQ(values[3], 0x1p-14F);
  EXPECT_EQ(values[4], 0x1p-24F);
  EXPECT_EQ(values[5], -1023 * 0x1p-24F);
  EXPECT_EQ(values[6], 0.0F);
  EXPECT_TRUE(std::signbit(values[6]));
  EXPECT_EQ(values[7], std::numeric_limits<float>::infinity());
  EXPECT_EQ(values[8], -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(values[9]));
  EXPECT_EQ(values[10], 1365 * 0x1p-12F);
}

TEST(Floats, BfloatIsTheUpperHalf) {
  EXPECT_THAT(floats_of(array_of<std::uint16_t>(ElementType::kBfloat16, {0x3F80, 0xC049, 0x0001})),
              testing::ElementsAre(1.0F, -3.140625F, std::bit_cast<float>(0x00010000U)));
}

TEST(Floats, IntegersAndTruth) {
  EXPECT_THAT(floats_of(array_of<std::int8_t>(ElementType::kInt8, {-128, 127})),
              testing::ElementsAre(-128, 127));
  EXPECT_THAT(floats_of(array_of<std::uint8_t>(ElementType::kUint8, {255})),
              testing::ElementsAre(255));
  EXPECT_THAT(floats_of(array_of<std::int16_t>(ElementType::kInt16, {-32768})),
              testing::ElementsAre(-32768));
  EXPECT_THAT(floats_of(array_of<std::uint16_t>(ElementType::kUint16, {65535})),
              testing::ElementsAre(65535));
  EXPECT_THAT(floats_of(array_of<std::uint32_t>(ElementType::kUint32, {4294967295U})),
              testing::ElementsAre(4294967296.0F));
  EXPECT_THAT(floats_of(array_of<std::uint8_t>(ElementType::kBool, {0, 1, 2})),
              testing::ElementsAre(0, 1, 1));
  // 2^24 + 1 is the first integer that float32 can't represent.
  EXPECT_THAT(floats_of(array_of<std::int64_t>(ElementType::kInt64, {-1, 16777217})),
              testing::ElementsAre(-1, 16777216));
}

TEST(Floats, WiderOnesAreRoundedAndBecomeInfiniteWhereTooLarge) {
  constexpr float kMax = std::numeric_limits<float>::max();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  // Half a step above the largest float is the first value that rounds up.
  EXPECT_THAT(floats_of(array_of<double>(ElementType::kFloat64,
                                         {0.1, 1e300, -1e300, 0x1.fffffefp127, 0x1.ffffffp127,
                                          std::numeric_limits<double>::infinity()})),
              testing::ElementsAre(0.1F, kInfinity, -kInfinity, kMax, kInfinity, kInfinity));
}

TEST(Floats, APieceIsReadFromItsPlace) {
  const Array array = array_of<std::int32_t>(ElementType::kInt32, {1, 2, 3, 4});
  std::array<float, 2> floats{};
  floats_of(array, 1, floats);
  EXPECT_THAT(floats, testing::ElementsAre(2, 3));
  std::array<double, 1> doubles{};
  doubles_of(array, 3, doubles);
  EXPECT_THAT(doubles, testing::ElementsAre(4));
}

TEST(Shapes, SizesThatOverflowAreNone) {
  EXPECT_EQ(element_count({}), 1);
  EXPECT_EQ(element_count({2, 0, 3}), 0);
  EXPECT_EQ(element_count({1LL << 40, 1LL << 40}), std::nullopt);
  EXPECT_EQ(element_count({-1}), std::nullopt);
}

}  // namespace
}  // namespace planex::arrays
