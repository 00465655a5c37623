#include "analyze/align/alignment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyze/align/test_engine.h"

namespace planex::analyze {
namespace {

using model::Family;
using model::PlanModel;
using ::testing::ElementsAre;

std::vector<std::string> align_and_say(const std::vector<TestLayer>& a,
                                       const std::vector<TestLayer>& b,
                                       AlignRule rule = AlignRule::kBest) {
  const PlanModel model_a = engine_of(a), model_b = engine_of(b);
  return said(model_a, model_b, align(model_a, model_b, rule));
}

TEST(Alignment, EngineWithoutLayersMatchesNothing) {
  EXPECT_THAT(align_and_say({}, {}), ElementsAre());
  EXPECT_THAT(align_and_say({}, {{.name = "b", .in = {"x"}, .out = {"y"}, .sources = {}}}),
              ElementsAre("= b"));
}

TEST(Alignment, FusedLayerMatchesAllThatItWasFusedFrom) {
  EXPECT_THAT(
      align_and_say(
          {{.name = "conv", .in = {"x"}, .out = {"y"}, .sources = {"Conv", "Relu", "Pool"}}},
          {{.name = "c", .in = {"x"}, .out = {"p"}, .sources = {"Conv"}},
           {.name = "r", .in = {"p"}, .out = {"q"}, .sources = {"Relu"}},
           {.name = "p", .in = {"q"}, .out = {"y"}, .sources = {"Pool"}}}),
      ElementsAre("conv = c + r + p (source)"));
}

TEST(Alignment, ReformatThatNamesWhatItServesIsNotItsMatch) {
  TestLayer moves = reformat("to conv", "x", "p");
  moves.sources = {"Conv", "Relu"};
  EXPECT_THAT(align_and_say(
                  {moves, {.name = "conv", .in = {"p"}, .out = {"y"}, .sources = {"Conv", "Relu"}}},
                  {{.name = "c", .in = {"x"}, .out = {"y"}, .sources = {"Conv", "Relu"}}}),
              ElementsAre("to conv =", "conv = c (source)"));
}

// An addition is fused with the last layer of either branch: 3×3 with 3×3, and both together.
TEST(Alignment, AdditionThatMovedTiesBothBranches) {
  const auto layer = [](const char* name, const char* in, const char* out,
                        std::vector<std::string> sources, std::int64_t inner) {
    return TestLayer{
        .name = name, .in = {in}, .out = {out}, .sources = std::move(sources), .inner_size = inner};
  };
  EXPECT_THAT(align_and_say({layer("main", "x", "m", {"Conv_main"}, 576),
                             layer("side+add", "x", "y", {"Conv_side", "Add"}, 64)},
                            {layer("side", "x", "s", {"Conv_side"}, 64),
                             layer("main+add", "x", "y", {"Conv_main", "Add"}, 576)}),
              ElementsAre("main + side+add = side + main+add (source)"));
}

// Conv_84 of a model with more operations in front is not Conv_84: the names of weights confirm the
// layers whose numbers show it.
TEST(Alignment, NumbersThatAnExporterCountedAreJudged) {
  const auto conv = [](const std::string& weights, const std::string& number, const std::string& in,
                       const std::string& out) {
    return TestLayer{.name = weights, .in = {in}, .out = {out}, .sources = {weights, number}};
  };
  EXPECT_THAT(
      align_and_say({conv("l1.weight", "Conv_10", "x", "p"), conv("l2.weight", "Conv_20", "p", "q"),
                     conv("l3.weight", "Conv_30", "q", "y")},
                    {conv("l1.weight", "Conv_20", "x", "p"), conv("l2.weight", "Conv_30", "p", "q"),
                     conv("l3.weight", "Conv_40", "q", "y")}),
      ElementsAre("l1.weight = l1.weight (source)", "l2.weight = l2.weight (source)",
                  "l3.weight = l3.weight (source)"));
}

// Without a name that confirms them, numbers are trusted only if both engines have most of them.
TEST(Alignment, AccidentalNumbersMatchNothing) {
  const auto conv = [](const std::string& name, std::vector<std::int64_t> dims,
                       const std::string& in, const std::string& out) {
    return TestLayer{
        .name = name, .in = {in}, .out = {out}, .sources = {name}, .dims = std::move(dims)};
  };
  const std::vector<std::int64_t> large = {1, 8, 64, 64}, small = {1, 8, 8, 8};
  EXPECT_THAT(align_and_say({conv("Conv_1", large, "x", "p"), conv("Conv_2", small, "p", "y")},
                            {conv("Conv_2", large, "x", "p"), conv("Conv_9", small, "p", "y")}),
              ElementsAre("Conv_1 = Conv_2 (shape)", "Conv_2 = Conv_9 (shape)"));
}

TEST(Alignment, NamesCountWithoutTheCompilersNumbers) {
  const auto kernel = [](const char* name, const char* in, const char* out) {
    return TestLayer{.name = name,
                     .in = {in},
                     .out = {out},
                     .sources = {},
                     .type = "kgen",
                     .family = Family::kOpaque};
  };
  EXPECT_THAT(
      align_and_say(
          {kernel("__myl_Softmax_myl0_4", "x", "p"), kernel("__myl_Mean_myl0_5", "p", "y")},
          {kernel("__myl_Mean_myl3_17", "q", "y"), kernel("__myl_Softmax_myl3_16", "x", "q")}),
      ElementsAre("__myl_Mean_myl0_5 = __myl_Mean_myl3_17 (name)",
                  "__myl_Softmax_myl0_4 = __myl_Softmax_myl3_16 (name)"));
}

// Equal layers in a row: an inserted layer does not shift the rest.
TEST(Alignment, InsertedReformatLeavesTheOthersInPlace) {
  const auto conv = [](const char* name, const char* in, const char* out) {
    return TestLayer{.name = name, .in = {in}, .out = {out}, .sources = {}};
  };
  EXPECT_THAT(align_and_say({conv("a1", "x", "1"), conv("a2", "1", "2"), conv("a3", "2", "y")},
                            {conv("b1", "x", "1"), conv("b2", "1", "2"),
                             reformat("copy", "2", "2'"), conv("b3", "2'", "y")}),
              ElementsAre("a1 = b1 (shape)", "a2 = b2 (shape)", "= copy", "a3 = b3 (shape)"));
}

TEST(Alignment, WhatQuantizesIsNotWhatDoesTheReverse) {
  TestLayer quantize = reformat("q", "x", "y"), reverse = reformat("d", "x", "y");
  quantize.writes = model::DType::kInt8;
  reverse.reads = model::DType::kInt8;
  EXPECT_THAT(align_and_say({quantize}, {reverse}), ElementsAre("q =", "= d"));
}

PlanModel with_branches(const char* in_then, const char* in_else) {
  model::ModelBuilder builder;
  const model::BlockId around = builder.add_block("if", "conditional");
  const model::BlockId taken = builder.add_block("then", "branch", around);
  const model::BlockId other = builder.add_block("else", "branch", around);
  const auto kernel = [](const char* name, model::BlockId block) {
    return TestLayer{.name = name,
                     .in = {"x"},
                     .out = {"y"},
                     .sources = {"if"},
                     .type = "kgen",
                     .family = Family::kOpaque,
                     .block = block};
  };
  add_layer(builder, kernel(in_then, taken));
  add_layer(builder, kernel(in_else, other));
  return builder.finish();
}

// Both branches name the conditional as their source, and one has the other's name.
TEST(Alignment, BranchesOfAConditionalStayApart) {
  const PlanModel a = with_branches("sigmoid", "tanh"), b = with_branches("tanh", "relu");
  EXPECT_THAT(said(a, b, align(a, b)),
              ElementsAre("sigmoid = tanh (source)", "tanh = relu (source)"));
}

TEST(Alignment, OnlyLayersThatDoWorkAreMatched) {
  const TestLayer no_op{
      .name = "no-op", .in = {"p"}, .out = {"q"}, .sources = {}, .role = model::Role::kNoOp};
  const TestLayer first{.name = "first", .in = {"x"}, .out = {"p"}, .sources = {}};
  const TestLayer last{.name = "last", .in = {"q"}, .out = {"y"}, .sources = {}};
  EXPECT_THAT(align_and_say({first, no_op, last}, {first, no_op, last}),
              ElementsAre("first = first (name)", "last = last (name)"));
}

TEST(Alignment, CertaintyIsOneForEqualSourcesWithoutRival) {
  const PlanModel a = engine_of({{.name = "a", .in = {"x"}, .out = {"y"}, .sources = {"/c/Conv"}}});
  const PlanModel b =
      engine_of({{.name = "b", .in = {"x"}, .out = {"y"}, .sources = {"/c/Conv", "/r/Relu"}}});
  EXPECT_EQ(align(a, a).matches.at(0).certainty, 1);
  // A convolution weighs 4, all others 1: 0.6 + 0.4 · 4/5.
  EXPECT_DOUBLE_EQ(align(a, b).matches.at(0).certainty, 0.92);
}

TEST(PredecessorRules, PairTheFirstFreeLayersOfOneSignature) {
  const auto conv = [](const char* name, std::int64_t batch) {
    return TestLayer{.name = name,
                     .in = {"x"},
                     .out = {std::string("y") + name},
                     .sources = {},
                     .dims = {batch, 8, 4, 4}};
  };
  // Batches differ, and names play no role.
  EXPECT_THAT(align_and_say({conv("1", 1), conv("2", 1)}, {conv("2", 8), conv("1", 8)},
                            AlignRule::kExactShapes),
              ElementsAre("1 = 2 (shape)", "2 = 1 (shape)"));
}

// A pointwise layer with two inputs of different dims and one output.
PlanModel pointwise(std::vector<std::int64_t> first, std::vector<std::int64_t> second,
                    std::vector<std::int64_t> out) {
  model::ModelBuilder builder;
  const model::LayerId layer = builder.add_layer(builder.strings().add("p"));
  model::LayersTable& layers = builder.model().layers;
  layers.type.set(layer.index(), builder.strings().intern("PointWise"));
  layers.role.set(layer.index(), model::Role::kWork);
  builder.add_port(layer, model::Direction::kInput, {.tensor = "1", .dims = first});
  builder.add_port(layer, model::Direction::kInput, {.tensor = "2", .dims = second});
  builder.add_port(layer, model::Direction::kOutput, {.tensor = "3", .dims = out});
  return builder.finish();
}

TEST(PredecessorRules, SwappedInputsMatchIfTheOutputsDo) {
  const PlanModel a = pointwise({1, 8, 4}, {1, 8, 1}, {1, 8, 4});
  const PlanModel swapped = pointwise({1, 8, 1}, {1, 8, 4}, {1, 8, 4});
  const PlanModel other_output = pointwise({1, 8, 1}, {1, 8, 4}, {1, 9, 4});
  for (const AlignRule rule : {AlignRule::kExactShapes, AlignRule::kFirstShapes}) {
    EXPECT_THAT(said(a, swapped, align(a, swapped, rule)), ElementsAre("p = p (shape)"));
    EXPECT_THAT(said(a, other_output, align(a, other_output, rule)), ElementsAre("p =", "= p"));
  }
}

}  // namespace
}  // namespace planex::analyze
