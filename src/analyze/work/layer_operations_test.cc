// Work of layers without parameters: by their shapes, and by the operations they stem from.
#include "analyze/work/layer_operations.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "analyze/complete/complete.h"
#include "analyze/work/work.h"
#include "model/builder.h"

namespace planex::analyze {
namespace {

using model::Direction;
using model::DType;
using model::Family;
using Dims = std::vector<std::int64_t>;
using Count = std::optional<std::int64_t>;

struct ShapedLayer {
  std::string_view name, type;
  Family family;
  std::vector<Dims> inputs, constants, outputs;
  std::vector<std::string_view> sources;
  std::optional<std::int64_t> profile;
};

class OperationsEngine {
 public:
  void operation(std::string_view name, std::string_view type, const std::vector<Dims>& inputs,
                 const Dims& output) {
    const auto id = builder_.add_operation({.name = name, .type = type});
    for (const Dims& dims : inputs) {
      builder_.add_operation_port(id, Direction::kInput, {.tensor = "t", .dims = dims});
    }
    builder_.add_operation_port(id, Direction::kOutput, {.tensor = "y", .dims = output});
  }

  void layer(const ShapedLayer& facts) {
    const auto layer = builder_.add_layer(builder_.strings().add(facts.name));
    model::LayersTable& layers = builder_.model().layers;
    layers.type.set(layer.index(), builder_.strings().intern(facts.type));
    layers.family.set(layer.index(), facts.family);
    layers.profile_index.set(layer.index(), facts.profile);
    const auto ports = [&](Direction direction, const std::vector<Dims>& all) {
      for (const Dims& dims : all) {
        // Some layer writes each input, otherwise it would be a constant.
        const std::string tensor = "t" + std::to_string(tensors_++);
        builder_.add_port(layer, direction,
                          {.tensor = tensor, .dims = dims, .dtype = DType::kFp16});
        if (direction == Direction::kInput) bindings_.push_back(tensor);
      }
    };
    ports(Direction::kInput, facts.inputs);
    ports(Direction::kConstant, facts.constants);
    ports(Direction::kOutput, facts.outputs);
    for (const std::string_view source : facts.sources) {
      builder_.add_source(layer, source, "", model::Evidence::kMetadata);
    }
  }

  model::ModelBuilder& builder() { return builder_; }

  model::PlanModel complete() {
    for (const std::string& name : bindings_) builder_.add_binding(name, Direction::kInput);
    builder_.model().engine.profile_index.set(0, 0);
    model::PlanModel model = builder_.finish();
    analyze::complete(model);
    return model;
  }

