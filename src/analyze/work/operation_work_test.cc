#include "analyze/work/operation_work.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "analyze/work/operation_kinds.h"
#include "analyze/work/operation_parameters.h"
#include "model/builder.h"

namespace planex::analyze {
namespace {

using Dims = std::vector<std::int64_t>;
using Count = std::optional<std::int64_t>;

struct TestOperation {
  std::string_view type;
  std::vector<Dims> inputs;  // empty dims: left out
  Dims output;
  std::string_view parameters;
  std::string_view domain;
};

model::PlanModel model_of_operation(const TestOperation& facts) {
  model::ModelBuilder builder;
  const auto operation = builder.add_operation(
      {.name = "op", .type = facts.type, .domain = facts.domain, .parameters = facts.parameters});
  for (const Dims& dims : facts.inputs) {
    builder.add_operation_port(operation, model::Direction::kInput,
                               {.tensor = dims.empty() ? "" : "t", .dims = dims});
  }
  builder.add_operation_port(operation, model::Direction::kOutput,
                             {.tensor = "y", .dims = facts.output});
  model::PlanModel model = builder.finish();
  complete_operations(model);
  return model;
}

Count macs(const TestOperation& facts) { return model_of_operation(facts).operations.macs.get(0); }
Count flops(const TestOperation& facts) {
  return model_of_operation(facts).operations.flops.get(0);
}

const Dims kNone = {};

TEST(OperationMacs, OfConvolutions) {
  const Dims x = {2, 32, 8, 8}, y = {2, 64, 8, 8}, w = {64, 32, 3, 3};
  constexpr Count kMacs = 2LL * 64 * 64 * 32 * 9;
  EXPECT_EQ(macs({"Conv", {x, w}, y}), kMacs);
  EXPECT_EQ(macs({"Conv", {x, w, {64}}, y}), kMacs);
  EXPECT_EQ(macs({"ConvInteger", {x, w}, y}), kMacs);
  EXPECT_EQ(macs({"FusedConv", {x, w, {64}, y}, y, "", "com.microsoft"}), kMacs);
  EXPECT_EQ(macs({"QLinearConv", {x, {1}, {1}, w, {64}, {1}, {1}, {1}}, y}), kMacs);
  EXPECT_EQ(macs({"DeformConv", {x, w, {2, 18, 8, 8}}, y}), kMacs);
  // Depthwise, a sequence, a volume.
  EXPECT_EQ(macs({"Conv", {{1, 8, 4, 4}, {8, 1, 3, 3}}, {1, 8, 4, 4}}), 8LL * 16 * 9);
  EXPECT_EQ(macs({"Conv", {{1, 4, 16}, {8, 4, 5}}, {1, 8, 16}}), 8LL * 16 * 4 * 5);
  EXPECT_EQ(macs({"Conv", {{1, 2, 4, 4, 4}, {3, 2, 3, 3, 3}}, {1, 3, 4, 4, 4}}), 3LL * 64 * 2 * 27);
  // A build log lists no weights among the inputs, but has the parameters.
  EXPECT_EQ(macs({"Conv", {x}, y, R"({"kernel_shape": [3, 3], "group": 1})"}), kMacs);
  EXPECT_EQ(macs({"Conv", {x}, y, R"({"group":4,"kernel_shape":[3,3]})"}), *kMacs / 4);
  EXPECT_FALSE(macs({"Conv", {x}, y}));
  EXPECT_FALSE(macs({"Conv", {x}, y, R"({"kernel_shape": [3, 3], "group": 0})"}));
  EXPECT_FALSE(macs({"Conv", {x}, y, R"({"kernel_shape": [3, 3], "group": 5})"}));
  EXPECT_FALSE(macs({"Conv", {x}, y, R"({"kernel_shape": [3]})"}));
  // Dims that do not fit are not counted.
  EXPECT_FALSE(macs({"Conv", {x, {65, 32, 3, 3}}, y}));
  EXPECT_FALSE(macs({"Conv", {x, {64, 5, 3, 3}}, y}));
  EXPECT_FALSE(macs({"Conv", {{-1, 32, 8, 8}, w}, {-1, 64, 8, 8}}));
  EXPECT_FALSE(macs({"Conv", {kNone, w}, y}));
}

// ONNX Runtime transposes activations, but not filters.
TEST(OperationMacs, OfConvolutionsWithChannelsLast) {
  const Dims x = {2, 8, 9, 32}, y = {2, 8, 9, 64}, w = {64, 16, 3, 3};
  constexpr Count kMacs = 2LL * 64 * 72 * 16 * 9;
  EXPECT_EQ(macs({"NhwcFusedConv", {x, w}, y, R"({"group":2})", "com.microsoft"}), kMacs);
  EXPECT_EQ(macs({"QLinearConv",
                  {x, {1}, {1}, w, {64}, {1}, {1}, {1}},
                  y,
                  R"({"channels_last":1,"group":2})",
                  "com.microsoft"}),
            kMacs);
  EXPECT_FALSE(macs({"QLinearConv", {x, {1}, {1}, w, {64}, {1}, {1}, {1}}, y}))
      << "channels would be 8";
}

TEST(OperationMacs, OfTransposedConvolutionsByTheirInput) {
  EXPECT_EQ(macs({"ConvTranspose", {{1, 4, 10}, {4, 3, 5}}, {1, 3, 50}}), 4LL * 10 * 3 * 5);
  EXPECT_EQ(macs({"ConvTranspose", {{1, 4, 2, 3, 4}, {4, 3, 2, 2, 2}}, {1, 3, 4, 6, 8}}),
            4LL * 24 * 3 * 8);

  EXPECT_EQ(macs({"ConvTranspose", {{1, 32, 8, 8}, {32, 16, 2, 2}}, {1, 16, 16, 16}}),
            32LL * 64 * 16 * 4);
  EXPECT_EQ(macs({"ConvTranspose", {{1, 32, 8, 8}, {32, 4, 2, 2}}, {1, 16, 16, 16}}),
            32LL * 64 * 4 * 4);
  EXPECT_EQ(macs({"ConvTranspose",
                  {{1, 32, 8, 8}},
                  {1, 16, 16, 16},
                  R"({"kernel_shape":[2,2],"group":4})"}),
            32LL * 64 * 4 * 4);
}

TEST(OperationMacs, OfMatrixProducts) {
  EXPECT_EQ(macs({"MatMul", {{4, 16, 32}, {4, 32, 8}}, {4, 16, 8}}), 4LL * 16 * 8 * 32);
  EXPECT_EQ(macs({"MatMul", {{4, 16, 32}, {32, 8}}, {4, 16, 8}}), 4LL * 16 * 8 * 32);
  EXPECT_EQ(macs({"MatMul", {{32}, {32, 8}}, {8}}), 8LL * 32);
  EXPECT_EQ(macs({"MatMul", {{16, 32}, {32}}, {16}}), 16LL * 32);
  EXPECT_EQ(macs({"MatMulInteger", {{16, 32}, {32, 8}}, {16, 8}}), 16LL * 8 * 32);
  EXPECT_EQ(macs({"QLinearMatMul", {{16, 32}, {1}, {1}, {32, 8}, {1}, {1}, {1}, {1}}, {16, 8}}),
            16LL * 8 * 32);
  EXPECT_EQ(macs({"Gemm", {{32, 16}, {8, 32}, {8}}, {16, 8}, R"({"transA": 1, "transB": 1})"}),
            16LL * 8 * 32);
  EXPECT_EQ(macs({"Gemm", {{16, 32}, {32, 8}}, {16, 8}, R"({"alpha": 0.5})"}), 16LL * 8 * 32);
  EXPECT_EQ(macs({"FusedMatMul",
                  {{4, 32, 16}, {4, 32, 8}},
                  {4, 16, 8},
                  R"({"transA":1})",
                  "com.microsoft"}),
            4LL * 16 * 8 * 32);
  EXPECT_FALSE(macs({"FusedMatMul",
                     {{32, 4, 16}, {4, 32, 8}},
                     {4, 16, 8},
                     R"({"transBatchA":1})",
                     "com.microsoft"}));
  EXPECT_EQ(macs({"MatMulNBits",
                  {{16, 32}, {8, 1, 16}},
                  {16, 8},
                  R"({"K":32,"N":8,"bits":4})",
                  "com.microsoft"}),
            16LL * 8 * 32);
  EXPECT_EQ(
      macs({"MatMulBnb4", {{16, 32}, {128}, {4}}, {16, 8}, R"({"K":32,"N":8})", "com.microsoft"}),
      16LL * 8 * 32);
  EXPECT_FALSE(macs({"MatMul", {{16, 32}, {31, 8}}, {16, 8}}));
  EXPECT_FALSE(macs({"MatMul", {{16, 32}, {32, 8}}, {16, 9}}));
  EXPECT_FALSE(macs({"MatMul", {{16, -1}, {-1, 8}}, {16, 8}}));
  EXPECT_FALSE(macs({"MatMul", {kNone, {32, 8}}, {16, 8}}));
  EXPECT_FALSE(
      macs({"MatMul", {{4'000'000'000, 8}, {8, 4'000'000'000}}, {4'000'000'000, 4'000'000'000}}));
}

TEST(OperationMacs, OfEinsum) {
  const std::vector<Dims> in = {{2, 4, 16, 32}, {2, 4, 8, 32}};
  EXPECT_EQ(macs({"Einsum", in, {2, 4, 16, 8}, R"({"equation": "bhid,bhjd->bhij"})"}),
            2LL * 4 * 16 * 8 * 32);
  EXPECT_EQ(macs({"Einsum", in, {2, 4, 16, 8}, R"({"equation": "b h i d, b h j d -> b h i j"})"}),
            2LL * 4 * 16 * 8 * 32);
  for (const char* odd : {R"({"equation": "bhid,bhjd"})", R"({"equation": "...id,...jd->...ij"})",
                          R"({"equation": "bhi,bhjd->bhij"})", R"({"equation": "bhij,bhij->b"})",
                          R"({"equation": "->bhid,bhjd"})", R"({"equation": 3})", "{}", ""}) {
    EXPECT_FALSE(macs({"Einsum", in, {2, 4, 16, 8}, odd})) << odd;
  }
  EXPECT_FALSE(macs({"Einsum", {{2, 3}}, {3, 2}, R"({"equation": "ij->ji"})"}));
  EXPECT_FALSE(macs({"Einsum", {{2}, {2}, {2}}, {2}, R"({"equation": "i,i,i->i"})"}));
}

TEST(OperationMacs, OfRecurrentNetworks) {
  // 10 steps, batch 1, 32 in, 64 hidden: rtx1.7-lstm.
  EXPECT_EQ(macs({"LSTM", {{10, 1, 32}, {1, 256, 32}, {1, 256, 64}}, {10, 1, 1, 64}}),
            10LL * 256 * (32 + 64));
  // Both directions have their own weights.
  EXPECT_EQ(macs({"GRU", {{10, 2, 32}, {2, 192, 32}, {2, 192, 64}}, {10, 2, 2, 64}}),
            10LL * 2 * 2 * 192 * (32 + 64));
  EXPECT_EQ(macs({"RNN", {{10, 1, 32}, {1, 64, 32}, {1, 64, 64}}, {10, 1, 1, 64}}),
            10LL * 64 * (32 + 64));
  EXPECT_EQ(macs({"DynamicQuantizeLSTM",
                  {{10, 1, 32}, {1, 32, 256}, {1, 64, 256}},
                  {10, 1, 1, 64},
                  "",
                  "com.microsoft"}),
            10LL * 256 * (32 + 64));
  EXPECT_FALSE(macs({"LSTM", {{10, 1, 32}, {1, 250, 32}, {1, 250, 64}}, {10, 1, 1, 64}}))
      << "no whole number of gates";
  EXPECT_FALSE(macs({"LSTM", {{10, 1, 32}, {2, 256, 32}, {1, 256, 64}}, {10, 1, 1, 64}}));
  EXPECT_FALSE(macs({"LSTM", {{10, 1, 32}, kNone, {1, 256, 64}}, {10, 1, 1, 64}}));
  EXPECT_FALSE(macs({"LSTM", {{10, 1, 33}, {1, 256, 32}, {1, 256, 64}}, {10, 1, 1, 64}}));
  EXPECT_FALSE(macs({"LSTM", {{-1, 1, 32}, {1, 256, 32}, {1, 256, 64}}, {10, 1, 1, 64}}));
}

TEST(OperationMacs, OfAttention) {
  const Dims q = {2, 128, 256};
  constexpr std::int64_t kProducts = 2LL * 128 * 128 * (256 + 256);
  EXPECT_EQ(macs({"Attention", {q, q, q}, q, R"({"q_num_heads":4,"kv_num_heads":4})"}), kProducts);
  // Heads apart; keys from a cache; fewer heads of keys than of queries.
  const Dims heads = {2, 4, 128, 64};
  EXPECT_EQ(macs({"Attention", {heads, heads, heads}, heads}), kProducts);
  EXPECT_EQ(macs({"Attention",
                  {heads, {2, 1, 128, 64}, {2, 1, 128, 64}, kNone, {2, 1, 72, 64}, {2, 1, 72, 64}},
                  heads}),
            2LL * 4 * 128 * 200 * (64 + 64));
  EXPECT_EQ(macs({"MultiHeadAttention", {q, {2, 77, 256}, {2, 77, 256}}, q, "", "com.microsoft"}),
            2LL * 128 * 77 * (256 + 256));
  EXPECT_FALSE(macs({"MultiHeadAttention", {{2, 128, 4, 3, 64}}, q, "", "com.microsoft"}));
  // com.microsoft's own Attention includes the projections.
  EXPECT_EQ(macs({"Attention", {q, {256, 768}, {768}}, q, "", "com.microsoft"}),
            2LL * 128 * 256 * 768 + kProducts);
  EXPECT_EQ(macs({"Attention",
                  {q, {256, 640}, {640}},
                  {2, 128, 128},
                  R"({"num_heads":4,"qkv_hidden_sizes":[256,256,128]})",
                  "com.microsoft"}),
            2LL * 128 * 256 * 640 + 2LL * 128 * 128 * (256 + 128));
  EXPECT_FALSE(macs({"Attention", {q, {256, 767}, {767}}, q, "", "com.microsoft"}));
  EXPECT_FALSE(macs(
      {"Attention", {q, {256, 768}, {768}, kNone, {2, 2, 4, 10, 64}}, q, "", "com.microsoft"}));
}

TEST(OperationMacs, OfQuantisedAttentionWithProjections) {
  const Dims x = {2, 128, 256};
  EXPECT_EQ(macs({"QAttention", {x, {256, 768}, {768}, {1}, {1}}, x, "", "com.microsoft"}),
            2LL * 128 * 256 * 768 + 2LL * 128 * 128 * (256 + 256));
}

// GroupQueryAttention with or without a cache; `present` is the dims of the second output.
Count grouped(std::vector<Dims> inputs, Dims present, std::string_view parameters) {
  model::ModelBuilder builder;
  const auto operation = builder.add_operation({.name = "op",
                                                .type = "GroupQueryAttention",
                                                .domain = "com.microsoft",
                                                .parameters = parameters});
  for (const Dims& dims : inputs) {
    builder.add_operation_port(operation, model::Direction::kInput,
                               {.tensor = dims.empty() ? "" : "t", .dims = dims});
  }
  for (const Dims& dims : {Dims{1, 1, 1}, present}) {
    builder.add_operation_port(operation, model::Direction::kOutput, {.tensor = "y", .dims = dims});
  }
  model::PlanModel model = builder.finish();
  complete_operations(model);
  return model.operations.macs.get(0);
}

TEST(OperationMacs, OfAttentionWithFewerKeysThanQueries) {
  constexpr std::string_view kHeads = R"({"num_heads":4,"kv_num_heads":2})";
  const Dims q = {3, 5, 64}, k = {3, 5, 32}, past = {3, 2, 7, 16};
  EXPECT_EQ(grouped({q, k, k}, {3, 2, 5, 16}, kHeads), 3LL * 5 * 5 * 2 * 64);
  EXPECT_EQ(grouped({q, k, k, past, past}, {3, 2, 12, 16}, kHeads), 3LL * 5 * 12 * 2 * 64);
  // Q, K and V in one: four heads and twice two.
  EXPECT_EQ(grouped({{3, 5, 128}, kNone, kNone, past, past}, {3, 2, 12, 16}, kHeads),
            3LL * 5 * 12 * 2 * 64);
  EXPECT_FALSE(grouped({q, k, k, past, past}, {3, 2, 7, 16}, kHeads)) << "a cache of a fixed size";
  EXPECT_FALSE(grouped({q, k, k}, {3, 2, 5, 16},
                       R"({"num_heads":4,"kv_num_heads":2,"local_window_size":3})"));
  for (const char* odd :
       {"", R"({"num_heads":4})", R"({"num_heads":0,"kv_num_heads":0})",
        R"({"num_heads":2,"kv_num_heads":4})", R"({"num_heads":3,"kv_num_heads":1})",
        R"({"num_heads":9223372036854775807,"kv_num_heads":4})"}) {
    EXPECT_FALSE(grouped({q, k, k}, {3, 2, 5, 16}, odd)) << odd;
  }
}

// Filters of whole blocks of 16, of which the model has 10 channels.
Count blocked(std::string_view channels) {
  model::ModelBuilder builder;
  const Dims x = {1, 3, 8, 8}, w = {16, 3, 3, 3}, y = {1, 16, 8, 8};
  const auto conv =
      builder.add_operation({.name = "c", .type = "Conv", .domain = "com.microsoft.nchwc"});
  builder.add_operation_port(conv, model::Direction::kInput, {.tensor = "x", .dims = x});
  builder.add_operation_port(conv, model::Direction::kInput, {.tensor = "w", .dims = w});
  builder.add_operation_port(conv, model::Direction::kOutput, {.tensor = "y", .dims = y});
  const auto reorder = builder.add_operation({.name = "r",
                                              .type = "ReorderOutput",
                                              .domain = "com.microsoft.nchwc",
                                              .parameters = channels});
  builder.add_operation_port(reorder, model::Direction::kInput, {.tensor = "y", .dims = y});
  model::PlanModel model = builder.finish();
  complete_operations(model);
  EXPECT_FALSE(model.operations.flops.get(1)) << "a move";
  return model.operations.macs.get(0);
}

TEST(OperationMacs, OfBlockedConvolutionsWithoutTheirPadding) {
  EXPECT_EQ(blocked(R"({"channels_last":0,"channels":10})"), 10LL * 64 * 3 * 9);
  EXPECT_EQ(blocked(R"({"channels":16})"), 16LL * 64 * 3 * 9);
  EXPECT_EQ(blocked("{}"), 16LL * 64 * 3 * 9) << "as it is computed, where nothing else is told";
  EXPECT_FALSE(blocked(R"({"channels":17})"));
  EXPECT_FALSE(blocked(R"({"channels":0})"));
}

// An operation without dims, or with a dynamic one, in an engine that ran it.
class RunOperation {
 public:
  RunOperation() {
    const auto operation = builder_.add_operation({.name = "m", .type = "MatMul"});
    const Dims a = {-1, 32}, b = {32, 8};
    builder_.add_operation_port(operation, model::Direction::kInput, {.tensor = "a", .dims = a});
    builder_.add_operation_port(operation, model::Direction::kInput, {.tensor = "b", .dims = b});
    builder_.add_operation_port(operation, model::Direction::kOutput,
                                {.tensor = "y", .dims_known = false});
  }

