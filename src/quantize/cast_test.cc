#include "quantize/cast.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "onnx/attributes.h"
#include "onnx/read.h"
#include "quantize/test_models.h"

namespace planex::quantize {
namespace {

using onnx::DataType;
using onnx::node_field;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct CastResult {
  CastPlan plan;
  CastCounts counts;
  std::string file;
  onnx::Model model;

  std::vector<std::string> lines() const { return lines_of(model); }
  // "rule op" of each node that stays in float.
  std::vector<std::string> kept(const onnx::Model& before) const {
    std::vector<std::string> all;
    for (const KeptNode& node : plan.kept) {
      all.push_back(base::format("{} {}", node.rule, before.nodes[node.node].op_type));
    }
    return all;
  }
  DataType value_type(std::string_view name) const {
    for (const onnx::Value& value : model.values) {
      if (value.name == name) return value.type;
    }
    return DataType::kUndefined;
  }
};

struct Before {
  std::string file;
  onnx::Model model;
  onnx::Links links;
  onnx::Types types;
  base::MemoryFiles files;

  explicit Before(std::string_view graph, std::uint64_t opset = 13)
      : file(onnx::model_message(graph, opset)),
        model(*onnx::read_model(file)),
        links(model),
        types(model) {}

  Result<CastPlan> plan(const CastOptions& options) const {
    onnx::Values values(file, model, files, "");
    return plan_casts(model, links, types, values, options);
  }
  CastResult cast(const CastOptions& options = {}) const {
    onnx::Values values(file, model, files, "");
    CastResult outcome;
    outcome.plan = *plan(options);
    onnx::Edit edit;
    outcome.counts = *write_casts(model, links, types, values, outcome.plan, options, edit);
    outcome.file = *onnx::edited(file, model, edit);
    outcome.model = *onnx::read_model(outcome.file);
    return outcome;
  }
  std::vector<std::string> kept(const CastOptions& options = {}) const {
    return cast(options).kept(model);
  }
};

// x -> conv -> relu -> y
std::string two_nodes() {
  return node_field("Conv", {"x", "w"}, "c", "conv") + node_field("Relu", {"c"}, "y", "relu") +
         initializer("w", {2, 1, 1, 1}, {0.5F, -3}) + input("x") + output("y") + value(13, "c");
}

TEST(Cast, OneCastAtEachBorder) {
  const Before before(two_nodes());
  const CastResult after = before.cast();
  EXPECT_THAT(after.lines(), ElementsAre("Cast(x)->x_half", "Conv(x_half,w)->c", "Relu(c)->y_half",
                                         "Cast(y_half)->y"));
  EXPECT_EQ(after.plan.small_nodes, 2U);
  EXPECT_EQ(after.counts.added_casts, 2U);
  EXPECT_EQ(after.counts.converted_tensors, 1U);
  EXPECT_EQ(after.counts.saved_bytes, 4U);
  EXPECT_EQ(after.value_type("x"), DataType::kFloat);
  EXPECT_EQ(after.value_type("y"), DataType::kFloat);
  EXPECT_EQ(after.value_type("c"), DataType::kFloat16);
  EXPECT_EQ(onnx::int_of(*onnx::find_attribute(after.model, after.model.nodes[0], "to")), 10);
  EXPECT_EQ(onnx::int_of(*onnx::find_attribute(after.model, after.model.nodes[3], "to")), 1);
  const onnx::Tensor& weight = after.model.tensors[0];
  EXPECT_EQ(weight.type, DataType::kFloat16);
  EXPECT_FALSE(onnx::has_wrong_size(after.model, weight));
  onnx::Values values(after.file, after.model, before.files, "");
  EXPECT_THAT(*values.floats(weight), ElementsAre(0.5F, -3));
}

TEST(Cast, SmallInputsAndOutputsNeedNoCast) {
  const CastResult after = Before(two_nodes()).cast({.keeps_io = false});
  EXPECT_THAT(after.lines(), ElementsAre("Conv(x,w)->c", "Relu(c)->y"));
  EXPECT_EQ(after.value_type("x"), DataType::kFloat16);
  EXPECT_EQ(after.value_type("y"), DataType::kFloat16);
}

TEST(Cast, OneInputOrOutputMayBecomeSmall) {
  const Before before(two_nodes());
  EXPECT_THAT(before.cast({.small_io = {"x"}}).lines(),
              ElementsAre("Conv(x,w)->c", "Relu(c)->y_half", "Cast(y_half)->y"));
  EXPECT_THAT(before.cast({.small_io = {"y"}}).lines(),
              ElementsAre("Cast(x)->x_half", "Conv(x_half,w)->c", "Relu(c)->y"));
  const auto missing = before.plan({.small_io = {"c"}});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kBadInput);
}

TEST(Cast, OnlyNamedNodesAreCast) {
  const Before before(two_nodes());
  EXPECT_THAT(before.kept({.only = {"conv"}, .casts_rest = false}), ElementsAre("not-asked Relu"));
  EXPECT_THAT(
      before.cast({.only = {"conv"}, .casts_rest = false}).lines(),
      ElementsAre("Cast(x)->x_half", "Conv(x_half,w)->c", "Cast(c)->c_float", "Relu(c_float)->y"));
  EXPECT_FALSE(before.plan({.only = {"convolution"}, .casts_rest = false}));
}

TEST(Cast, KeptNodesAreNamedNumberedOrMatched) {
  const Before before(two_nodes());
  for (const std::string_view name : {"relu", "#1", "r*u", "*relu", "re*"}) {
    const CastOptions options{.kept = {std::string(name)}};
    EXPECT_THAT(before.cast(options).lines(), ElementsAre("Cast(x)->x_half", "Conv(x_half,w)->c",
                                                          "Cast(c)->c_float", "Relu(c_float)->y"))
        << name;
    EXPECT_THAT(before.kept(options), ElementsAre("asked Relu"));
  }
  EXPECT_THAT(before.kept({.kept_op_types = {"Conv"}}), ElementsAre("asked Conv", "island Relu"));
  const auto missing = before.plan({.kept = {"relo"}});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kBadInput);
  EXPECT_THAT(missing.error().hint, HasSubstr("\"relu\""));
  EXPECT_FALSE(before.plan({.kept = {"#2"}}));
}

