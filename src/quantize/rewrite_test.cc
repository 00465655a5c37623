#include "quantize/rewrite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/attributes.h"
#include "onnx/read.h"
#include "onnx/test_message.h"
#include "quantize/test_models.h"

namespace planex::quantize {
namespace {

using onnx::bytes_field;
using onnx::node_field;
using onnx::varint_field;
using testing::ElementsAre;
using testing::FloatEq;
using testing::HasSubstr;

// A model, what is placed in it, and the model that rewrite makes of it.
struct Case {
  std::string file;
  onnx::Model model;
  Placement placement;
  RewriteOptions options;
  base::MemoryFiles files;

  explicit Case(std::string_view graph, std::uint64_t opset = 13)
      : file(onnx::model_message(graph, opset)), model(*onnx::read_model(file)) {}

  void place_tensor(std::string_view name, std::vector<onnx::Reader> readers, float scale) {
    placement.tensors.push_back(
        {.name = name,
         .readers = std::move(readers),
         .scale_group = static_cast<std::uint32_t>(placement.tensors.size())});
    options.scales.push_back(scale);
  }
  void place_weight(std::string_view name, std::vector<onnx::Reader> readers, int axis) {
    const onnx::Links links(model);
    const onnx::Index layer = readers.front().node;
    placement.weights.push_back({.name = name,
                                 .tensor = links.constant(name),
                                 .readers = std::move(readers),
                                 .axis = axis,
                                 .layer = layer});
  }

  Result<std::vector<WeightScales>> run(onnx::Edit& edit) {
    const onnx::Links links(model);
    onnx::Values values(file, model, files, "");
    return rewrite(model, links, values, placement, options, edit);
  }
};

struct Rewritten {
  std::vector<WeightScales> weights;
  std::string file;
  onnx::Model model;

  explicit Rewritten(Case& before) {
    onnx::Edit edit;
    auto result = before.run(edit);
    EXPECT_TRUE(result) << result.error().message;
    if (result) weights = std::move(*result);
    file = *onnx::edited(before.file, before.model, edit);
    model = *onnx::read_model(file);
  }

