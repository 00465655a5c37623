#include "onnx/small_floats.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace planex::onnx {
namespace {

TEST(SmallFloats, EveryHalfComesBack) {
  for (std::uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
    const float value = from_half(static_cast<std::uint16_t>(bits));
    if (std::isnan(value)) {
      EXPECT_TRUE((bits & 0x7C00) == 0x7C00 && (bits & 0x3FF) != 0) << bits;
      EXPECT_TRUE(std::isnan(from_half(to_half(value))));
    } else {
      EXPECT_EQ(to_half(value), bits);
    }
  }
  EXPECT_EQ(from_half(0x3C00), 1.0F);
  EXPECT_EQ(from_half(0x7BFF), kGreatestHalf);
  EXPECT_EQ(from_half(0x0400), kSmallestNormalHalf);
  EXPECT_EQ(from_half(0x8001), -kSmallestHalf);
  EXPECT_EQ(from_half(0x7C00), std::numeric_limits<float>::infinity());
}

TEST(SmallFloats, HalfRoundsToTheNearestAndTiesToEven) {
  for (std::uint32_t bits = 0; bits < 0x7BFF; ++bits) {
    const float low = from_half(static_cast<std::uint16_t>(bits));
    const float high = from_half(static_cast<std::uint16_t>(bits + 1));
    const float middle = (low + high) / 2;  // exact
    EXPECT_EQ(to_half(middle), bits % 2 == 0 ? bits : bits + 1) << middle;
    EXPECT_EQ(to_half(std::nextafter(middle, low)), bits) << middle;
    EXPECT_EQ(to_half(-std::nextafter(middle, high)), (bits + 1) | 0x8000) << middle;
  }
  EXPECT_EQ(to_half(65519.99F), 0x7BFF);
  EXPECT_EQ(to_half(65520.0F), 0x7C00);
  EXPECT_EQ(to_half(-1e30F), 0xFC00);
}

TEST(SmallFloats, Bfloat16RoundsToTheNearestAndTiesToEven) {
  EXPECT_EQ(to_bfloat16(1.0F), 0x3F80);
  EXPECT_EQ(from_bfloat16(0x3F80), 1.0F);
  EXPECT_EQ(to_bfloat16(std::bit_cast<float>(0x3F80'8000U)), 0x3F80) << "a tie goes to even";
  EXPECT_EQ(to_bfloat16(std::bit_cast<float>(0x3F81'8000U)), 0x3F82) << "a tie goes to even";
  EXPECT_EQ(to_bfloat16(std::bit_cast<float>(0x3F80'8001U)), 0x3F81);
  EXPECT_EQ(to_bfloat16(std::numeric_limits<float>::max()), 0x7F80);
  EXPECT_TRUE(std::isnan(from_bfloat16(to_bfloat16(std::bit_cast<float>(0x7F80'0001U)))));
}

TEST(SmallFloats, EveryFloat8ComesBack) {
  for (std::uint32_t bits = 0; bits <= 0xFF; ++bits) {
    const float value = from_small(DataType::kFloat8E4M3FN, static_cast<std::uint8_t>(bits));
    if (std::isnan(value)) {
      EXPECT_EQ(to_float8(value) & 0x7F, 0x7F);
    } else {
      EXPECT_EQ(to_float8(value), bits);
      EXPECT_EQ(round_to_float8(value), value);
    }
  }
}

TEST(SmallFloats, Float8RoundsToTheNearestAndTiesToEven) {
  for (std::uint32_t bits = 0; bits < 0x7E; ++bits) {
    const float low = from_small(DataType::kFloat8E4M3FN, static_cast<std::uint8_t>(bits));
    const float high = from_small(DataType::kFloat8E4M3FN, static_cast<std::uint8_t>(bits + 1));
    const float middle = (low + high) / 2;  // exact
    EXPECT_EQ(to_float8(middle), bits % 2 == 0 ? bits : bits + 1) << middle;
    EXPECT_EQ(to_float8(std::nextafter(middle, low)), bits) << middle;
    EXPECT_EQ(to_float8(-std::nextafter(middle, high)), (bits + 1) | 0x80) << middle;
  }
}

TEST(SmallFloats, Float8StopsAtTheGreatest) {
  for (const float beyond :
       {449.0F, 464.0F, 480.0F, 1e30F, std::numeric_limits<float>::infinity()}) {
    EXPECT_EQ(round_to_float8(beyond), kGreatestFloat8);
    EXPECT_EQ(to_float8(-beyond), 0xFE);
  }
  EXPECT_TRUE(std::isnan(round_to_float8(std::numeric_limits<float>::quiet_NaN())));
  EXPECT_TRUE(std::signbit(round_to_float8(-0.0F)));
}

TEST(SmallFloats, Fp8AndFp4) {
  EXPECT_EQ(from_small(DataType::kFloat8E4M3FN, 0x7E), 448);
  EXPECT_EQ(from_small(DataType::kFloat8E4M3FN, 0x81), -0x1p-9F);
  EXPECT_TRUE(std::isnan(from_small(DataType::kFloat8E4M3FN, 0xFF)));
  EXPECT_EQ(from_small(DataType::kFloat8E4M3FNUZ, 0x7F), 240);
  EXPECT_TRUE(std::isnan(from_small(DataType::kFloat8E4M3FNUZ, 0x80)));
  EXPECT_EQ(from_small(DataType::kFloat8E5M2, 0x7B), 57344);
  EXPECT_EQ(from_small(DataType::kFloat8E5M2, 0xFC), -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(from_small(DataType::kFloat8E5M2, 0x7D)));
  EXPECT_EQ(from_small(DataType::kFloat8E5M2FNUZ, 0x7F), 57344);
  EXPECT_EQ(from_small(DataType::kFloat4E2M1, 0x7), 6);
  EXPECT_EQ(from_small(DataType::kFloat4E2M1, 0x9), -0.5F);
  EXPECT_EQ(from_small(DataType::kFloat8E8M0, 0x7F), 1);
  EXPECT_TRUE(std::isnan(from_small(DataType::kFloat, 0)));
}

}  // namespace
}  // namespace planex::onnx