 private:
  model::ModelBuilder builder_;
  std::vector<std::string> bindings_;
  int tensors_ = 0;
};

std::string_view evidence(const model::PlanModel& model, std::size_t row) {
  return model.text(model.layers.work_evidence[row]);
}

// Of one layer without operations.
Count macs_by_shapes(const ShapedLayer& layer) {
  OperationsEngine engine;
  engine.layer(layer);
  const model::PlanModel model = engine.complete();
  EXPECT_EQ(evidence(model, 0), model.layers.macs.get(0) ? "shapes" : "");
  return model.layers.macs.get(0);
}

TEST(MacsOfShapes, MatrixProducts) {
  const auto gemm = [](std::vector<Dims> in, std::vector<Dims> constants, Dims out) {
    return macs_by_shapes({"g_myl0_0", "gemm", Family::kGemm, in, constants, {out}});
  };
  // TensorRT-RTX: weights, alpha and beta are constants. Three products merged into one.
  EXPECT_EQ(gemm({{1, 128, 256}}, {{1, 256, 768}, {1}, {1}}, {1, 128, 768}), 128LL * 256 * 768);
  EXPECT_EQ(gemm({{128, 256}}, {{768, 256}}, {128, 768}), 128LL * 256 * 768);
  EXPECT_EQ(gemm({{4, 256, 128}}, {{4, 256, 64}}, {4, 128, 64}), 4LL * 128 * 256 * 64);
  EXPECT_EQ(gemm({{4, 128, 64}, {4, 64, 32}}, {}, {4, 128, 32}), 4LL * 128 * 64 * 32);
  // The input of a classifier as it comes from pooling.
  EXPECT_EQ(gemm({{1, 512, 1, 1}}, {{512, 1000}}, {1, 1000}), 512'000);
  // An addend is not an operand.
  EXPECT_EQ(gemm({{1, 128, 256}, {1, 128, 768}}, {{1, 256, 768}}, {1, 128, 768}),
            128LL * 256 * 768);
  // TensorRT 10 does not list the weights.
  EXPECT_EQ(gemm({{1, 1370, 384}}, {}, {3, 1370, 384}), 3LL * 1370 * 384 * 384);
  EXPECT_FALSE(gemm({{1, 1370, 384}}, {}, {1, 384, 1370})) << "the rows do not fit";
  EXPECT_FALSE(gemm({{1, 128, 256}}, {{1, 255, 768}}, {1, 128, 768})) << "constants must fit";
  EXPECT_FALSE(gemm({{-1, 256}}, {{256, 768}}, {-1, 768}));
  EXPECT_FALSE(gemm({}, {{256, 768}}, {128, 768}));
  EXPECT_FALSE(gemm({{128}}, {}, {768}));
  EXPECT_EQ(macs_by_shapes({"fc",
                            "FullyConnected",
                            Family::kGemm,
                            {{1, 128, 256}},
                            {{1024, 256}},
                            {{1, 128, 1024}}}),
            128LL * 256 * 1024);
  EXPECT_FALSE(
      macs_by_shapes({"l", "LSTM", Family::kGemm, {{10, 1, 32}}, {{1, 256, 32}}, {{10, 1, 64}}}));
}

TEST(MacsOfShapes, ConvolutionsByTheirWeights) {
  const auto conv = [](Dims in, std::vector<Dims> constants, Dims out) {
    return macs_by_shapes(
        {"c_myl0_0", "correlation", Family::kConvolution, {in}, constants, {out}});
  };
  EXPECT_EQ(conv({1, 64, 56, 56}, {{64, 64, 3, 3}, {1}, {1}, {1, 64, 1, 1}}, {1, 64, 56, 56}),
            64LL * 56 * 56 * 64 * 9);
  EXPECT_EQ(conv({1, 32, 8, 8}, {{32, 1, 3, 3}}, {1, 32, 8, 8}), 32LL * 64 * 9);
  // Groups as a dimension of their own, as OpenVINO has them.
  EXPECT_EQ(conv({1, 32, 8, 8}, {{4, 16, 8, 3, 3}}, {1, 64, 8, 8}), 64LL * 64 * 8 * 9);
  EXPECT_FALSE(conv({1, 64, 56, 56}, {{1}, {1, 64, 1, 1}}, {1, 64, 56, 56})) << "a bias";
  EXPECT_FALSE(conv({1, 64, 56, 56}, {}, {1, 64, 56, 56}));
}

TEST(MacsOfShapes, KernelsByTheirNames) {
  const auto kernel = [](std::string_view name, std::vector<Dims> in, std::vector<Dims> constants,
                         Dims out) {
    return macs_by_shapes({name, "runtime_fusion", Family::kOther, in, constants, {out}});
  };
  EXPECT_EQ(kernel("__myl_FcAddDivErf_myl0_7", {{1, 128, 256}}, {{1, 256, 1024}, {1, 1, 1024}},
                   {1, 128, 1024}),
            128LL * 256 * 1024);
  EXPECT_EQ(kernel("__myl_CorrMaxMin_myl0_3", {{1, 32, 32, 32}}, {{32, 8, 3, 3}}, {1, 32, 32, 32}),
            32LL * 1024 * 8 * 9);
  EXPECT_EQ(kernel("__myl_DecoMulMax_myl0_2", {{1, 16, 16, 16}}, {{16, 32, 4, 4}}, {1, 32, 32, 32}),
            16LL * 256 * 32 * 16);
  EXPECT_EQ(
      kernel("_gemm_mha_v2_myl0_4", {{4, 128, 64}, {4, 64, 77}, {4, 77, 32}}, {}, {4, 128, 32}),
      4LL * 128 * 77 * (64 + 32));
  EXPECT_EQ(
      kernel("_gemm_mha_v2_myl0_4", {{4, 128, 64}, {4, 77, 64}, {4, 77, 32}}, {}, {4, 128, 32}),
      4LL * 128 * 77 * (64 + 32));
  EXPECT_FALSE(
      kernel("_gemm_mha_v2_myl0_4", {{4, 128, 64}, {4, 64, 77}, {4, 78, 32}}, {}, {4, 128, 32}));
  EXPECT_FALSE(kernel("_gemm_mha_v2_myl0_4", {{4, 128, 192}}, {}, {4, 128, 64}));
  // A product of a vector and a matrix that is written as a multiplication and a sum.
  EXPECT_EQ(kernel("__myl_MulSumAdd_myl24_1", {{1, 1000}, {512, 1000}, {512, 1}}, {}, {1, 1000}),
            512'000);
  EXPECT_EQ(kernel("__myl_ReshMulSum_myl0_8", {{1, 64}}, {{64, 16}}, {1, 16}), 64 * 16);
  EXPECT_FALSE(kernel("__myl_MulSum_myl4_1", {{1024, 1}}, {}, {1, 10})) << "weights are not listed";
  EXPECT_FALSE(kernel("__myl_MulSum_myl4_1", {{1, 10}}, {{1}}, {1, 10})) << "no sum at all";
  EXPECT_FALSE(kernel("__myl_FcAddFc_myl0_1", {{128, 256}}, {{256, 64}, {64, 64}}, {128, 64}));
  EXPECT_FALSE(kernel("__myl_AddRelu_myl0_1", {{128, 256}}, {{256, 64}}, {128, 64}));
  EXPECT_FALSE(kernel("custom", {{128, 256}}, {{256, 64}}, {128, 64}));
}

TEST(MacsOfShapes, AttentionBesideAMask) {
  const auto attention = [](std::string_view type, std::vector<Dims> in, Dims out) {
    return macs_by_shapes({"a", type, Family::kGemm, std::move(in), {}, {out}});
  };
  const Dims q = {2, 4, 16, 32}, k = {2, 4, 20, 32}, v = {2, 4, 20, 24}, out = {2, 4, 16, 24};
  constexpr std::int64_t kProducts = 2LL * 4 * 16 * 20 * (32 + 24);
  for (const char* type : {"ScaledDotProductAttention", "Attention", "MHA", "kgen_mha"}) {
    EXPECT_EQ(attention(type, {q, k, v}, out), kProducts) << type;
    // A mask over all heads, the same for all queries, and a scale.
    EXPECT_EQ(attention(type, {q, k, v, {1, 1, 16, 20}}, out), kProducts);
    EXPECT_EQ(attention(type, {q, k, v, {2, 1, 1, 20}, {1}}, out), kProducts);
    // Keys and values of earlier turns add products that the other dims do not show.
    EXPECT_FALSE(attention(type, {q, k, v, {2, 4, 7, 32}, {2, 4, 7, 24}}, out));
  }
  // OpenVINO turns K, and puts the mask before V.
  EXPECT_EQ(attention("ScaledDotProductAttention", {q, {2, 4, 32, 20}, {1, 1, 16, 20}, v}, out),
            kProducts);
  EXPECT_EQ(macs_by_shapes({"ScaledDotProductAttention_4",
                            "Subgraph",
                            Family::kOpaque,
                            {q, {2, 4, 32, 20}, v},
                            {},
                            {out}}),
            kProducts);
  EXPECT_FALSE(macs_by_shapes({"Multiply_4", "Subgraph", Family::kOpaque, {q, k, v}, {}, {out}}));
  EXPECT_FALSE(attention("ScaledDotProductAttentionWithKVCache", {q, k, v}, out));
}

TEST(MacsOfShapes, RecurrentNetworksByTheirWeights) {
  const auto network = [](std::string_view type, std::vector<Dims> in, std::vector<Dims> constants,
                          Dims out) {
    return macs_by_shapes({"r", type, Family::kGemm, std::move(in), std::move(constants), {out}});
  };
  // OpenVINO: batch 2, 10 steps, 32 in, 64 hidden; states, lengths, biases.
  const Dims x = {2, 10, 32}, h = {2, 1, 64}, y = {2, 10, 64};
  EXPECT_EQ(network("RNNSeq", {x, h, h}, {{2}, {1, 256, 32}, {1, 256, 64}, {1, 256}}, y),
            20LL * 256 * (32 + 64));
  EXPECT_EQ(network("GRUSequence", {x, h}, {{2}, {1, 192, 32}, {1, 192, 64}, {1, 192}}, y),
            20LL * 192 * (32 + 64));
  EXPECT_EQ(network("RNNCell", {{2, 32}, {2, 64}}, {{256, 32}, {256, 64}, {256}}, {2, 64}),
            2LL * 256 * (32 + 64));
  // As many inputs as hidden: two matrices of one size.
  EXPECT_EQ(network("RNNSeq", {y, h, h}, {{1, 256, 64}, {1, 256, 64}, {1, 256}}, y),
            20LL * 256 * (64 + 64));
  EXPECT_FALSE(network("RNNSeq", {x, h, h}, {{1, 256, 32}, {1, 256}}, y));
  EXPECT_FALSE(network("RNNSeq", {x, h, h}, {}, y));
  EXPECT_FALSE(network("RNNSeq", {{2, -1, 32}, h, h}, {{1, 256, 32}, {1, 256, 64}}, y));
}

TEST(WorkNotKnown, IsSaidOnce) {
  OperationsEngine engine;
  const Dims q = {2, 4, 16, 32};
  for (int i = 0; i < 2; ++i) {
    engine.layer({"kv", "ScaledDotProductAttentionWithKVCache", Family::kGemm, {q, q, q}, {}, {q}});
  }
  model::PlanModel model = engine.complete();
  EXPECT_FALSE(model.layers.macs.get(0));
  analyze::complete(model);
  ASSERT_EQ(model.diagnostics.row_count(), 1U);
  EXPECT_EQ(model.text(model.diagnostics.code[0]), "work-unknown");
  EXPECT_NE(model.text(model.diagnostics.message[0]).find("2 layers, for instance \"kv\""),
            std::string_view::npos)
      << model.text(model.diagnostics.message[0]);
}

TEST(WorkInLoops, IsNotThatOfAnInference) {
  OperationsEngine engine;
  const ShapedLayer product = {"p", "gemm", Family::kGemm, {{4, 8}, {8, 2}}, {}, {{4, 2}}};
  for (int i = 0; i < 4; ++i) engine.layer(product);
  model::ModelBuilder& builder = engine.builder();
  const auto loop = builder.add_block("l", "loop");
  const auto branch = builder.add_block("b", "branch", loop);
  const auto other = builder.add_block("c", "branch");
  builder.model().layers.block_id.set(1, loop);
  builder.model().layers.block_id.set(2, branch);
  builder.model().layers.block_id.set(3, other);
  model::PlanModel model = engine.complete();
  for (int times = 0; times < 2; ++times) {
    EXPECT_EQ(model.layers.macs.get(0), 64);
    EXPECT_FALSE(model.layers.macs.get(1));
    EXPECT_FALSE(model.layers.flops.get(2));
    EXPECT_TRUE(model.layers.work_evidence.is_null(2));
    EXPECT_EQ(model.layers.macs.get(3), 64) << "a branch runs once, if it does";
    EXPECT_EQ(model.diagnostics.row_count(), 1U);
    analyze::complete(model);
  }
  EXPECT_EQ(model.text(model.diagnostics.code[0]), "work-in-loops");
}

TEST(NamedProduct, ReadsTheCodesOfKernels) {
  EXPECT_EQ(named_product("__myl_FcAdd_myl0_7"), NamedProduct::kMatrix);
  EXPECT_EQ(named_product("__myl_Fc"), NamedProduct::kMatrix);
  EXPECT_EQ(named_product("__myl_MulSum_myl0_7"), NamedProduct::kVector);
  EXPECT_EQ(named_product("__myl_SumMul_myl0_7"), NamedProduct::kNone);
  EXPECT_EQ(named_product("__myl_FcMulSum_myl0_7"), NamedProduct::kSeveral);
  EXPECT_EQ(named_product("__myl_MaxrSubExpSumDiv_myl0_7"), NamedProduct::kNone);
  EXPECT_EQ(named_product("__myl_"), NamedProduct::kNone);
  EXPECT_EQ(named_product("conv1"), NamedProduct::kNotGenerated);
  EXPECT_EQ(named_product(""), NamedProduct::kNotGenerated);
}

TEST(LayerOperations, OpaqueLayersTakeTheirProducts) {
  OperationsEngine engine;
  engine.operation("qk", "MatMul", {{4, 128, 64}, {4, 64, 128}}, {4, 128, 128});
  engine.operation("softmax", "Softmax", {{4, 128, 128}}, {4, 128, 128});
  engine.operation("av", "MatMul", {{4, 128, 128}, {4, 128, 64}}, {4, 128, 64});
  engine.layer({"{ForeignNode[qk...av]}",
                "Myelin",
                Family::kOpaque,
                {{4, 128, 64}},
                {},
                {{4, 128, 64}},
                {"qk", "softmax", "av", "qk"}});
  const model::PlanModel model = engine.complete();
  EXPECT_EQ(model.layers.macs.get(0), 2LL * 4 * 128 * 128 * 64) << "a source that repeats";
  EXPECT_EQ(model.layers.flops.get(0), 2 * model.layers.macs[0]);
  EXPECT_EQ(evidence(model, 0), "operations");
}

TEST(LayerOperations, CountOnce) {
  OperationsEngine engine;
  engine.operation("fc", "Gemm", {{1, 512}, {512, 1000}, {1000}}, {1, 1000});
  engine.operation("relu", "Relu", {{1, 1000}}, {1, 1000});
  // TensorRT-RTX: what precedes and follows a product stems from it as well.
  engine.layer(
      {"__myl_MeanResh_myl0_5", "kgen", Family::kOpaque, {{1, 512, 7, 7}}, {}, {{512, 1}}, {"fc"}});
  engine.layer(
      {"__myl_MulSum_myl0_6", "kgen", Family::kOpaque, {{512, 1}}, {}, {{1, 1000}}, {"fc"}});
  engine.layer({"__myl_AddRelu_myl0_7",
                "kgen",
                Family::kOpaque,
                {{1, 1000}},
                {{1, 1000}},
                {{1, 1000}},
                {"fc", "relu"}});
  const model::PlanModel model = engine.complete();
  EXPECT_FALSE(model.layers.macs.get(0));
  EXPECT_EQ(model.layers.macs.get(1), 512'000);
  EXPECT_FALSE(model.layers.macs.get(2));
  EXPECT_FALSE(model.layers.flops.get(2)) << "a part of fc is in it";
}

TEST(LayerOperations, ALayerWithItsOwnCountKeepsIt) {
  OperationsEngine engine;
  engine.operation("lstm", "LSTM", {{10, 1, 32}, {1, 256, 32}, {1, 256, 64}}, {10, 1, 1, 64});
  engine.layer(
      {"gemm_myl0_0", "gemm", Family::kGemm, {{10, 32}}, {{32, 256}}, {{10, 256}}, {"lstm"}});
  // The rest of a network that was spread over many kernels, of which one keeps the name.
  engine.layer({"__myl_AddSigmMulSum_myl0_1",
                "kgen",
                Family::kOpaque,
                {{1, 1, 64}},
                {},
                {{1, 1, 64}},
                {"lstm"}});
  const model::PlanModel model = engine.complete();
  EXPECT_EQ(model.layers.macs.get(0), 10LL * 32 * 256);
  EXPECT_EQ(evidence(model, 0), "shapes");
  EXPECT_FALSE(model.layers.macs.get(1));
}

TEST(LayerOperations, OfARecurrentNetworkAsAWhole) {
  OperationsEngine engine;
  engine.operation("lstm", "LSTM", {{10, 1, 32}, {1, 256, 32}, {1, 256, 64}}, {10, 1, 1, 64});
  engine.layer(
      {"__myl_AddMulSum_myl0_1", "kgen", Family::kOpaque, {{1, 64}}, {}, {{1, 64}}, {"lstm"}});
  engine.layer({"lstm", "LSTMSequence", Family::kGemm, {{10, 1, 32}}, {}, {{10, 1, 64}}, {"lstm"}});
  const model::PlanModel model = engine.complete();
  EXPECT_FALSE(model.layers.macs.get(0));
  EXPECT_EQ(model.layers.macs.get(1), 10LL * 256 * 96);
}

TEST(LayerOperations, ConvolutionsCountTheModelsChannels) {
  OperationsEngine engine;
  engine.operation("conv1", "Conv", {{1, 3, 224, 224}, {64, 3, 7, 7}}, {1, 64, 112, 112});
  // TensorRT-RTX pads three channels to eight.
  engine.layer({"conv1_myl0_1",
                "correlation",
                Family::kConvolution,
                {{1, 8, 224, 224}},
                {{64, 8, 7, 7}},
                {{1, 64, 112, 112}},
                {"conv1"}});
  const model::PlanModel model = engine.complete();
  EXPECT_EQ(model.layers.macs.get(0), 64LL * 112 * 112 * 3 * 49);
  EXPECT_EQ(evidence(model, 0), "operations");
}

TEST(LayerOperations, ASplitConvolutionCountsItsParts) {
  OperationsEngine engine;
  engine.operation("conv", "Conv", {{1, 8, 4, 4}, {16, 8, 1, 1}}, {1, 16, 4, 4});
  for (int part = 0; part < 2; ++part) {
    engine.layer({"conv_myl0_1",
                  "correlation",
                  Family::kConvolution,
                  {{1, 8, 4, 4}},
                  {{8, 8, 1, 1}},
                  {{1, 8, 4, 4}},
                  {"conv"}});
  }
  const model::PlanModel model = engine.complete();
  for (std::size_t row = 0; row < 2; ++row) {
    EXPECT_EQ(model.layers.macs.get(row), 16LL * 8 * 8);
    EXPECT_EQ(evidence(model, row), "shapes");
  }
}

// ONNX Runtime's: the trace does not list weights that were packed, nor keys of earlier turns.
TEST(LayerOperations, ALayerThatIsTheOperationHasItsWork) {
  OperationsEngine engine;
  const Dims q = {2, 4, 16, 32}, past = {2, 4, 7, 32};
  engine.operation("att", "Attention", {q, q, q, {1, 1, 16, 23}, past, past}, q);
  engine.operation("mm", "MatMul", {{4, 8}, {8, 2}}, {4, 2});
  engine.layer({"att", "Attention", Family::kGemm, {q, q, q}, {}, {q}, {"att"}});
  engine.layer({"mm", "MatMul", Family::kGemm, {{4, 8}, {8, 2}}, {}, {{4, 2}}, {"mm"}});
  model::LayersTable& layers = engine.builder().model().layers;
  layers.raw_type.set(0, engine.builder().strings().intern("Attention"));
  layers.raw_type.set(1, engine.builder().strings().intern("MatMul"));
  engine.builder().model().sources.op_type.set(0, engine.builder().strings().intern("Attention"));
  engine.builder().model().sources.op_type.set(1, engine.builder().strings().intern("MatMul"));
  const model::PlanModel model = engine.complete();
  EXPECT_EQ(model.layers.macs.get(0), 2LL * 4 * 16 * 23 * (32 + 32)) << "not those of 16 keys";
  EXPECT_EQ(evidence(model, 0), "operations");
  EXPECT_EQ(model.layers.macs.get(1), 64);
  EXPECT_EQ(evidence(model, 1), "operations");
}

TEST(LayerOperations, UnknownPartsMakeTheSumUnknown) {
  OperationsEngine engine;
  engine.operation("known", "MatMul", {{4, 8}, {8, 2}}, {4, 2});
  engine.operation("dynamic", "MatMul", {{-1, 8}, {8, 2}}, {-1, 2});
  engine.operation("loop", "Loop", {{4, 8}}, {4, 2});
  engine.operation("twice", "MatMul", {{4, 8}, {8, 2}}, {4, 2});
  engine.operation("twice", "MatMul", {{4, 8}, {8, 3}}, {4, 3});
  const auto opaque = [&](std::vector<std::string_view> sources) {
    engine.layer({"block", "Myelin", Family::kOpaque, {{4, 8}}, {}, {{4, 2}}, std::move(sources)});
  };
  opaque({"dynamic"});
  opaque({"loop"});
  opaque({"twice"});
  opaque({"no such operation"});
  opaque({});
  engine.layer({"add", "ElementWise", Family::kPointwise, {{4, 2}}, {}, {{4, 2}}, {"known"}});
  engine.layer({"r", "Reformat", Family::kReformat, {{4, 2}}, {}, {{4, 2}}, {"known"}});
  const model::PlanModel model = engine.complete();
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    EXPECT_FALSE(model.layers.macs.get(row)) << row;
  }
}

TEST(LayerOperations, EachProfileHasItsOwn) {
  OperationsEngine engine;
  engine.operation("mm", "MatMul", {{4, 8}, {8, 2}}, {4, 2});
  for (const std::int64_t profile : {0, 1}) {
    engine.layer({"block", "Myelin", Family::kOpaque, {{4, 8}}, {}, {{4, 2}}, {"mm"}, profile});
  }
  const model::PlanModel model = engine.complete();
  EXPECT_EQ(model.layers.macs.get(0), 64);
  EXPECT_EQ(model.layers.macs.get(1), 64);
}

TEST(LayerOperations, PointwiseKernels) {
  OperationsEngine engine;
  engine.operation("q", "QuantizeLinear", {{4, 8}}, {4, 8});
  engine.operation("t", "Transpose", {{4, 8}}, {8, 4});
  engine.operation("ln", "LayerNormalization", {{4, 8}}, {4, 8});
  engine.operation("add", "Add", {{4, 8}}, {4, 8});
  const auto kernel = [&](std::vector<std::string_view> sources) {
    engine.layer({"__myl_MulAdd_myl0_0",
                  "kgen",
                  Family::kOpaque,
                  {{4, 8}},
                  {},
                  {{4, 8}},
                  std::move(sources)});
  };
  kernel({"q", "t"});
  kernel({"ln", "add"});
  kernel({"t"});
  const model::PlanModel model = engine.complete();
  EXPECT_EQ(model.layers.flops.get(0), 32);
  EXPECT_FALSE(model.layers.macs.get(0));
  EXPECT_EQ(evidence(model, 0), "operations");
  EXPECT_FALSE(model.layers.flops.get(1));
  EXPECT_FALSE(model.layers.flops.get(2));
}

// The sum over layers is the sum over the operations that have a layer.
TEST(LayerOperations, SumsAgree) {
  OperationsEngine engine;
  std::int64_t all = 0;
  const std::vector<std::string> names = {"a", "b", "c", "d", "e", "f"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto n = static_cast<std::int64_t>(i + 2);
    engine.operation(names[i], "MatMul", {{n, 8}, {8, n}}, {n, n});
    all += n * n * 8;
  }
  for (std::size_t i = 0; i + 1 < names.size(); ++i) {
    engine.layer({"block",
                  "Myelin",
                  Family::kOpaque,
                  {{4, 8}},
                  {},
                  {{4, 2}},
                  {names[i], names[i + 1], names[(i * 3) % names.size()]}});
  }
  const model::PlanModel model = engine.complete();
  std::int64_t sum = 0;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    sum += model.layers.macs.get(row).value_or(0);
  }
  EXPECT_EQ(sum, all);
}

TEST(Weights, AreTheConstantsThatALayerLists) {
  OperationsEngine engine;
  engine.layer({"a", "gemm", Family::kGemm, {{4, 8}}, {{8, 2}, {1}}, {{4, 2}}});
  engine.layer({"b", "gemm", Family::kGemm, {{4, 8}}, {}, {{4, 2}}});
  engine.layer({"c", "gemm", Family::kGemm, {{4, 8}}, {{8, -1}}, {{4, 2}}});
  engine.layer({"d", "PluginV2", Family::kPlugin, {{4, 8}}, {}, {{4, 2}}});
  const model::PlanModel model = engine.complete();
  EXPECT_EQ(model.layers.weight_bytes.get(0), 34);
  EXPECT_EQ(model.layers.input_bytes.get(0), 64) << "constants are no traffic of activations";
  EXPECT_EQ(model.layers.footprint_bytes.get(0), 64 + 16 + 34);
  EXPECT_EQ(model.layers.arithmetic_intensity.get(0), 2.0 * 64 / (64 + 16 + 34));
  EXPECT_EQ(model.layers.weight_bytes.get(1), 0) << "layers of this type list what they have";
  EXPECT_FALSE(model.layers.weight_bytes.get(2));
  EXPECT_FALSE(model.layers.weight_bytes.get(3));
}

}  // namespace
}  // namespace planex::analyze
