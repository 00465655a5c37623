// Rules that apply to a target as far as it was measured: docs/reference/evidence.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files.h"
#include "quantize/advice.h"
#include "quantize/test_graph.h"

namespace planex::quantize {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

// Adds a pair of int8.
void quantize_tensor(TestGraph& graph, const std::string& tensor) {
  const std::string scale = tensor + ".scale", zero = tensor + ".zero", small = tensor + ".small";
  graph.more(scalar_constant(scale, 0.5F) + zero_point(zero));
  graph.node("QuantizeLinear", {tensor, scale, zero}, small, small);
  graph.node("DequantizeLinear", {small, scale, zero}, tensor + ".paired", tensor + ".paired");
}

// The advice about the pairs of a model.
struct Answer {
  explicit Answer(std::string bytes) : read(std::move(bytes)) {
    const base::MemoryFiles files;
    onnx::Values values(read.bytes, read.model, files, "");
    existing = read_existing(read.model, read.links, values).value();
  }
  std::vector<Advice> advice(Target target) const {
    const Placement wanted =
        place(read.model, read.links, {.target = target, .ignores_pairs = true}).value();
    return advise(read.model, read.links, existing, wanted, target);
  }

  ReadModel read;
  Existing existing;
};

// The tensors that get a pair.
std::vector<std::string> paired(const ReadModel& read, Target target) {
  const Placement placement = place(read.model, read.links, {.target = target}).value();
  std::vector<std::string> names;
  for (const PlacedTensor& tensor : placement.tensors) names.emplace_back(tensor.name);
  return names;
}

std::string pooled(std::string_view kind) {
  return TestGraph()
      .input("x")
      .conv("x", "a")
      .conv("x", "b")
      .node("Concat", {"a", "b"}, "joined", "concat")
      .node(kind, {"joined"}, "pooled", "pool")
      .conv("pooled", "c")
      .output("c")
      .bytes();
}

TEST(MeasuredRules, OnnxruntimeAveragesWholeMapsAloneOnBytes) {
  const ReadModel whole(pooled("GlobalAveragePool")), part(pooled("AveragePool"));
  EXPECT_THAT(paired(whole, Target::kOnnxruntime), ::testing::Contains("joined"));
  EXPECT_THAT(paired(part, Target::kOnnxruntime), ::testing::Not(::testing::Contains("joined")));
  for (const ReadModel* read : {&whole, &part}) {
    EXPECT_THAT(paired(*read, Target::kOpenvino), ::testing::Contains("joined"));
  }
}

std::vector<std::string> in_blocks(const ReadModel& read, Target target, Placement& placement) {
  placement = place(read.model, read.links,
                    {.target = target, .format = NumberFormat::kInt4, .block_size = 32})
                  .value();
  std::vector<std::string> names;
  for (const onnx::Index layer : placement.layers) {
    names.emplace_back(read.model.nodes[layer].name);
  }
  return names;
}

// For every third product, a Relu or Clip reads it, or its bias, before others do.
TEST(MeasuredRules, OnnxruntimeReadsNoBlocksBeforeARelu) {
  TestGraph graph;
  graph.input("x");
  for (const std::string_view weight : {"w1", "w2", "w3", "w4", "w5"})
    graph.weight(weight, {32, 32});
  graph.weight("bias", {32})
      .node("MatMul", {"x", "w1"}, "m1", "before-relu")
      .node("Relu", {"m1"}, "r1", "relu")
      .node("MatMul", {"r1", "w2"}, "m2", "before-bias")
      .node("Add", {"m2", "bias"}, "s2", "add")
      .node("Clip", {"s2"}, "r2", "clip")
      .node("Gemm", {"r2", "w3", "bias"}, "m3", "before-sigmoid")
      .node("Sigmoid", {"m3"}, "r3", "sigmoid")
      .node("MatMul", {"r3", "w4"}, "m4", "read-twice")
      .node("Relu", {"m4"}, "r4", "relu-of-one")
      .node("Add", {"m4", "r4"}, "s4", "both")
      .node("MatMul", {"s4", "w5"}, "m5", "before-output")
      .node("Relu", {"m5"}, "y", "last")
      .output("y");
  const ReadModel read(graph.bytes());
  Placement placement;
  EXPECT_THAT(in_blocks(read, Target::kOnnxruntime, placement),
              ElementsAre("before-sigmoid", "read-twice", "before-output"));
  std::vector<std::string> left;
  for (const PlacementDecision& decision : placement.decisions) {
    if (decision.rule == "weights-in-blocks" && !decision.is_applied) left.push_back(decision.why);
  }
  EXPECT_THAT(left, ElementsAre(HasSubstr("\"relu\" reads the output of \"before-relu\""),
                                HasSubstr("\"clip\" reads the output of \"before-bias\"")));
  EXPECT_EQ(in_blocks(read, Target::kOpenvino, placement).size(), 5U);
}

// Only Flatten needs a pair on both sides; the pair after it must not move away.
TEST(MeasuredRules, AFlattenKeepsThePairBehindItForOnnxruntime) {
  TestGraph graph;
  graph.input("x").conv("x", "a").node("Relu", {"a"}, "r", "relu");
  graph.node("MaxPool", {"r"}, "m", "pool").node("Flatten", {"m"}, "flat", "flatten");
  quantize_tensor(graph, "flat");
  graph.weight("w", {32, 32}).node("MatMul", {"flat.paired", "w"}, "y", "y").output("y");
  const Answer answer(graph.bytes());
  const auto of_pool = [&](Target target) {
    std::vector<Action> found;
    for (const Advice& one : answer.advice(target)) {
      if (one.rule == "pool-after-pair") found.push_back(one.action);
    }
    return found;
  };
  EXPECT_THAT(of_pool(Target::kOnnxruntime), ElementsAre(Action::kAdd));
  EXPECT_THAT(of_pool(Target::kOpenvino), ElementsAre(Action::kMove));
}

TEST(MeasuredRules, AModelOfProductsBeforeRelusSaysWhyNothingIsLeft) {
  const ReadModel read(TestGraph()
                           .input("x")
                           .weight("w", {32, 32})
                           .node("MatMul", {"x", "w"}, "m", "product")
                           .node("Relu", {"m"}, "r", "relu")
                           .node("Sqrt", {"r"}, "y", "sqrt")
                           .output("y")
                           .bytes());
  const auto placement =
      place(read.model, read.links,
            {.target = Target::kOnnxruntime, .format = NumberFormat::kInt4, .block_size = 32});
  ASSERT_FALSE(placement);
  EXPECT_THAT(placement.error().hint, HasSubstr("\"relu\" reads the output of \"product\""));
}

// 8-bit attention is slower on GPUs and faster on processors with VNNI: no advice there.
TEST(MeasuredRules, PairsInsideAttentionAreGivenUpForGpusAlone) {
  TestGraph graph;
  graph.input("q").input("k");
  quantize_tensor(graph, "q");
  quantize_tensor(graph, "k");
  graph.node("MatMul", {"q.paired", "k.paired"}, "y", "scores").output("y");
  const Answer answer(graph.bytes());
  const auto rules = [&](Target target) {
    std::set<std::string> found;
    for (const Advice& one : answer.advice(target)) found.insert(std::string(one.rule));
    return found;
  };
  EXPECT_THAT(rules(Target::kTensorrt), ElementsAre("attention-in-float"));
  EXPECT_THAT(rules(Target::kTensorrtRtx), ElementsAre("attention-in-float"));
  EXPECT_THAT(rules(Target::kOpenvino), IsEmpty());
  EXPECT_THAT(rules(Target::kOnnxruntime),
              ::testing::Not(::testing::Contains("attention-in-float")));
}

}  // namespace
}  // namespace planex::quantize