TEST(Cast, AKeptLastNodeGivesASmallOutputByACast) {
  const CastResult after = Before(two_nodes()).cast({.keeps_io = false, .kept = {"relu"}});
  EXPECT_THAT(after.lines(), ElementsAre("Conv(x,w)->c", "Cast(c)->c_float",
                                         "Relu(c_float)->y_float", "Cast(y_float)->y"));
}

TEST(Cast, WeightsBeyondTheRangeOrThePrecisionKeepTheirNode) {
  const auto add = [](float constant) {
    return Before(node_field("Conv", {"x", "w"}, "c", "") + initializer("w", {1, 1, 1, 1}, {1}) +
                  node_field("Add", {"c", "k"}, "y", "") + initializer("k", {1}, {constant}) +
                  input("x") + output("y"));
  };
  EXPECT_THAT(add(1e-5F).kept(), IsEmpty()) << "loses 0.1 %";
  EXPECT_THAT(add(1e-8F).kept(), ElementsAre("weight-precision Add"));
  EXPECT_THAT(add(60'000).kept(), ElementsAre("weight-range Add"));
  EXPECT_THAT(add(60'000).kept({.margin = 1}), IsEmpty());
  EXPECT_THAT(add(-std::numeric_limits<float>::infinity()).kept(), IsEmpty())
      << "float16 has it, too";
}

TEST(Cast, MeasuredValuesBeyondTheRangeKeepTheirNodes) {
  const Before before(two_nodes());
  EXPECT_THAT(before.kept({.ranges = {{"y", 6e4}}}), ElementsAre("value-range Relu"));
  EXPECT_THAT(before.kept({.ranges = {{"y", 5e4}}}), IsEmpty());
  EXPECT_THAT(before.kept({.ranges = {{"c", 1e9}}}),
              ElementsAre("value-range Conv", "value-range Relu"))
      << "who makes it, and who reads it";
  EXPECT_THAT(before.kept({.ranges = {{"y", 1e-9}}}), ElementsAre("value-precision Relu"))
      << "all of it would be 0";
  EXPECT_THAT(before.kept({.ranges = {{"y", 0}}}), IsEmpty());
  const CastResult after = before.cast({.ranges = {{"y", 6e4}}});
  EXPECT_THAT(after.plan.kept[0].why, HasSubstr("\"y\" reaches 6e+04"));
}

TEST(Cast, SizesAndScalesStayInFloat) {
  const Before before(
      node_field("Shape", {"x"}, "s", "") + node_field("Cast", {"s"}, "f", "", int_field("to", 1)) +
      node_field("Div", {"f", "two"}, "scales", "") + initializer("two", {1}, {2}) +
      node_field("Conv", {"x", "w"}, "c", "") + initializer("w", {1, 1, 1, 1}, {1}) +
      node_field("Resize", {"c", "", "scales"}, "y", "") + input("x") + output("y"));
  const CastResult after = before.cast();
  EXPECT_THAT(after.kept(before.model), ElementsAre("sizes Div"));
  EXPECT_THAT(after.lines(), Contains("Resize(c,,scales)->y_half"));
  EXPECT_THAT(after.lines(), Contains("Div(f,two)->scales"));
  EXPECT_THAT(after.lines(), Contains("Shape(x)->s")) << "any type will do";
}

TEST(Cast, WhatSubgraphsReadStaysInFloat) {
  const std::string body = onnx::bytes_field(
      5, onnx::bytes_field(1, "then_branch") +
             onnx::bytes_field(6, node_field("Abs", {"r"}, "inner", "") + output("inner")) +
             onnx::varint_field(20, 5));
  const Before before(node_field("Conv", {"x", "w"}, "c", "") +
                      initializer("w", {1, 1, 1, 1}, {1}) + node_field("Relu", {"c"}, "r", "") +
                      node_field("If", {"b"}, "i", "", body) +
                      node_field("Mul", {"i", "r"}, "y", "") + input("x") + output("y"));
  const CastResult after = before.cast();
  EXPECT_THAT(after.kept(before.model), ElementsAre("subgraph If"));
  const auto lines = after.lines();
  EXPECT_THAT(lines, Contains("Relu(c)->r_half"));
  EXPECT_THAT(lines, Contains("Cast(r_half)->r"));
  EXPECT_THAT(lines, Contains("Mul(i_half,r_half)->y_half"));
  EXPECT_THAT(lines, Contains("Abs(r)->inner"));
}

TEST(Cast, AWeightThatIsReadInBothTypesIsStoredInBoth) {
  const Before before(node_field("Conv", {"x", "w"}, "a", "one") +
                      node_field("Conv", {"x", "w"}, "b", "two") +
                      initializer("w", {1, 1, 1, 1}, {1}) + input("x") + output("a") + output("b"));
  const CastResult after = before.cast({.kept = {"two"}});
  EXPECT_THAT(after.lines(), ElementsAre("Cast(x)->x_half", "Conv(x_half,w_half)->a_half",
                                         "Cast(a_half)->a", "Conv(x,w)->b"));
  EXPECT_EQ(after.model.initializers_of(after.model.graphs[0]).size(), 2U);
  EXPECT_EQ(after.counts.saved_bytes, 0U);
}

TEST(Cast, ACastOfTheModelFromTheSmallTypeIsNotUndone) {
  const Before before(node_field("Cast", {"h"}, "f", "", int_field("to", 1)) +
                      node_field("Conv", {"f", "w"}, "y", "") +
                      initializer("w", {1, 1, 1, 1}, {1}) + value(11, "h", 10) + output("y"));
  EXPECT_THAT(before.cast().lines(), ElementsAre("Conv(h,w)->y_half", "Cast(y_half)->y"));
}

TEST(Cast, ConstantNodesAreConverted) {
  const std::string constant = onnx::bytes_field(
      5, onnx::bytes_field(1, "value") + onnx::bytes_field(5, tensor("", {1, 1, 1, 1}, {2})) +
             onnx::varint_field(20, 4));
  const Before before(node_field("Constant", {}, "w", "", constant) +
                      node_field("Conv", {"x", "w"}, "y", "") + input("x") + output("y"));
  const CastResult after = before.cast({.keeps_io = false});
  EXPECT_THAT(after.lines(), ElementsAre("Constant()->w", "Conv(x,w)->y"));
  ASSERT_EQ(after.model.tensors.size(), 1U);
  EXPECT_EQ(after.model.tensors[0].type, DataType::kFloat16);
}

TEST(Cast, OperatorsWithoutASmallForm) {
  const auto pair = [](std::uint64_t opset) {
    return Before(node_field("QuantizeLinear", {"x", "s"}, "q", "") +
                      node_field("DequantizeLinear", {"q", "s"}, "d", "") +
                      node_field("Conv", {"d", "w"}, "y", "") +
                      initializer("w", {1, 1, 1, 1}, {1}) + initializer("s", {}, {0.1F}) +
                      input("x") + output("y"),
                  opset);
  };
  EXPECT_THAT(pair(13).kept(),
              ElementsAre("no-small-form QuantizeLinear", "no-small-form DequantizeLinear"));
  EXPECT_THAT(pair(19).kept(), ElementsAre("island QuantizeLinear"));
  EXPECT_THAT(pair(19).kept({.keeps_io = false}), IsEmpty());
  const Before own(node_field("Mine", {"x"}, "m", "", onnx::bytes_field(7, "own.domain")) +
                   node_field("MatMul", {"m", "m"}, "y", "") + input("x") + output("y"));
  EXPECT_THAT(own.kept(), ElementsAre("no-small-form Mine"));
}

TEST(Cast, Bfloat16NeedsTheOpsetOfItsOperators) {
  const auto refused = Before(two_nodes(), 21).plan({.type = DataType::kBfloat16});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
  const CastResult after = Before(two_nodes(), 22).cast({.type = DataType::kBfloat16});
  EXPECT_EQ(after.lines()[0], "Cast(x)->x_bfloat16");
  EXPECT_EQ(after.value_type("c"), DataType::kBfloat16);
  EXPECT_FALSE(Before(two_nodes()).plan({.type = DataType::kInt8}));
}

TEST(Cast, TheSameTwiceGivesTheSameBytes) {
  const Before before(two_nodes());
  EXPECT_EQ(before.cast().file, before.cast().file);
}

}  // namespace
}  // namespace planex::quantize
