#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "clean/layout.h"
#include "clean/test_net.h"
#include "onnx/attributes.h"

namespace planex::clean {
namespace {

const onnx::NewAttribute kToLast{"perm", Dims{0, 2, 3, 1}}, kToFirst{"perm", Dims{0, 3, 1, 2}};

TEST(Layout, Perms) {
  EXPECT_EQ(inverse_of({0, 2, 3, 1}), (Dims{0, 3, 1, 2}));
  EXPECT_EQ(joined_perm({0, 2, 3, 1}, {0, 3, 1, 2}), (Dims{0, 1, 2, 3}));
  EXPECT_EQ(joined_perm({1, 2, 0}, {0, 2, 1}), (Dims{1, 0, 2}));
  EXPECT_EQ(permuted({5, 6, 7}, {2, 0, 1}), (Dims{7, 5, 6}));
}

TEST(Transposes, CancelThroughAnAddition) {
  TestNet net;
  net.input("x", {1, 2, 3, 4})
      .node("Sin", {"x"}, "sin")
      .floats("c", {2}, {1, 2})
      .node("Transpose", {"sin"}, "last", {kToLast})
      .node("Add", {"last", "c"}, "sum")
      .node("Relu", {"sum"}, "relu")
      .node("Transpose", {"relu"}, "first", {kToFirst})
      .node("Cos", {"first"}, "y")
      .output("y", {1, 2, 3, 4});
  CleanNet clean(net);
  EXPECT_EQ(clean.operators(), "Sin Add Relu Cos");
  const auto inputs = clean.model.inputs_of(clean.node("Add"));
  const onnx::Tensor& constant = clean.model.tensors[clean.links.constant(inputs[1])];
  EXPECT_THAT(clean.model.dims_of(constant), testing::ElementsAre(1, 2, 1, 1));
  EXPECT_EQ(clean.cleaned.steps.front().effect, Effect::kExact);
}

TEST(Transposes, MoveAxesOfAPadAndAJoin) {
  TestNet net;
  net.input("x", {1, 2, 3, 4})
      .node("Sin", {"x"}, "sin")
      .ints("pads", {0, 1, 2, 0, 0, 3, 4, 5})
      .node("Transpose", {"sin"}, "last", {kToLast})
      .node("Pad", {"last", "pads"}, "padded")
      .node("Concat", {"padded", "padded"}, "both", {{"axis", std::int64_t{-1}}})
      .node("Transpose", {"both"}, "y", {kToFirst})
      .output("y", {1, 14, 7, 10});
  CleanNet clean(net);
  EXPECT_EQ(clean.operators(), "Sin Pad Concat");
  EXPECT_EQ(clean.ints("Pad", 1), (Dims{0, 0, 1, 2, 0, 5, 3, 4}));
  const auto* axis = onnx::find_attribute(clean.model, clean.node("Concat"), "axis");
  EXPECT_EQ(onnx::int_of(*axis), 1);
}

TEST(Transposes, AreTakenInByAReduction) {
  TestNet net(17);
  net.input("x", {1, 2, 3, 4})
      .node("Transpose", {"x"}, "last", {kToLast})
      .node("ReduceMean", {"last"}, "y", {{"axes", Dims{1, 2}}, {"keepdims", std::int64_t{0}}})
      .output("y", {1, 2});
  const CleanNet clean(net);
  EXPECT_EQ(clean.operators(), "ReduceMean");
  const auto* axes = onnx::find_attribute(clean.model, clean.node("ReduceMean"), "axes");
  EXPECT_EQ(onnx::ints_of(*axes, 8), (Dims{2, 3}));
}

TEST(Transposes, StayWhereMoreWouldBeMoved) {
  // The sum is four times as large as what is turned.
  TestNet net;
  net.input("x", {1, 1, 4})
      .input("z", {1, 4, 4})
      .node("Transpose", {"x"}, "turned", {{"perm", Dims{0, 2, 1}}})
      .node("Add", {"turned", "z"}, "y")
      .output("y", {1, 4, 4});
  EXPECT_EQ(CleanNet(net).operators(), "Transpose Add");
}

TEST(Transposes, StayBesideQuantizers) {
  TestNet net;
  net.input("x", {1, 2, 3, 4})
      .floats("scale", {}, {0.1F})
      .node("Transpose", {"x"}, "last", {kToLast})
      .node("Relu", {"last"}, "relu")
      .node("QuantizeLinear", {"relu", "scale"}, "q")
      .node("DequantizeLinear", {"q", "scale"}, "dq")
      .node("Transpose", {"dq"}, "y", {kToFirst})
      .output("y", {1, 2, 3, 4});
  EXPECT_EQ(CleanNet(net).operators(), "Transpose Relu QuantizeLinear DequantizeLinear Transpose");
}

}  // namespace
}  // namespace planex::clean
