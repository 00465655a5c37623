#include "quantize/layer_errors.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace planex::quantize {
namespace {

// Products of errors that are plane vectors; the last is that of the rest.
std::vector<double> products(const std::vector<std::pair<double, double>>& errors) {
  std::vector<double> all;
  for (const auto& [x, y] : errors) {
    for (const auto& [other_x, other_y] : errors) all.push_back(x * other_x + y * other_y);
  }
  return all;
}

TEST(LayerErrors, AddUpAsVectors) {
  LayerErrors errors(3);
  errors.add_output(products({{3, 0}, {-2, 0}, {0, 1}, {0, 0.5}}));
  EXPECT_DOUBLE_EQ(errors.alone(0), 9);
  EXPECT_DOUBLE_EQ(errors.alone(1), 4);
  // (3 - 2, 1 + 0.5)
  EXPECT_DOUBLE_EQ(errors.noise({}), 1 + 2.25);
  // Without the second nothing takes back what the first does.
  EXPECT_DOUBLE_EQ(errors.noise({1}), 9 + 2.25);
  EXPECT_DOUBLE_EQ(errors.noise({0, 1, 2}), 0.25) << "the rest stays";
}

TEST(LayerErrors, AreThoseOfTheWorstOutput) {
  LayerErrors errors(2);
  errors.add_output(products({{1, 0}, {0, 0}, {0, 0}}));
  errors.add_output(products({{0, 0}, {0, 2}, {0, 0}}));
  EXPECT_DOUBLE_EQ(errors.alone(0), 1);
  EXPECT_DOUBLE_EQ(errors.noise({}), 4);
  EXPECT_DOUBLE_EQ(errors.noise({1}), 1);
  EXPECT_EQ(errors.order(std::vector<double>{1, 1}), (std::vector<std::uint32_t>{1, 0}));
}

TEST(LayerErrors, OrderCountsWhatErrorsHide) {
  // The largest error is hidden by the second: the third is what is seen.
  LayerErrors errors(3);
  errors.add_output(products({{3, 0}, {-3, 0}, {0, 2}, {0, 0}}));
  EXPECT_EQ(errors.order(std::vector<double>{1, 1, 1}).front(), 2U);
}

TEST(LayerErrors, OrderIsByCost) {
  const auto errors = LayerErrors::of_powers(std::vector<double>{0.4, 0.3, 0.001});
  EXPECT_EQ(errors.order(std::vector<double>{100, 1, 0}), (std::vector<std::uint32_t>{2, 1, 0}));
  EXPECT_EQ(errors.order(std::vector<double>{1, 1, 1}), (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(LayerErrors, NanIsTheMost) {
  LayerErrors errors(2);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  errors.add_output({1, 0, 0, 0, nan, 0, 0, 0, 0});
  EXPECT_GT(errors.alone(1), 1e20);
  EXPECT_EQ(errors.order(std::vector<double>{1, 1}).front(), 1U);
}

}  // namespace
}  // namespace planex::quantize
