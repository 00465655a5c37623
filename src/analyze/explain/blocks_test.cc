#include "analyze/explain/blocks.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analyze/complete/complete.h"
#include "graph/hierarchy.h"
#include "model/builder.h"
#include "support/test_data.h"

namespace planex::analyze {
namespace {

using model::Direction;
using model::Family;
using model::LayerId;
using model::PlanModel;

struct Facts {
  std::string name, type;
  Family family;
  double ms;
  std::vector<std::string> reads, writes, operations;
};

PlanModel model_of_blocks(const std::vector<Facts>& layers) {
  model::ModelBuilder builder;
  const std::int64_t size = 4;
  for (const Facts& facts : layers) {
    const LayerId layer = builder.add_layer(builder.strings().add(facts.name));
    auto& table = builder.model().layers;
    table.role.set(layer.index(), model::Role::kWork);
    table.type.set(layer.index(), builder.strings().intern(facts.type));
    table.family.set(layer.index(), facts.family);
    table.median_ms.set(layer.index(), facts.ms);
    const auto add = [&](Direction direction, const std::vector<std::string>& tensors) {
      for (const std::string& tensor : tensors) {
        builder.add_port(layer, direction,
                         {.tensor = tensor, .dims = {&size, 1}, .dtype = model::DType::kFp16});
      }
    };
    add(Direction::kInput, facts.reads);
    add(Direction::kOutput, facts.writes);
    for (const std::string& operation : facts.operations) {
      builder.add_source(layer, operation, "", model::Evidence::kName);
    }
  }
  PlanModel model = builder.finish();
  complete(model);
  return model;
}

Blocks blocks_of(const PlanModel& model) {
  const graph::PlanGraph graph = graph::build_plan_graph(model, {});
  return find_blocks(model, graph, graph::build_groups(model, graph), reconcile(model));
}

TEST(OperationWord, IsTheLastPartWithoutCounters) {
  EXPECT_EQ(operation_word("/blocks.0/attn/MatMul_3"), "MatMul");
  EXPECT_EQ(operation_word("Softmax_12_1"), "Softmax");
  EXPECT_EQ(operation_word("Conv"), "Conv");
  EXPECT_EQ(operation_word("_3"), "_3");
  EXPECT_EQ(operation_word(""), "");
}

TEST(Attention, IsFoundAroundASoftmax) {
  const PlanModel model =
      model_of_blocks({{"q", "gemm", Family::kGemm, 1, {"x"}, {"q", "k", "v"}, {}},
                       {"qk", "gemm", Family::kGemm, 2, {"q", "k"}, {"s"}, {}},
                       {"scale", "kgen", Family::kPointwise, 1, {"s"}, {"t"}, {}},
                       {"soft", "kgen", Family::kOther, 3, {"t"}, {"p"}, {"/attn/Softmax"}},
                       {"av", "gemm", Family::kGemm, 4, {"p", "v"}, {"y"}, {}},
                       {"mlp", "gemm", Family::kGemm, 5, {"y"}, {"z"}, {}}});
  const Blocks blocks = blocks_of(model);
  ASSERT_EQ(blocks.attention.size(), 1U);
  const AttentionBlock& block = blocks.attention.front();
  EXPECT_EQ(block.layers, (std::vector{LayerId(1), LayerId(2), LayerId(3), LayerId(4)}));
  EXPECT_EQ(block.evidence, AttentionEvidence::kGraph);
  EXPECT_EQ(block.time_ms, 10);
  EXPECT_EQ(*block.share, 10.0 / 16);
}

TEST(Attention, AClassifiersSoftmaxIsNone) {
  const PlanModel model =
      model_of_blocks({{"fc", "gemm", Family::kGemm, 1, {"x"}, {"y"}, {}},
                       {"soft", "SoftMax", Family::kOther, 1, {"y"}, {"z"}, {"/Softmax"}}});
  EXPECT_TRUE(blocks_of(model).attention.empty());
}

TEST(Attention, FusedKernelsAndOperationsTell) {
  const PlanModel model =
      model_of_blocks({{"_gemm_mha_v2_0", "kgen", Family::kOpaque, 1, {"x"}, {"y"}, {}},
                       {"foreign",
                        "Myelin",
                        Family::kOpaque,
                        2,
                        {"y"},
                        {"z"},
                        {"/a/MatMul", "/a/Softmax", "/a/MatMul_1", "/a/Add"}}});
  const Blocks blocks = blocks_of(model);
  ASSERT_EQ(blocks.attention.size(), 2U);
  EXPECT_EQ(blocks.attention[0].evidence, AttentionEvidence::kKernel);
  EXPECT_EQ(blocks.attention[0].evidence_text, "\"_mha\"");
  EXPECT_EQ(blocks.attention[1].evidence, AttentionEvidence::kSources);
  EXPECT_EQ(blocks.attention[1].evidence_text, "2 products and 1 softmax");
  ASSERT_EQ(blocks.opaque.size(), 2U);
  EXPECT_EQ(blocks.opaque[0].layer, LayerId(1));  // the slower one first
  EXPECT_EQ(blocks.opaque[0].parts.front().type, "MatMul");
  EXPECT_EQ(blocks.opaque[0].parts.front().count, 2);
  EXPECT_EQ(blocks.opaque[0].operation_count, 4);
  EXPECT_TRUE(blocks.opaque[1].parts.empty());
}

TEST(Attention, ProjectionsAreNoProductsOfAttention) {
  // A fused kernel between two layers with weights: one activation each.
  const PlanModel model =
      model_of_blocks({{"q", "FullyConnected", Family::kGemm, 1, {"x"}, {"q"}, {}},
                       {"attn",
                        "Subgraph",
                        Family::kOpaque,
                        2,
                        {"q"},
                        {"y"},
                        {"enc0.attn.av", "enc0.attn.scale", "enc0.attn.softmax"}},
                       {"out", "FullyConnected", Family::kGemm, 1, {"y"}, {"z"}, {}}});
  const Blocks blocks = blocks_of(model);
  ASSERT_EQ(blocks.attention.size(), 1U);
  EXPECT_EQ(blocks.attention.front().layers, std::vector{LayerId(1)});
  EXPECT_EQ(blocks.attention.front().evidence, AttentionEvidence::kSources);
}

TEST(OpaqueBlocks, AForeignNodeTellsItsEnds) {
  const PlanModel model = model_of_blocks({{"{ForeignNode[a/Add...b/Reshape_3]}",
                                            "Myelin",
                                            Family::kOpaque,
                                            1,
                                            {"x"},
                                            {"y"},
                                            {"b/Reshape_3"}}});
  const Blocks blocks = blocks_of(model);
  ASSERT_EQ(blocks.opaque.size(), 1U);
  EXPECT_EQ(blocks.opaque.front().first, "a/Add");
  EXPECT_EQ(blocks.opaque.front().last, "b/Reshape_3");
  EXPECT_TRUE(blocks.opaque.front().parts.empty());
}

TEST(RepeatedBlocks, SumsCloseAndTheOddOneIsTold) {
  std::vector<Facts> layers = {{"stem", "conv", Family::kConvolution, 7, {"x"}, {"t0"}, {}}};
  for (int turn = 0; turn < 6; ++turn) {
    const std::string scope = "layers." + std::to_string(turn);
    const std::string in = "t" + std::to_string(turn), out = "t" + std::to_string(turn + 1);
    layers.push_back({scope + "/conv",
                      "conv",
                      Family::kConvolution,
                      turn == 2 ? 9.0 : 1.0,
                      {in},
                      {in + "m"},
                      {scope + "/conv"}});
    layers.push_back(
        {scope + "/relu", "relu", Family::kPointwise, 1, {in + "m"}, {out}, {scope + "/relu"}});
  }
  layers.push_back({"head", "fc", Family::kGemm, 3, {"t6"}, {"y"}, {}});
  const PlanModel model = model_of_blocks(layers);
  const Blocks blocks = blocks_of(model);
  ASSERT_EQ(blocks.repeated.size(), 1U);
  const RepeatedBlock& block = blocks.repeated.front();
  EXPECT_EQ(block.instance_count, 6);
  EXPECT_EQ(block.layer_count, 12);
  EXPECT_EQ(block.time_ms, 20);  // 5 · 2 + 10
  EXPECT_EQ(block.instance_median_ms, 2);
  EXPECT_EQ(block.instance_max_ms, 10);
  EXPECT_EQ(block.spread, 4);  // (10 - 2) / 2
  ASSERT_EQ(block.outliers.size(), 1U);
  EXPECT_EQ(block.outliers.front().name, "layers.2");
  EXPECT_EQ(block.outliers.front().ratio, 5);
  EXPECT_FALSE(block.outliers.front().has_other_shape);
  EXPECT_EQ(blocks.in_blocks_ms, 20);
  EXPECT_EQ(blocks.rest_ms, 10);
  EXPECT_EQ(blocks.time_ms, 30);
  EXPECT_EQ(blocks.rest_count, 2);
}

TEST(BlocksOfRealEngines, SumsCloseAndAttentionIsFound) {
  PLANEX_NEED_TEST_DATA(data);
  const auto of = [&](const std::string& name) {
    const PlanModel model = test::must(test::load_engine(data, name));
    Blocks blocks = blocks_of(model);
    double nested_out = 0;
    for (const RepeatedBlock& block : blocks.repeated) {
      if (!block.is_nested) nested_out += block.time_ms.value_or(0);
    }
    EXPECT_NEAR(nested_out, blocks.in_blocks_ms.value_or(0), 1e-9) << name;
    EXPECT_NEAR(blocks.in_blocks_ms.value_or(0) + blocks.rest_ms.value_or(0),
                blocks.time_ms.value_or(0), 1e-9)
        << name;
    EXPECT_EQ(blocks.layers_in_blocks + blocks.rest_count, blocks.layer_count) << name;
    return blocks;
  };
  for (const char* name : test::kReadableEngines) of(name);
  // 12 encoder blocks each; the engine in FP32 has no fused kernel, but two encoders.
  EXPECT_EQ(of("depth-anything-v2-rtx30-trt10").attention.size(), 12U);
  const Blocks twelve = of("rtx1.7-transformer12-fp16");
  EXPECT_EQ(twelve.attention.size(), 12U);
  ASSERT_FALSE(twelve.repeated.empty());
  EXPECT_EQ(twelve.repeated.front().instance_count, 12);
  const Blocks two = of("rtx1.7-transformer-fp32");
  ASSERT_EQ(two.attention.size(), 2U);
  EXPECT_EQ(two.attention.front().evidence, AttentionEvidence::kGraph);
  EXPECT_TRUE(of("resnet18-a100-fp16").attention.empty());
}

}  // namespace
}  // namespace planex::analyze
