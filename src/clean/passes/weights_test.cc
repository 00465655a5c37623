// Passes that change weights, with numbers worked out by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "clean/test_net.h"
#include "onnx/attributes.h"

namespace planex::clean {
namespace {

using testing::ElementsAre;
using testing::FloatEq;
using testing::IsEmpty;

TEST(BatchNorms, BecomeWeightAndBias) {
  TestNet net;
  net.input("x", {1, 1, 4})
      .floats("w", {2, 1, 1}, {1, 2})
      .floats("b", {2}, {10, 20})
      .floats("scale", {2}, {3, 5})
      .floats("shift", {2}, {7, 8})
      .floats("mean", {2}, {4, 6})
      .floats("variance", {2}, {0.25F, 0.04F})
      .node("Conv", {"x", "w", "b"}, "conv")
      .node("BatchNormalization", {"conv", "scale", "shift", "mean", "variance"}, "y",
            {{"epsilon", 0.0F}})
      .output("y", {1, 2, 4});
  CleanNet clean(net);
  EXPECT_EQ(clean.operators(), "Conv");
  EXPECT_EQ(clean.passes(), "batch-norms");
  EXPECT_EQ(clean.cleaned.steps.front().effect, Effect::kRounding);
  // Factors 3 / 0.5 and 5 / 0.2.
  EXPECT_THAT(clean.floats("Conv", 1), ElementsAre(FloatEq(6), FloatEq(50)));
  EXPECT_THAT(clean.floats("Conv", 2), ElementsAre(FloatEq(43), FloatEq(358)));
  EXPECT_THAT(clean.model.outputs_of(clean.node("Conv")), ElementsAre("y"));
}

TEST(BatchNorms, OfATransposedConvolutionOfGroups) {
  TestNet net;
  net.input("x", {1, 2, 4})
      .floats("w", {2, 1, 1}, {1, 1})  // two groups, one input and one output each
      .floats("scale", {2}, {3, 5})
      .floats("zero", {2}, {0, 0})
      .floats("one", {2}, {1, 1})
      .node("ConvTranspose", {"x", "w"}, "conv", {{"group", std::int64_t{2}}})
      .node("BatchNormalization", {"conv", "scale", "zero", "zero", "one"}, "y",
            {{"epsilon", 0.0F}})
      .output("y", {1, 2, 4});
  CleanNet clean(net);
  EXPECT_EQ(clean.operators(), "ConvTranspose");
  EXPECT_THAT(clean.floats("ConvTranspose", 1), ElementsAre(3, 5));
}

TEST(BatchNorms, StayWhereAWeightIsShared) {
  TestNet net;
  net.input("x", {1, 1, 4})
      .floats("w", {1, 1, 1}, {2})
      .floats("scale", {1}, {3})
      .floats("zero", {1}, {0})
      .floats("one", {1}, {1})
      .node("Conv", {"x", "w"}, "conv")
      .node("BatchNormalization", {"conv", "scale", "zero", "zero", "one"}, "norm")
      .node("Conv", {"norm", "w"}, "y")
      .output("y", {1, 1, 4});
  EXPECT_EQ(CleanNet(net).operators(), "Conv BatchNormalization Conv");
}

TEST(Scales, BecomeWeightAndBias) {
  TestNet net;
  net.input("x", {1, 1, 2, 2})
      .floats("w", {2, 1, 1, 1}, {1, 2})
      .floats("factor", {1, 2, 1, 1}, {3, 4})
      .floats("shift", {2, 1, 1}, {5, 6})
      .floats("ten", {}, {10})
      .node("Conv", {"x", "w"}, "conv")
      .node("Mul", {"factor", "conv"}, "product")
      .node("Add", {"product", "shift"}, "sum")
      .node("Sub", {"ten", "sum"}, "y")
      .output("y", {1, 2, 2, 2});
  CleanNet clean(net);
  EXPECT_EQ(clean.operators(), "Conv");
  EXPECT_THAT(clean.floats("Conv", 1), ElementsAre(-3, -8));
  EXPECT_THAT(clean.floats("Conv", 2), ElementsAre(5, 4));
}

TEST(Scales, OfEachPixelStay) {
  TestNet net;
  net.input("x", {1, 1, 2, 2})
      .floats("w", {2, 1, 1, 1}, {1, 2})
      .floats("factor", {2, 2}, {1, 2, 3, 4})
      .node("Conv", {"x", "w"}, "conv")
      .node("Mul", {"conv", "factor"}, "y")
      .output("y", {1, 2, 2, 2});
  EXPECT_EQ(CleanNet(net).operators(), "Conv Mul");
}

TEST(Scales, OfAProductAndItsSum) {
  TestNet net;
  net.input("x", {1, 2})
      .floats("w", {2, 2}, {1, 2, 3, 4})
      .floats("factor", {2}, {10, 100})
      .floats("shift", {2}, {5, 6})
      .node("MatMul", {"x", "w"}, "product")
      .node("Mul", {"product", "factor"}, "scaled")
      .node("Add", {"scaled", "shift"}, "y")
      .output("y", {1, 2});
  CleanNet clean(net);
  EXPECT_EQ(clean.operators(), "Gemm");
  EXPECT_THAT(clean.floats("Gemm", 1), ElementsAre(10, 200, 30, 400));
  EXPECT_THAT(clean.floats("Gemm", 2), ElementsAre(5, 6));
}

TEST(Pads, BecomePaddingOfAConvolution) {
  TestNet net;
  net.input("x", {1, 1, 4, 4})
      .floats("w", {1, 1, 3, 3}, std::vector<float>(9, 1))
      .ints("pads", {0, 0, 1, 2, 0, 0, 3, 4})
      .node("Pad", {"x", "pads"}, "padded")
      .node("Conv", {"padded", "w"}, "y", {{"pads", Dims{1, 0, 0, 0}}})
      .output("y", {1, 1, 7, 8});
  const CleanNet clean(net);
  EXPECT_EQ(clean.operators(), "Conv");
  const auto* pads = onnx::find_attribute(clean.model, clean.node("Conv"), "pads");
  EXPECT_EQ(onnx::ints_of(*pads, 8), (Dims{2, 2, 3, 4}));
}

TEST(Pads, StayWhereTheyAreNoZeros) {
  TestNet net;
  net.input("x", {1, 1, 4, 4})
      .floats("w", {1, 1, 3, 3}, std::vector<float>(9, 1))
      .ints("pads", {0, 0, 1, 1, 0, 0, 1, 1})
      .floats("one", {}, {1})
      .node("Pad", {"x", "pads", "one"}, "padded")
      .node("Conv", {"padded", "w"}, "y")
      .output("y", {1, 1, 4, 4});
  EXPECT_EQ(CleanNet(net).operators(), "Pad Conv");
  EXPECT_THAT(CleanNet(net).cleaned.steps, IsEmpty());
}

TEST(Clips, TakeTheNarrowerLimits) {
  TestNet net;
  net.input("x", {2})
      .floats("zero", {}, {0})
      .floats("six", {}, {6})
      .node("Max", {"x", "zero"}, "relu")
      .node("Min", {"relu", "six"}, "y")
      .output("y", {2});
  CleanNet clean(net);
  EXPECT_EQ(clean.operators(), "Clip");
  EXPECT_THAT(clean.floats("Clip", 1), ElementsAre(0));
  EXPECT_THAT(clean.floats("Clip", 2), ElementsAre(6));
}

TEST(LayerNorm, NeedsTheLastAxes) {
  const auto with_axis = [](std::int64_t axis) {
    TestNet net;
    net.input("x", {2, 3, 4})
        .ints("axes", {axis})
        .floats("two", {}, {2})
        .floats("epsilon", {}, {1e-5F})
        .node("ReduceMean", {"x", "axes"}, "mean")
        .node("Sub", {"x", "mean"}, "centered")
        .node("Pow", {"centered", "two"}, "square")
        .node("ReduceMean", {"square", "axes"}, "variance")
        .node("Add", {"variance", "epsilon"}, "sum")
        .node("Sqrt", {"sum"}, "root")
        .node("Div", {"centered", "root"}, "y")
        .output("y", {2, 3, 4});
    return CleanNet(net).operators();
  };
  EXPECT_EQ(with_axis(-1), "LayerNormalization");
  EXPECT_EQ(with_axis(1), "ReduceMean Sub Pow ReduceMean Add Sqrt Div");
}

}  // namespace
}  // namespace planex::clean