  std::vector<std::string> lines() const { return lines_of(model); }
  const onnx::Tensor* tensor(std::string_view name) const {
    for (const onnx::Tensor& found : model.initializers_of(model.graphs[0])) {
      if (found.name == name) return &found;
    }
    return nullptr;
  }
  std::vector<float> floats(std::string_view name) const {
    const base::MemoryFiles files;
    const onnx::Tensor* found = tensor(name);
    if (found == nullptr) return {};
    return *onnx::Values(file, model, files, "").floats(*found);
  }
  onnx::DataType type(std::string_view name) const { return tensor(name)->type; }
};

// Conv [2, 1, 1, 2] with weights whose largest magnitudes are 1.27 and 2.54.
std::string conv_graph(std::string_view more = {}) {
  return node_field("Conv", {"x", "w"}, "y", "conv") +
         initializer("w", {2, 1, 1, 2}, {1.27F, -0.635F, 0.02F, -2.54F}) + input("x") +
         output("y") + std::string(more);
}

TEST(Rewrite, AConvGetsPairsOnItsInputAndAWeightPerChannel) {
  Case before(conv_graph());
  before.place_tensor("x", {{0, 0}}, 0.5F);
  before.place_weight("w", {{0, 1}}, 0);
  const Rewritten after(before);
  EXPECT_THAT(after.lines(),
              ElementsAre("DequantizeLinear(w_quantized,w_scale,w_zero_point)->w_dequantized",
                          "QuantizeLinear(x,x_scale,x_zero_point)->x_quantized",
                          "DequantizeLinear(x_quantized,x_scale,x_zero_point)->x_dequantized",
                          "Conv(x_dequantized,w_dequantized)->y"));
  EXPECT_THAT(after.floats("w_quantized"), ElementsAre(127, -64, 1, -127))
      << "-63.5 goes to the even number";
  EXPECT_THAT(after.floats("w_scale"), ElementsAre(FloatEq(0.01F), FloatEq(0.02F)));
  EXPECT_THAT(after.floats("w_zero_point"), ElementsAre(0, 0));
  EXPECT_EQ(after.type("w_zero_point"), onnx::DataType::kInt8);
  EXPECT_THAT(after.floats("x_scale"), ElementsAre(0.5F));
  EXPECT_EQ(after.tensor("x_scale")->dims.count, 0U);
  EXPECT_EQ(after.type("x_zero_point"), onnx::DataType::kInt8);
  EXPECT_EQ(after.tensor("w"), nullptr) << "nothing reads the float weight any more";
  EXPECT_EQ(onnx::int_of(*onnx::find_attribute(after.model, after.model.nodes[0], "axis")), 0);
  ASSERT_EQ(after.weights.size(), 1U);
  EXPECT_THAT(after.weights[0].scales, ElementsAre(FloatEq(0.01F), FloatEq(0.02F)));
  // Of the four only -0.635 is between two steps: it loses half of 0.01.
  const double signal = 1.27 * 1.27 + 0.635 * 0.635 + 0.02 * 0.02 + 2.54 * 2.54;
  EXPECT_NEAR(*after.weights[0].sqnr_db, 10 * std::log10(signal / (0.005 * 0.005)), 0.05);
}

TEST(Rewrite, SevenBits) {
  Case before(conv_graph());
  before.place_weight("w", {{0, 1}}, 0);
  before.options.weight_bits = 7;
  const Rewritten after(before);
  EXPECT_THAT(after.floats("w_quantized"), ElementsAre(63, -32, 0, -63));
}

TEST(Rewrite, Float8) {
  Case before(conv_graph());
  before.place_tensor("x", {{0, 0}}, 0.5F);
  before.place_weight("w", {{0, 1}}, 0);
  before.options.format = NumberFormat::kFp8;
  const Rewritten after(before);
  EXPECT_EQ(after.model.graphs[0].opset, 19);
  for (const std::string_view name : {"w_quantized", "w_zero_point", "x_zero_point"}) {
    EXPECT_EQ(after.type(name), onnx::DataType::kFloat8E4M3FN) << name;
  }
  EXPECT_THAT(after.floats("w_quantized"), ElementsAre(448, -224, 3.5F, -448));
  EXPECT_THAT(after.floats("w_scale"), ElementsAre(FloatEq(1.27F / 448), FloatEq(2.54F / 448)));
  EXPECT_THAT(after.floats("x_scale"), ElementsAre(0.5F));
}

TEST(Rewrite, Int4InBlocks) {
  // [4, 2]: blocks of two rows.
  Case before(node_field("MatMul", {"x", "w"}, "y", "m") +
              initializer("w", {4, 2}, {0.7F, 7, -0.1F, 1, 1.4F, 70, 0.3F, -20}) + input("x") +
              output("y"));
  before.place_weight("w", {{0, 1}}, 1);
  before.placement.weights[0].block_size = 2;
  before.options.format = NumberFormat::kInt4;
  const Rewritten after(before);
  EXPECT_EQ(after.model.graphs[0].opset, 21);
  EXPECT_THAT(after.lines(), ElementsAre("DequantizeLinear(w_quantized,w_scale)->w_dequantized",
                                         "MatMul(x,w_dequantized)->y"));
  EXPECT_EQ(after.type("w_quantized"), onnx::DataType::kInt4);
  EXPECT_THAT(after.floats("w_scale"), ElementsAre(FloatEq(0.1F), 1, FloatEq(0.2F), 10));
  EXPECT_EQ(after.tensor("w_scale")->dims.count, 2U);
  EXPECT_THAT(after.floats("w_quantized"), ElementsAre(7, 7, -1, 1, 7, 7, 2, -2));
  const onnx::Node& node = after.model.nodes[0];
  EXPECT_EQ(onnx::int_of(*onnx::find_attribute(after.model, node, "axis")), 0);
  EXPECT_EQ(onnx::int_of(*onnx::find_attribute(after.model, node, "block_size")), 2);
}

TEST(Rewrite, Int4WithAScaleForEachChannel) {
  Case before(node_field("Gemm", {"x", "w"}, "y", "g", int_field("transB", 1)) +
              initializer("w", {2, 2}, {0.7F, 0.1F, 7, -3}) + input("x") + output("y"));
  before.place_weight("w", {{0, 1}}, 0);
  before.options.format = NumberFormat::kInt4;
  const Rewritten after(before);
  EXPECT_THAT(after.floats("w_scale"), ElementsAre(FloatEq(0.1F), 1));
  EXPECT_THAT(after.floats("w_quantized"), ElementsAre(7, 1, 7, -3));
}

TEST(Rewrite, UnsignedHasItsZeroPointInTheMiddle) {
  Case before(conv_graph());
  before.place_tensor("x", {{0, 0}}, 0.5F);
  before.placement.tensors[0].is_unsigned = true;
  const Rewritten after(before);
  EXPECT_EQ(after.type("x_zero_point"), onnx::DataType::kUint8);
  EXPECT_THAT(after.floats("x_zero_point"), ElementsAre(128));
}

TEST(Rewrite, TensorsOfAGroupHaveTheLargestScale) {
  Case before(node_field("Concat", {"a", "b"}, "c", "n", int_field("axis", 0)) + input("a") +
              input("b") + output("c"));
  before.place_tensor("a", {{0, 0}}, 0.5F);
  before.place_tensor("b", {{0, 1}}, 0.75F);
  before.placement.tensors[1].scale_group = 0;
  const Rewritten after(before);
  EXPECT_THAT(after.floats("a_scale"), ElementsAre(0.75F));
  EXPECT_THAT(after.floats("b_scale"), ElementsAre(0.75F));
}

TEST(Rewrite, OnePairForAllReadersInFrontOfTheFirst) {
  Case before(node_field("Relu", {"x"}, "r", "relu") + node_field("Abs", {"r"}, "o", "abs") +
              node_field("Conv", {"r", "w"}, "p", "one") +
              node_field("Conv", {"r", "w"}, "q", "two") + initializer("w", {1, 1, 1, 1}, {1}) +
              input("x") + output("r") + output("p") + output("q") + output("o"));
  before.place_tensor("r", {{2, 0}, {3, 0}}, 1);
  before.place_weight("w", {{2, 1}, {3, 1}}, 0);
  const Rewritten after(before);
  EXPECT_THAT(
      after.lines(),
      ElementsAre("Relu(x)->r", "Abs(r)->o",
                  "DequantizeLinear(w_quantized,w_scale,w_zero_point)->w_dequantized",
                  "QuantizeLinear(r,r_scale,r_zero_point)->r_quantized",
                  "DequantizeLinear(r_quantized,r_scale,r_zero_point)->r_dequantized",
                  "Conv(r_dequantized,w_dequantized)->p", "Conv(r_dequantized,w_dequantized)->q"))
      << "an output of the graph, and a reader that is not placed, keep the float";
}

TEST(Rewrite, AWeightThatSomebodyElseReadsStays) {
  Case before(conv_graph(node_field("Abs", {"w"}, "z", "abs") + output("z")));
  before.place_weight("w", {{0, 1}}, 0);
  const Rewritten after(before);
  EXPECT_NE(after.tensor("w"), nullptr);
  EXPECT_EQ(after.lines().back(), "Abs(w)->z");
}

TEST(Rewrite, ConstantNodesThatNobodyReadsGo) {
  const std::string constant =
      bytes_field(5, bytes_field(1, "value") + bytes_field(5, tensor("", {1, 1, 1, 1}, {2.54F})) +
                         varint_field(20, 4));
  Case before(node_field("Constant", {}, "w", "c", constant) +
              node_field("Identity", {"w"}, "v", "i") +
              node_field("Conv", {"x", "v"}, "y", "conv") + input("x") + output("y"));
  before.place_weight("v", {{2, 1}}, 0);
  const Rewritten after(before);
  EXPECT_THAT(after.lines(),
              ElementsAre("DequantizeLinear(v_quantized,v_scale,v_zero_point)->v_dequantized",
                          "Conv(x,v_dequantized)->y"));
}

TEST(Rewrite, AxesOfOtherLayers) {
  Case matmul(node_field("MatMul", {"x", "w"}, "y", "m") +
              initializer("w", {2, 3}, {1.27F, 0, 0, 0, 2.54F, 5.08F}) + input("x") + output("y"));
  matmul.place_weight("w", {{0, 1}}, -1);
  const Rewritten after(matmul);
  EXPECT_THAT(after.floats("w_scale"), ElementsAre(FloatEq(0.01F), FloatEq(0.02F), FloatEq(0.04F)));
  EXPECT_EQ(onnx::int_of(*onnx::find_attribute(after.model, after.model.nodes[0], "axis")), 1);

  Case grouped(node_field("ConvTranspose", {"x", "w"}, "y", "m", int_field("group", 2)) +
               initializer("w", {2, 2, 1, 1}, {1.27F, 0, 0, 2.54F}) + input("x") + output("y"));
  grouped.place_weight("w", {{0, 1}}, 1);
  const Rewritten one(grouped);
  EXPECT_THAT(one.floats("w_scale"), ElementsAre(FloatEq(0.02F))) << "one scale for all groups";
  EXPECT_EQ(one.tensor("w_scale")->dims.count, 0U);
  EXPECT_EQ(onnx::find_attribute(one.model, one.model.nodes[0], "axis"), nullptr);
}

TEST(Rewrite, DeadChannelsAndTinyOnesHaveAScale) {
  Case before(node_field("Conv", {"x", "w"}, "y", "conv") +
              initializer("w", {3, 1, 1, 1}, {0, 1e-42F, 1.27F}) + input("x") + output("y"));
  before.place_weight("w", {{0, 1}}, 0);
  const Rewritten after(before);
  const auto scales = after.floats("w_scale");
  ASSERT_EQ(scales.size(), 3U);
  EXPECT_EQ(scales[0], 0x1p-14F);
  EXPECT_EQ(scales[1], std::numeric_limits<float>::min());
  EXPECT_THAT(after.floats("w_quantized"), ElementsAre(0, 0, 127));
}

std::string normalization(std::string_view before, std::string_view after) {
  return node_field("BatchNormalization", {before, "gamma", "beta", "mean", "var"}, after, "bn") +
         initializer("gamma", {2}, {2, 4}) + initializer("beta", {2}, {10, 20}) +
         initializer("mean", {2}, {1, 2}) + initializer("var", {2}, {1 - 1e-5F, 4 - 1e-5F});
}

TEST(Rewrite, ANormalizationIsFoldedIntoTheLayerBefore) {
  Case before(node_field("Conv", {"x", "w", "b"}, "c", "conv") + normalization("c", "y") +
              initializer("w", {2, 1, 1, 1}, {1.27F, 1.27F}) + initializer("b", {2}, {3, 4}) +
              input("x") + output("y") + value(13, "c"));
  before.place_tensor("x", {{0, 0}}, 1);
  before.place_weight("w", {{0, 1}}, 0);
  const Rewritten after(before);
  EXPECT_EQ(after.lines().size(), 4U);
  EXPECT_EQ(after.lines().back(), "Conv(x_dequantized,w_dequantized,y_bias)->y");
  EXPECT_THAT(after.floats("w_scale"), ElementsAre(FloatEq(0.02F), FloatEq(0.02F)));
  EXPECT_THAT(after.floats("y_bias"),
              ElementsAre(FloatEq((3 - 1) * 2 + 10), FloatEq((4 - 2) * 2 + 20)));
  for (const std::string_view gone : {"b", "w", "gamma", "beta", "mean", "var"}) {
    EXPECT_EQ(after.tensor(gone), nullptr) << gone;
  }
  EXPECT_EQ(after.model.values.size(), 2U) << "c no longer exists, and nothing declares it";
}

// Everything that reads the tensor by its name reads what DQ writes.
TEST(Rewrite, APairTakesTheNameOfAnOutput) {
  Case before(node_field("Conv", {"x", "w", "b"}, "c", "conv") + normalization("c", "y") +
              node_field("Relu", {"y"}, "z", "relu") +
              initializer("w", {2, 1, 1, 1}, {1.27F, 1.27F}) + initializer("b", {2}, {3, 4}) +
              input("x") + output("y") + output("z"));
  before.place_tensor("x", {{0, 0}}, 1);
  before.place_tensor("y", {{2, 0}}, 0.5F);
  before.placement.tensors.back().takes_name = true;
  before.place_tensor("z", {}, 0.25F);
  before.placement.tensors.back().takes_name = true;
  before.place_weight("w", {{0, 1}}, 0);
  const Rewritten after(before);
  const auto lines = after.lines();
  ASSERT_EQ(lines.size(), 9U);
  EXPECT_THAT(
      std::vector(lines.begin() + 3, lines.end()),
      ElementsAre("Conv(x_dequantized,w_dequantized,y_bias)->y_float",
                  "QuantizeLinear(y_float,y_scale,y_zero_point)->y_quantized",
                  "DequantizeLinear(y_quantized,y_scale,y_zero_point)->y", "Relu(y)->z_float",
                  "QuantizeLinear(z_float,z_scale,z_zero_point)->z_quantized",
                  "DequantizeLinear(z_quantized,z_scale,z_zero_point)->z"));
}

TEST(Rewrite, TheFoldOfGroupedTransposes) {
  // Two groups of one input and one output each: output 1 comes from input 1.
  Case before(node_field("ConvTranspose", {"x", "w"}, "c", "conv", int_field("group", 2)) +
              normalization("c", "y") + initializer("w", {2, 1, 1, 2}, {1.27F, 0, 0, 1.27F}) +
              input("x") + output("y"));
  before.place_weight("w", {{0, 1}}, 1);
  const Rewritten after(before);
  EXPECT_THAT(after.floats("w_quantized"), ElementsAre(127, 0, 0, 127));
  EXPECT_THAT(after.floats("w_scale"), ElementsAre(FloatEq(0.02F)));
  EXPECT_THAT(after.floats("y_bias"), ElementsAre(FloatEq(-2 + 10), FloatEq(-4 + 20)));
}

TEST(Rewrite, ANormalizationIsNotFoldedWhereMoreReadTheLayer) {
  for (const std::string& more :
       {output("c"), node_field("Abs", {"c"}, "z", "abs") + output("z")}) {
    Case before(node_field("Conv", {"x", "w"}, "c", "conv") + normalization("c", "y") +
                initializer("w", {2, 1, 1, 1}, {1.27F, 1.27F}) + input("x") + output("y") + more);
    before.place_weight("w", {{0, 1}}, 0);
    const Rewritten after(before);
    EXPECT_THAT(testing::PrintToString(after.lines()), HasSubstr("BatchNormalization"));
    EXPECT_THAT(after.floats("w_scale"), ElementsAre(FloatEq(0.01F), FloatEq(0.01F)));
  }
}

TEST(Rewrite, TheOpsetIsRaised) {
  Case before(conv_graph(), 12);
  before.place_weight("w", {{0, 1}}, 0);
  EXPECT_EQ(Rewritten(before).model.graphs[0].opset, 13);
  before.options.opset = 21;
  EXPECT_EQ(Rewritten(before).model.graphs[0].opset, 21);
  Case newer(conv_graph(), 22);
  newer.place_weight("w", {{0, 1}}, 0);
  EXPECT_EQ(Rewritten(newer).model.graphs[0].opset, 22);
}

TEST(Rewrite, ScalesHaveTheTypeOfTheWeightsAndItsOpset) {
  using namespace std::string_literals;
  const std::string half = varint_field(1, 1) + varint_field(1, 1) + varint_field(2, 10) +
                           bytes_field(8, "w") + bytes_field(9, "\x00\x3C"s);
  Case before(node_field("MatMul", {"x", "w"}, "y", "m") + bytes_field(5, half) +
              value(11, "x", 10) + value(12, "y", 10));
  before.place_tensor("x", {{0, 0}}, 1e-9F);
  before.place_weight("w", {{0, 1}}, 1);
  const Rewritten after(before);
  EXPECT_EQ(after.model.graphs[0].opset, 19);
  EXPECT_EQ(after.type("w_scale"), onnx::DataType::kFloat16);
  EXPECT_EQ(after.type("x_scale"), onnx::DataType::kFloat16);
  EXPECT_THAT(after.floats("w_quantized"), ElementsAre(127));
  EXPECT_THAT(after.floats("x_scale"), ElementsAre(0x1p-14F)) << "smaller ones are not normal "
                                                                 "halves";
}

TEST(Rewrite, WeightsWithoutAScaleAreErrors) {
  for (const float wrong : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
    Case before(node_field("Conv", {"x", "w"}, "y", "conv") +
                initializer("w", {1, 1, 1, 1}, {wrong}) + input("x") + output("y"));
    before.place_weight("w", {{0, 1}}, 0);
    onnx::Edit edit;
    const auto result = before.run(edit);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::kBadInput);
    EXPECT_THAT(result.error().message, HasSubstr("\"w\""));
  }
}

TEST(Rewrite, ScalesMustBePositive) {
  for (const float wrong : {0.0F, -1.0F, std::nanf("")}) {
    Case before(conv_graph());
    before.place_tensor("x", {{0, 0}}, wrong);
    onnx::Edit edit;
    EXPECT_FALSE(before.run(edit));
  }
}

}  // namespace
}  // namespace planex::quantize
