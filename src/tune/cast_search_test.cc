#include "tune/cast_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "onnx/read.h"
#include "quantize/test_models.h"

namespace planex::tune {
namespace {

using onnx::node_field;
using quantize::input;
using quantize::output;
using testing::ElementsAre;
using testing::IsEmpty;

arrays::Difference lost(double db) {
  arrays::Difference difference;
  difference.sqnr_db = db;
  return difference;
}

// x -> a -> b, c; b - c -> d -> y
struct Net {
  std::string file = onnx::model_message(
      node_field("Relu", {"x"}, "a", "") + node_field("Exp", {"a"}, "b", "") +
          node_field("Tanh", {"a"}, "c", "") + node_field("Sub", {"b", "c"}, "d", "") +
          node_field("Sqrt", {"d"}, "y", "") + input("x") + output("y"),
      13);
  onnx::Model model = *onnx::read_model(file);
  onnx::Links links{model};
  quantize::CastPlan plan{.is_small = std::vector<bool>(5, true), .kept = {}};
};

TEST(CastSearch, NoiseOfADifference) {
  EXPECT_DOUBLE_EQ(noise_ratio(lost(20)), 0.01);
  EXPECT_EQ(noise_ratio({.is_equal = true}), 0);
  EXPECT_TRUE(std::isinf(noise_ratio({.nonfinite_mismatch_count = 1})));
  EXPECT_EQ(noise_ratio({}), 0) << "no signal";
}

TEST(CastSearch, TheNodeThatAddsMostAndWhoFeedsIt) {
  const Net net;
  const Losses losses = {
      {"a", lost(70)}, {"b", lost(60)}, {"c", lost(60)}, {"d", lost(20)}, {"y", lost(19)}};
  EXPECT_THAT(noisiest(net.model, net.links, net.plan, losses, {}), ElementsAre(1, 2, 3));
  EXPECT_THAT(noisiest(net.model, net.links, net.plan, losses, {1, 2, 3}), ElementsAre(3, 4))
      << "a tried node is not proposed again, but can accompany another";
}

TEST(CastSearch, TheFirstThatGivesNoNumber) {
  const Net net;
  const Losses losses = {{"b", {.nonfinite_mismatch_count = 1}},
                         {"d", {.nonfinite_mismatch_count = 1}},
                         {"y", lost(3)}};
  EXPECT_THAT(noisiest(net.model, net.links, net.plan, losses, {}), ElementsAre(0, 1));
}

TEST(CastSearch, NodesInFloatAreNotProposed) {
  Net net;
  const Losses losses = {{"d", lost(20)}};
  net.plan.is_small = {false, false, false, false, false};
  EXPECT_THAT(noisiest(net.model, net.links, net.plan, losses, {}), IsEmpty());
  EXPECT_THAT(noisiest(net.model, net.links, net.plan, {}, {}), IsEmpty());
}

}  // namespace
}  // namespace planex::tune