  RunOperation& port(std::string_view tensor, Dims dims, std::int64_t profile = 0) {
    const auto layer = builder_.add_layer(builder_.strings().add("l"));
    builder_.model().layers.profile_index.set(layer.index(), profile);
    builder_.add_port(layer, model::Direction::kOutput, {.tensor = tensor, .dims = dims});
    return *this;
  }

  Count macs() {
    builder_.model().engine.profile_index.set(0, 0);
    model::PlanModel model = builder_.finish();
    complete_operations(model);
    EXPECT_EQ(model.operation_ports.dims[0][0], -1) << "what the model says stays";
    return model.operations.macs.get(0);
  }

 private:
  model::ModelBuilder builder_;
};

TEST(OperationMacs, TakeOpenDimsFromTheEngine) {
  EXPECT_EQ(RunOperation().port("a", {16, 32}).port("y", {16, 8}).macs(), 16LL * 8 * 32);
  EXPECT_FALSE(RunOperation().macs());
  EXPECT_FALSE(RunOperation().port("a", {16, 32}).macs());
  EXPECT_FALSE(RunOperation().port("a", {16, 32}).port("y", {16, 9}).macs()) << "not that tensor";
  EXPECT_FALSE(RunOperation().port("a", {16, 32}).port("y", {-1, 8}).macs());
  EXPECT_FALSE(RunOperation().port("a", {16, 32}).port("y", {16, 8}).port("y", {128}).macs())
      << "the layers disagree";
  EXPECT_EQ(RunOperation().port("a", {16, 32}).port("y", {16, 8}).port("y", {4, 8}, 1).macs(),
            16LL * 8 * 32)
      << "another profile";
}

TEST(OperationWork, OfLoopsIsNotKnown) {
  for (const std::string_view path :
       {"turns", "body (body) | turns (Loop)", "b (body) | s (Scan)"}) {
    model::ModelBuilder builder;
    const Dims a = {16, 32}, b = {32, 8}, y = {16, 8};
    builder.add_operation({.name = "turns", .type = "Loop"});
    const auto inside = builder.add_operation({.name = "m", .type = "MatMul", .subgraph = path});
    const auto branch =
        builder.add_operation({.name = "n", .type = "MatMul", .subgraph = "then (then) | i (If)"});
    for (const auto operation : {inside, branch}) {
      builder.add_operation_port(operation, model::Direction::kInput, {.tensor = "a", .dims = a});
      builder.add_operation_port(operation, model::Direction::kInput, {.tensor = "b", .dims = b});
      builder.add_operation_port(operation, model::Direction::kOutput, {.tensor = "y", .dims = y});
    }
    model::PlanModel model = builder.finish();
    complete_operations(model);
    EXPECT_FALSE(model.operations.macs.get(inside.index())) << path;
    EXPECT_FALSE(model.operations.flops.get(inside.index())) << path;
    EXPECT_EQ(model.operations.macs.get(branch.index()), 16LL * 8 * 32);
  }
}

TEST(OperationFlops, AreTwoAMacAndOneAPointwiseElement) {
  EXPECT_EQ(flops({"MatMul", {{16, 32}, {32, 8}}, {16, 8}}), 2LL * 16 * 8 * 32);
  for (const std::string_view type : {"Add", "Relu", "Where", "QuantizeLinear", "Erf", "Xor"}) {
    EXPECT_EQ(flops({type, {{2, 3}, {2, 3}}, {2, 3}}), 6) << type;
    EXPECT_FALSE(macs({type, {{2, 3}, {2, 3}}, {2, 3}})) << type;
  }
  EXPECT_FALSE(flops({"Add", {{2, 3}}, {2, -1}}));
  for (const std::string_view type :
       {"Softmax", "LayerNormalization", "MaxPool", "Reshape", "If"}) {
    EXPECT_FALSE(flops({type, {{2, 3}}, {2, 3}})) << type;
  }
  EXPECT_FALSE(flops({"Add", {{2, 3}}, {2, 3}, "", "com.acme"})) << "anybody's Add";
}

TEST(OperationKinds, TellWhatMayHideProducts) {
  EXPECT_EQ(operation_kind("", "Conv"), OperationKind::kProduct);
  EXPECT_EQ(operation_kind("ai.onnx", "LSTM"), OperationKind::kRecurrent);
  EXPECT_EQ(operation_kind("com.microsoft", "FastGelu"), OperationKind::kPointwise);
  EXPECT_EQ(operation_kind("", "Transpose"), OperationKind::kMovement);
  EXPECT_EQ(operation_kind("", "Softmax"), OperationKind::kOther);
  for (const std::string_view type : {"If", "Loop", "Scan", "", "NoSuchOperator"}) {
    EXPECT_EQ(operation_kind("", type), OperationKind::kUnknown) << type;
  }
  EXPECT_EQ(operation_kind("com.acme", "Conv"), OperationKind::kUnknown);
  EXPECT_EQ(operation_kind("com.microsoft.nchwc", "Conv"), OperationKind::kProduct);
  EXPECT_EQ(operation_kind("com.microsoft.nchwc", "ReorderInput"), OperationKind::kMovement);
  EXPECT_EQ(operation_kind("", "ReorderInput"), OperationKind::kUnknown);
}

TEST(OperationWork, KeepsWhatAReaderKnowsAndSumsWeights) {
  model::ModelBuilder builder;
  const auto operation = builder.add_operation({.name = "c", .type = "Conv"});
  const Dims w = {4, 3, 1, 1}, b = {4};
  builder.add_operation_port(operation, model::Direction::kInput, {.tensor = "x"});
  builder.add_operation_port(operation, model::Direction::kInput,
                             {.tensor = "w", .dims = w, .stored_bytes = 48});
  builder.add_operation_port(operation, model::Direction::kInput,
                             {.tensor = "b", .dims = b, .stored_bytes = 16});
  model::PlanModel model = builder.finish();
  model.operations.macs.set(0, 7);
  complete_operations(model);
  EXPECT_EQ(model.operations.macs.get(0), 7);
  EXPECT_EQ(model.operations.flops.get(0), 14);
  EXPECT_EQ(model.operations.weight_bytes.get(0), 64);
}

TEST(OperationParameters, ReadsTheTopLevelOnly) {
  const OperationParameters parameters(
      R"({"a": 3, "list": [1, -2], "text": "x,y->z", "nested": {"a": 4}, "b": "}\"", "c": 5})");
  EXPECT_EQ(parameters.integer("a"), 3);
  EXPECT_EQ(parameters.integer("c"), 5);
  EXPECT_EQ(parameters.integers("list"), (Dims{1, -2}));
  EXPECT_EQ(parameters.text("text"), "x,y->z");
  EXPECT_FALSE(parameters.text("b")) << "escapes are not read";
  EXPECT_FALSE(parameters.integer("list"));
  EXPECT_FALSE(parameters.integers("a"));
  EXPECT_FALSE(parameters.integer("nested"));
  EXPECT_FALSE(parameters.integer("d"));
  for (const char* broken :
       {"", "{", "{}", "[]", R"({"a")", R"({"a":)", R"({"a":3)", R"({"a":3.5})", R"({"a":"3"})",
        R"({"a":99999999999999999999})", R"({"a":[3})", R"({"\)", R"({"x":"\)", R"({"x":{"a":3})",
        "{,}", R"({a:3})"}) {
    EXPECT_FALSE(OperationParameters(broken).integer("a")) << broken;
  }
}

}  // namespace
}  // namespace planex::analyze
