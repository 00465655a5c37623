#include "quantize/symmetric.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <vector>

namespace planex::quantize {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

ExistingScale scale_of(bool is_unsigned, std::vector<std::int64_t> zeros, std::size_t count = 1) {
  ExistingScale scale;
  scale.is_unsigned = is_unsigned;
  scale.zero_points = std::move(zeros);
  scale.bits.assign(count, std::bit_cast<std::uint32_t>(0.5F));
  return scale;
}

TEST(Symmetric, IsInt8AroundZero) {
  EXPECT_TRUE(is_symmetric(scale_of(false, {})));
  EXPECT_TRUE(is_symmetric(scale_of(false, {0, 0})));
  EXPECT_FALSE(is_symmetric(scale_of(false, {0, 1})));
  EXPECT_FALSE(is_symmetric(scale_of(true, {0}))) << "255 is more than int8 can represent";
  EXPECT_FALSE(is_symmetric(scale_of(true, {128})));
}

// The range stays: nothing that the numbers could represent is cut.
TEST(Symmetric, ScalesGrowByWhatInt8DoesNotHold) {
  EXPECT_THAT(symmetric_factors(scale_of(true, {128})), ElementsAre(1.0));
  EXPECT_THAT(symmetric_factors(scale_of(true, {0})), ElementsAre(DoubleNear(255.0 / 127, 1e-12)));
  EXPECT_THAT(symmetric_factors(scale_of(false, {5})), ElementsAre(DoubleNear(133.0 / 128, 1e-12)));
  EXPECT_THAT(symmetric_factors(scale_of(false, {-5})),
              ElementsAre(DoubleNear(132.0 / 127, 1e-12)));
  EXPECT_THAT(symmetric_factors(scale_of(true, {128, 0}, 2)),
              ElementsAre(1.0, DoubleNear(255.0 / 127, 1e-12)));
  const std::string raw = symmetric_scales(scale_of(true, {0}));
  float scale = 0;
  ASSERT_EQ(raw.size(), sizeof(scale));
  std::memcpy(&scale, raw.data(), sizeof(scale));
  EXPECT_FLOAT_EQ(scale, 0.5F * 255 / 127);
}

}  // namespace
}  // namespace planex::quantize
