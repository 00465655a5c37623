#include "quantize/placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "quantize/test_graph.h"
#include "support/test_data.h"

namespace planex::quantize {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

constexpr char kModels[] = PLANEX_SOURCE_DIR "/tests/quantize/models/";
constexpr Target kEveryTarget[] = {Target::kTensorrt, Target::kTensorrtRtx, Target::kOpenvino,
                                   Target::kOnnxruntime};

std::string stored(const std::string& name) { return test::read_text(kModels + name + ".onnx"); }

Placement placed(const ReadModel& read, Target target, PlacementOptions options = {}) {
  options.target = target;
  auto placement = place(read.model, read.links, options);
  EXPECT_TRUE(placement) << placement.error().message;
  return placement ? *std::move(placement) : Placement();
}

// Tensor -> readers, as "node:input".
std::map<std::string, std::set<std::string>> pairs_of(const ReadModel& read,
                                                      const Placement& placement) {
  std::map<std::string, std::set<std::string>> pairs;
  for (const PlacedTensor& tensor : placement.tensors) {
    for (const onnx::Reader& reader : tensor.readers) {
      pairs[std::string(tensor.name)].insert(std::string(read.model.nodes[reader.node].name) + ":" +
                                             std::to_string(reader.input));
    }
  }
  return pairs;
}

// The same for the Q/DQ that a model has: the readers of each activation's DQ.
std::map<std::string, std::set<std::string>> existing_pairs(const ReadModel& read) {
  std::map<std::string, std::set<std::string>> pairs;
  for (const onnx::Node& node : read.model.nodes) {
    if (node.op_type != "QuantizeLinear") continue;
    const onnx::Link* integers = read.links.find(read.model.outputs_of(node)[0]);
    for (const onnx::Reader& dequantizer : integers->readers) {
      const auto made = read.model.outputs_of(read.model.nodes[dequantizer.node])[0];
      for (const onnx::Reader& reader : read.links.find(made)->readers) {
        pairs[std::string(read.model.inputs_of(node)[0])].insert(
            std::string(read.model.nodes[reader.node].name) + ":" + std::to_string(reader.input));
      }
    }
  }
  return pairs;
}

std::size_t count_applied(const Placement& placement, std::string_view rule) {
  return static_cast<std::size_t>(
      std::ranges::count_if(placement.decisions, [&](const PlacementDecision& decision) {
        return decision.rule == rule && decision.is_applied;
      }));
}

std::string why(const Placement& placement, std::string_view rule) {
  const auto found = std::ranges::find(placement.decisions, rule, &PlacementDecision::rule);
  return found == placement.decisions.end() ? std::string() : found->why;
}

// Acceptance: starting from float, the placement for OpenVINO is the best of the five that were
// measured.
TEST(Placement, OfResNetForOpenvinoIsTheSharedOne) {
  const ReadModel shared(stored("resnet18-shared")), from(stored("resnet18-fp32"));
  auto expected = existing_pairs(shared);
  ASSERT_EQ(expected.size(), 30U);
  // Before the Flatten rather than after it: the same values.
  ASSERT_EQ(expected.erase("flatten.output"), 1U);
  expected["avgpool.output"] = {"flatten:0"};
  const Placement placement = placed(from, Target::kOpenvino);
  EXPECT_EQ(pairs_of(from, placement), expected);
  EXPECT_EQ(placement.layers.size(), 21U);
  EXPECT_EQ(placement.weights.size(), 21U);
  EXPECT_EQ(count_applied(placement, "residual-both"), 8U);
  EXPECT_EQ(count_applied(placement, "average-pool-pair"), 1U);
}

// The skip path of every addition, one pair per tensor: the example's "residual" with shared pairs.
TEST(Placement, OfResNetForTensorrtQuantizesSkipPaths) {
  const ReadModel residual(stored("resnet18-residual")), from(stored("resnet18-fp32"));
  const Placement placement = placed(from, Target::kTensorrt);
  EXPECT_EQ(pairs_of(from, placement), existing_pairs(residual));
  EXPECT_EQ(count_applied(placement, "residual-skip"), 8U);
  EXPECT_EQ(count_applied(placement, "average-pool-pair"), 0U);
  EXPECT_THAT(why(placement, "skip-choice"), HasSubstr("only the other input"));
}

// The placement does not depend on existing pairs.
TEST(Placement, LooksThroughPairs) {
  const ReadModel from(stored("resnet18-fp32"));
  for (const std::string name : {"naive", "residual", "residual-gap", "shared"}) {
    const ReadModel quantized(stored("resnet18-" + name));
    for (const Target target : kEveryTarget) {
      EXPECT_EQ(pairs_of(quantized, placed(quantized, target, {.ignores_pairs = true})),
                pairs_of(from, placed(from, target)))
          << name;
    }
    const auto refused = place(quantized.model, quantized.links, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
    EXPECT_THAT(refused.error().hint, HasSubstr("advise"));
  }
}

struct Network {
  std::string name;
  std::size_t layers, attention_products;
};

// With the products of attention, which stay in float, these are the 51, 54 and 64 layers that were
// measured.
TEST(Placement, FindsTheLayersOfOcrNetworks) {
  for (const Network& network :
       {Network{"ppocr-rec", 51, 4}, Network{"ppocr-cls", 54, 0}, Network{"ppocr-det", 64, 0}}) {
    const ReadModel read(stored(network.name));
    const Placement placement = placed(read, Target::kOpenvino);
    EXPECT_EQ(placement.layers.size() + network.attention_products, network.layers);
    EXPECT_EQ(placement.weights.size(), placement.layers.size());
    EXPECT_EQ(count_applied(placement, "attention-in-float"), network.attention_products);
  }
}

TEST(Placement, OfTheDetectorIsUnsignedBehindConcatAndResize) {
  const ReadModel read(stored("ppocr-det"));
  const Placement placement = placed(read, Target::kOpenvino);
  std::vector<std::string_view> names;
  for (const PlacedTensor& tensor : placement.tensors) {
    if (tensor.is_unsigned) names.push_back(tensor.name);
  }
  EXPECT_THAT(names, ElementsAre("p2o.Concat.1"));
  for (const PlacedTensor& tensor : placed(read, Target::kTensorrt).tensors) {
    EXPECT_FALSE(tensor.is_unsigned);
  }
}

TEST(Placement, OfEachModelAndTargetHolds) {
  for (const std::string& path : test::files_below(kModels, {".onnx"})) {
    const ReadModel read(test::read_text(path));
    for (const Target target : kEveryTarget) {
      PlacementOptions options{.target = target, .ignores_pairs = true};
      const auto placement = place(read.model, read.links, options);
      if (!placement) {
        EXPECT_EQ(placement.error().code, ErrorCode::kUnsupported);
        continue;
      }
      std::set<std::string_view> names;
      std::set<std::pair<onnx::Index, std::uint32_t>> read_inputs;
      for (std::size_t i = 0; i < placement->tensors.size(); ++i) {
        const PlacedTensor& tensor = placement->tensors[i];
        EXPECT_TRUE(names.insert(tensor.name).second) << tensor.name;
        const onnx::Link* link = read.links.find(tensor.name);
        ASSERT_NE(link, nullptr);
        EXPECT_TRUE(link->node != onnx::kNoIndex || link->is_input) << tensor.name;
        EXPECT_EQ(read.links.constant(tensor.name), onnx::kNoIndex);
        if (link->node != onnx::kNoIndex) {
          EXPECT_NE(read.model.nodes[link->node].op_type, "QuantizeLinear");
          EXPECT_NE(read.model.nodes[link->node].op_type, "Shape");
        }
        EXPECT_TRUE(!tensor.readers.empty() || tensor.takes_name);
        EXPECT_FALSE(tensor.rules.empty());
        EXPECT_LE(tensor.scale_group, i);
        for (const onnx::Reader& reader : tensor.readers) {
          EXPECT_TRUE(read_inputs.emplace(reader.node, reader.input).second);
          EXPECT_TRUE(link->node == onnx::kNoIndex || link->node < reader.node);
        }
      }
      for (const PlacedWeight& weight : placement->weights) {
        EXPECT_EQ(weight.readers.front().node, weight.layer);
        EXPECT_LT(weight.axis, static_cast<int>(read.model.tensors[weight.tensor].dims.count));
      }
      EXPECT_TRUE(std::ranges::is_sorted(placement->layers));
      for (const PlacementDecision& decision : placement->decisions) {
        EXPECT_NE(find_placement_rule(decision.rule), nullptr);
        EXPECT_LT(decision.node, read.model.nodes.size());
        EXPECT_FALSE(decision.why.empty());
      }
      const auto again = place(read.model, read.links, options);
      EXPECT_EQ(pairs_of(read, *again), pairs_of(read, *placement));
      EXPECT_EQ(again->decisions.size(), placement->decisions.size());
    }
  }
}

TEST(Placement, KeepsWhatWasNamed) {
  const ReadModel read(stored("resnet18-fp32"));
  const Placement kept = placed(read, Target::kOpenvino, {.kept = {"conv1", "#3", "fc"}});
  EXPECT_EQ(kept.layers.size(), 18U);  // #3 is layer1.0.conv1
  EXPECT_EQ(count_applied(kept, "by-request"), 3U);
  EXPECT_THAT(pairs_of(read, kept), Not(Contains(Pair("input", testing::_))));
  const Placement only = placed(read, Target::kOpenvino, {.only = {"layer2.1.conv1"}});
  ASSERT_EQ(only.layers.size(), 1U);
  EXPECT_THAT(pairs_of(read, only),
              ElementsAre(Pair("layer2.0.relu2.output", ElementsAre("layer2.1.conv1:0"))));
  const Placement products = placed(read, Target::kOpenvino, {.op_types = {"Gemm"}});
  EXPECT_EQ(products.layers.size(), 1U);
  // TensorRT-RTX quantizes convolutions where they are requested.
  EXPECT_EQ(placed(read, Target::kTensorrtRtx).layers.size(), 1U);
  EXPECT_EQ(placed(read, Target::kTensorrtRtx, {.op_types = {"Conv"}}).layers.size(), 20U);
}

TEST(Placement, NamesTheNearestNode) {
  const ReadModel read(stored("resnet18-fp32"));
  const auto wrong = place(read.model, read.links, {.kept = {"layer1.0.conv3"}});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::kBadInput);
  EXPECT_THAT(wrong.error().message, HasSubstr("\"layer1.0.conv3\""));
  EXPECT_THAT(wrong.error().hint, HasSubstr("layer1.0.conv"));
  const auto far = place(read.model, read.links, {.only = {"#9999"}});
  ASSERT_FALSE(far);
  EXPECT_THAT(far.error().hint, HasSubstr("#0 to #"));
  const auto nothing = place(read.model, read.links, {.only = {"relu"}});
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().code, ErrorCode::kUnsupported);
}

TEST(Placement, OfAnEmptyModelIsAnError) {
  const ReadModel read(TestGraph().input("x").output("y").node("Relu", {"x"}, "y", "r").bytes());
  for (const Target target : kEveryTarget) {
    const auto none = place(read.model, read.links, {.target = target});
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::kUnsupported);
    EXPECT_FALSE(none.error().hint.empty());
  }
}

// The skip path is itself a Conv, so both paths end in layers, and the shorter one is the skip
// path.
TEST(Placement, ChoosesTheShorterPathAsSkip) {
  const ReadModel read(TestGraph()
                           .input("x")
                           .conv("x", "stem")
                           .conv("stem", "a")
                           .node("Relu", {"a"}, "r", "r")
                           .conv("r", "b")
                           .conv("stem", "side")
                           .node("Add", {"side", "b"}, "sum", "sum")
                           .output("sum")
                           .bytes());
  const auto pairs = pairs_of(read, placed(read, Target::kTensorrt));
  EXPECT_THAT(pairs, Contains(Pair("side", ElementsAre("sum:0"))));
  EXPECT_THAT(pairs, Not(Contains(Pair("b", testing::_))));
  const auto both = pairs_of(read, placed(read, Target::kOpenvino));
  EXPECT_THAT(both, Contains(Pair("side", ElementsAre("sum:0"))));
  EXPECT_THAT(both, Contains(Pair("b", ElementsAre("sum:1"))));
  // TensorRT-RTX gains nothing from them.
  const auto none = pairs_of(read, placed(read, Target::kTensorrtRtx, {.op_types = {"Conv"}}));
  EXPECT_THAT(none, Not(Contains(Pair("side", testing::_))));
}

// As in ConvNeXt: the sum can't run in the layer that both of its inputs come from.
TEST(Placement, HasNoSkipWhereBothInputsComeFromOneLayer) {
  const ReadModel read(TestGraph()
                           .input("x")
                           .conv("x", "c")
                           .node("GlobalAveragePool", {"c"}, "p", "p")
                           .node("Sigmoid", {"p"}, "s", "s")
                           .node("Mul", {"c", "s"}, "m", "m")
                           .node("Add", {"c", "m"}, "sum", "sum")
                           .output("sum")
                           .bytes());
  for (const Target target : {Target::kTensorrt, Target::kOpenvino}) {
    const Placement placement = placed(read, target);
    EXPECT_THAT(pairs_of(read, placement), ElementsAre(Pair("x", ElementsAre("c:0"))));
    EXPECT_THAT(why(placement, target == Target::kTensorrt ? "skip-choice" : "residual-both"),
                HasSubstr("come from \"c\""));
  }
}

TEST(Placement, TakesNoBiasForASkipPath) {
  const ReadModel read(TestGraph()
                           .input("x")
                           .weight("bias", {32})
                           .weight("shape", {4}, 7)
                           .node("Reshape", {"bias", "shape"}, "b", "reshape")
                           .conv("x", "c")
                           .node("Add", {"c", "b"}, "biased", "add")
                           .conv("biased", "d")
                           .output("d")
                           .bytes());
  for (const Target target : {Target::kTensorrt, Target::kOpenvino}) {
    EXPECT_THAT(pairs_of(read, placed(read, target)),
                ElementsAre(Pair("biased", ElementsAre("d:0")), Pair("x", ElementsAre("c:0"))));
  }
}

TEST(Placement, MovesOverSeveralOperationsThatKeepValues) {
  TestGraph graph;
  graph.input("x").conv("x", "c").node("MaxPool", {"c"}, "p", "pool");
  graph.node("Squeeze", {"p"}, "t", "squeeze").conv("t", "d").output("d");
  const ReadModel read(graph.bytes());
  EXPECT_THAT(
      pairs_of(read, placed(read, Target::kOpenvino)),
      UnorderedElementsAre(Pair("x", ElementsAre("c:0")), Pair("c", ElementsAre("pool:0"))));
  // For TensorRT it makes no difference, so pairs stay at the layers.
  EXPECT_THAT(pairs_of(read, placed(read, Target::kTensorrt)),
              UnorderedElementsAre(Pair("x", ElementsAre("c:0")), Pair("t", ElementsAre("d:0"))));
  // A reader reads the pooled tensor in float: the pair stays after the pooling.
  graph.node("Softmax", {"p"}, "s", "softmax").output("s");
  const ReadModel other(graph.bytes());
  EXPECT_THAT(pairs_of(other, placed(other, Target::kOpenvino)),
              Contains(Pair("p", ElementsAre("squeeze:0"))));
}

// OpenVINO computes wrong values from a pair before a Transpose.
TEST(Placement, DoesNotMoveOverATransposeForOpenvino) {
  const ReadModel read(TestGraph()
                           .input("x")
                           .conv("x", "c")
                           .node("Transpose", {"c"}, "t", "transpose")
                           .conv("t", "d")
                           .output("d")
                           .bytes());
  EXPECT_THAT(pairs_of(read, placed(read, Target::kOpenvino)),
              UnorderedElementsAre(Pair("x", ElementsAre("c:0")), Pair("t", ElementsAre("d:0"))));
}

TEST(Placement, GivesOneScaleToAConcat) {
  const ReadModel read(TestGraph()
                           .input("x")
                           .conv("x", "a")
                           .conv("x", "b")
                           .node("Concat", {"a", "b"}, "ab", "ab")
                           .node("Concat", {"ab", "x"}, "abx", "abx")
                           .conv("abx", "c")
                           .output("c")
                           .bytes());
  const Placement placement = placed(read, Target::kTensorrt);
  EXPECT_EQ(count_applied(placement, "concat-shared-scale"), 2U);
  ASSERT_EQ(placement.tensors.size(), 5U);
  for (const PlacedTensor& tensor : placement.tensors) EXPECT_EQ(tensor.scale_group, 0U);
  EXPECT_THAT(pairs_of(read, placement), Contains(Pair("x", ElementsAre("a:0", "abx:1", "b:0"))));
  EXPECT_EQ(placed(read, Target::kOpenvino).tensors.size(), 2U);
}

TEST(Placement, PutsPairsAfterProductsOfActivations) {
  const ReadModel read(TestGraph()
                           .input("x")
                           .conv("x", "a")
                           .node("Sigmoid", {"a"}, "s", "s")
                           .node("Mul", {"s", "a"}, "swish", "swish")
                           .conv("swish", "b")
                           .node("Add", {"swish", "b"}, "sum", "sum")
                           .output("sum")
                           .bytes());
  const Placement placement = placed(read, Target::kTensorrt);
  EXPECT_EQ(count_applied(placement, "pair-after-product"), 1U);
  // The paths part at the product, so it is the skip path, though it ends in a layer.
  EXPECT_THAT(pairs_of(read, placement),
              UnorderedElementsAre(Pair("x", ElementsAre("a:0")),
                                   Pair("swish", ElementsAre("b:0", "sum:0"))));
}

TEST(Placement, LeavesAttentionAndVectorsInFloat) {
  const ReadModel read(TestGraph()
                           .input("x")
                           .weight("wq", {64, 64})
                           .weight("wv", {64, 1})
                           .node("MatMul", {"x", "wq"}, "q", "q")
                           .node("MatMul", {"q", "x"}, "qk", "qk")
                           .node("MatMul", {"qk", "wv"}, "v", "v")
                           .node("LayerNormalization", {"x", "wq"}, "n", "norm")
                           .output("v")
                           .output("n")
                           .bytes());
  const Placement placement = placed(read, Target::kTensorrt);
  EXPECT_THAT(pairs_of(read, placement), ElementsAre(Pair("x", ElementsAre("q:0"))));
  EXPECT_EQ(count_applied(placement, "attention-in-float"), 1U);
  EXPECT_EQ(count_applied(placement, "vector-product"), 1U);
  EXPECT_EQ(count_applied(placement, "normalization-in-float"), 1U);
  EXPECT_EQ(placement.weights.front().axis, 1);
  EXPECT_EQ(placed(read, Target::kOpenvino).layers.size(), 2U);
}

TEST(Placement, KnowsTheChannelsOfEachWeight) {
  const ReadModel read(TestGraph()
                           .input("x")
                           .weight("conv", {32, 16, 3, 3})
                           .weight("transposed", {32, 16, 3, 3})
                           .weight("gemm", {64, 32})
                           .weight("left", {64, 32})
                           .node("Conv", {"x", "conv"}, "a", "a")
                           .node("ConvTranspose", {"a", "transposed"}, "b", "b")
                           .node("Flatten", {"b"}, "f", "f")
                           .node_with("Gemm", {"f", "gemm"}, "g", "g", "transB", 1)
                           .node("Gemm", {"f", "left"}, "h", "h")
                           .node("MatMul", {"left", "g"}, "m", "m")
                           .output("m")
                           .output("h")
                           .bytes());
  const Placement placement = placed(read, Target::kOpenvino);
  std::map<std::string_view, int> axes;
  for (const PlacedWeight& weight : placement.weights) axes[weight.name] = weight.axis;
  EXPECT_THAT(
      axes, ElementsAre(Pair("conv", 0), Pair("gemm", 0), Pair("left", 1), Pair("transposed", 1)));
  // "left" has its channels on another axis as the left side of a product: that one stays in float.
  EXPECT_EQ(placement.layers.size(), 4U);
  const auto refused = std::ranges::find_if(placement.decisions, [](const auto& decision) {
    return decision.rule == "weighted-inputs" && !decision.is_applied;
  });
  ASSERT_NE(refused, placement.decisions.end());
  EXPECT_THAT(refused->why, HasSubstr("another axis"));
}

TEST(Placement, SharesAWeightThatTwoLayersRead) {
  const ReadModel read(TestGraph()
                           .input("x")
                           .weight("w", {64, 64})
                           .node("MatMul", {"x", "w"}, "a", "a")
                           .node("MatMul", {"a", "w"}, "b", "b")
                           .output("b")
                           .bytes());
  const Placement placement = placed(read, Target::kOpenvino);
  ASSERT_EQ(placement.weights.size(), 1U);
  EXPECT_EQ(placement.weights.front().readers.size(), 2U);
  EXPECT_EQ(placement.layers.size(), 2U);
}

// The input of the pooling has other readers, as in squeeze and excitation: no pair for the
// pooling.
TEST(Placement, PoolsInInt8OnlyWhatNobodyElseReads) {
  TestGraph graph;
  graph.input("x").conv("x", "a").node("AveragePool", {"a"}, "p", "pool").conv("p", "b");
  const ReadModel alone(graph.output("b").bytes());
  EXPECT_THAT(pairs_of(alone, placed(alone, Target::kOpenvino)),
              Contains(Pair("a", ElementsAre("pool:0"))));
  const Placement candidate = placed(alone, Target::kTensorrt);
  EXPECT_THAT(pairs_of(alone, candidate), Not(Contains(Pair("a", testing::_))));
  EXPECT_EQ(why(candidate, "average-pool-pair"), "the readers of \"pool\" are quantized");
  const ReadModel shared(graph.node("Mul", {"a", "b"}, "m", "m").output("m").bytes());
  EXPECT_THAT(pairs_of(shared, placed(shared, Target::kOpenvino)),
              Not(Contains(Pair("a", testing::_))));
}

struct SmallConv {
  std::uint64_t out, in, height, width, group;
  bool is_first, is_float;
};

TEST(Placement, LeavesSmallConvolutionsInFloat) {
  for (const SmallConv& small :
       {SmallConv{32, 3, 3, 3, 1, true, false}, SmallConv{32, 3, 3, 3, 1, false, false},
        SmallConv{8, 3, 3, 3, 1, true, false}, SmallConv{8, 3, 3, 3, 1, false, true},
        SmallConv{8, 8, 1, 1, 1, false, true}, SmallConv{16, 8, 1, 1, 1, false, false},
        SmallConv{16, 8, 1, 3, 1, false, true}, SmallConv{18, 3, 3, 3, 1, false, true},
        SmallConv{32, 1, 3, 3, 32, false, false}, SmallConv{32, 1, 1, 1, 32, false, true},
        SmallConv{12, 1, 3, 3, 12, false, true}, SmallConv{32, 32, 1, 3, 1, false, false}}) {
    TestGraph graph;
    graph.input("x").weight("w", {small.out, small.in, small.height, small.width});
    if (!small.is_first) graph.node("Relu", {"x"}, "r", "r");
    graph.node_with("Conv", {small.is_first ? "x" : "r", "w"}, "y", "c", "group", small.group);
    graph.conv("y", "next").output("next");
    const ReadModel read(graph.bytes());
    const Placement placement = placed(read, Target::kTensorrt);
    EXPECT_EQ(count_applied(placement, "small-convolution"), small.is_float ? 1U : 0U)
        << small.out << ' ' << small.in << ' ' << small.height << 'x' << small.width;
    EXPECT_EQ(count_applied(placed(read, Target::kOpenvino), "small-convolution"), 0U);
  }
}

TEST(Placement, LeavesOtherTypesAlone) {
  // 10 is float16, 11 double.
  const ReadModel half(TestGraph()
                           .input("x", 10)
                           .weight("w", {32, 32, 3, 3}, 10)
                           .node("Conv", {"x", "w"}, "y", "c")
                           .output("y", 10)
                           .bytes());
  const auto none = place(half.model, half.links, {});
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().hint, HasSubstr("float32"));
  const ReadModel declared(TestGraph()
                               .input("x")
                               .node("Cast", {"x"}, "d", "cast")
                               .info("d", 11)
                               .conv("d", "c")
                               .conv("x", "e")
                               .output("c")
                               .output("e")
                               .bytes());
  const Placement placement = placed(declared, Target::kOpenvino);
  EXPECT_THAT(pairs_of(declared, placement), ElementsAre(Pair("x", ElementsAre("e:0"))));
  EXPECT_EQ(count_applied(placement, "floats-only"), 1U);
}

TEST(Placement, LeavesOutputsAndBodiesInFloat) {
  const std::string body =
      onnx::bytes_field(5, onnx::bytes_field(1, "body") + onnx::varint_field(20, 5) +
                               onnx::bytes_field(6, onnx::node_field("Relu", {"a"}, "i", "inner")));
  const ReadModel read(TestGraph()
                           .input("x")
                           .input("trips", 7)
                           .conv("x", "a")
                           .node("Loop", {"trips"}, "l", "loop", body)
                           .conv("a", "b")
                           .output("a")
                           .output("b")
                           .bytes());
  const Placement placement = placed(read, Target::kOpenvino);
  // "a" is an output and read in a body, which keep the float; the Conv reads the pair.
  EXPECT_THAT(pairs_of(read, placement),
              UnorderedElementsAre(Pair("x", ElementsAre("a:0")), Pair("a", ElementsAre("b:0"))));
  EXPECT_EQ(count_applied(placement, "control-flow-in-float"), 2U);
  EXPECT_EQ(count_applied(placement, "no-output-pair"), 1U);
}

std::set<std::string> renamed_in(const Placement& placement) {
  std::set<std::string> names;
  for (const PlacedTensor& tensor : placement.tensors) {
    if (tensor.takes_name) names.emplace(tensor.name);
  }
  return names;
}

TEST(PlacementForOnnxruntime, QuantizesWhatEachConvolutionWrites) {
  const ReadModel read(TestGraph()
                           .input("x")
                           .conv("x", "a")
                           .node("Relu", {"a"}, "ra", "ra")
                           .conv("ra", "b")
                           .node("Sigmoid", {"b"}, "sb", "sb")
                           .conv("sb", "c")
                           .node("Clip", {"c"}, "cc", "cc")
                           .node("Softmax", {"cc"}, "y", "softmax")
                           .output("y")
                           .bytes());
  const Placement placement = placed(read, Target::kOnnxruntime);
  // After a Relu or Clip, before any other activation.
  EXPECT_THAT(pairs_of(read, placement),
              UnorderedElementsAre(Pair("x", ElementsAre("a:0")), Pair("ra", ElementsAre("b:0")),
                                   Pair("b", ElementsAre("sb:0")), Pair("sb", ElementsAre("c:0")),
                                   Pair("cc", ElementsAre("softmax:0"))));
  EXPECT_EQ(count_applied(placement, "quantized-output"), 3U);
  EXPECT_EQ(count_applied(placement, "no-output-pair"), 0U);
}

// Any other reader of the float would keep the layer in float: all of them read the pair.
TEST(PlacementForOnnxruntime, LeavesNobodyTheFloat) {
  const ReadModel read(TestGraph()
                           .input("x")
                           .conv("x", "a")
                           .node("Exp", {"a"}, "e", "exp")
                           .node("Relu", {"a"}, "r", "relu")
                           .conv("r", "b")
                           .conv("b", "c")
                           .output("b")
                           .output("c")
                           .output("e")
                           .bytes());
  const Placement placement = placed(read, Target::kOnnxruntime);
  EXPECT_THAT(
      pairs_of(read, placement),
      UnorderedElementsAre(Pair("x", ElementsAre("a:0")), Pair("a", ElementsAre("exp:0", "relu:0")),
                           Pair("r", ElementsAre("b:0")), Pair("b", ElementsAre("c:0"))));
  // Outputs of the model are written by DQ.
  EXPECT_THAT(renamed_in(placement), ElementsAre("b", "c"));
}

TEST(PlacementForOnnxruntime, QuantizesAllThatAnAdditionReads) {
  const ReadModel read(TestGraph()
                           .input("x")
                           .node("Exp", {"x"}, "skip", "exp")
                           .conv("x", "a")
                           .node("Add", {"a", "skip"}, "sum", "add")
                           .node("Relu", {"sum"}, "r", "relu")
                           .conv("r", "b")
                           .output("b")
                           .bytes());
  const auto pairs = pairs_of(read, placed(read, Target::kOnnxruntime));
  EXPECT_THAT(pairs.at("a"), ElementsAre("add:0"));
  EXPECT_THAT(pairs.at("skip"), ElementsAre("add:1"));
  EXPECT_THAT(pairs.at("r"), ElementsAre("b:0"));
  EXPECT_FALSE(pairs.contains("sum"));
}

// Among products only those with a bias have to write 8 bits; a MatMul and its bias count as one.
TEST(PlacementForOnnxruntime, QuantizesWhatProductsWithABiasWrite) {
  const ReadModel read(TestGraph()
                           .input("x")
                           .weight("w1", {32, 32})
                           .weight("w2", {32, 32})
                           .weight("w3", {32, 32})
                           .weight("bias", {32})
                           .node("MatMul", {"x", "w1"}, "m", "m")
                           .node("Exp", {"m"}, "e1", "e1")
                           .node("Gemm", {"e1", "w2", "bias"}, "g", "g")
                           .node("Exp", {"g"}, "e2", "e2")
                           .node("MatMul", {"e2", "w3"}, "n", "n")
                           .node("Add", {"n", "bias"}, "s", "s")
                           .node("Relu", {"s"}, "e3", "e3")
                           .output("e3")
                           .bytes());
  const Placement placement = placed(read, Target::kOnnxruntime);
  const auto pairs = pairs_of(read, placement);
  EXPECT_FALSE(pairs.contains("m"));
  EXPECT_THAT(pairs.at("g"), ElementsAre("e2:0"));
  EXPECT_FALSE(pairs.contains("n"));
  EXPECT_THAT(pairs.at("s"), ElementsAre("e3:0"));
  EXPECT_EQ(count_applied(placement, "quantized-output"), 2U);
}

TEST(PlacementForOnnxruntime, KeepsAFlattenBetweenPairsOfOneScale) {
  const ReadModel read(TestGraph()
                           .input("x")
                           .conv("x", "a")
                           .node("Flatten", {"a"}, "flat", "flatten")
                           .weight("w", {32, 32})
                           .node("MatMul", {"flat", "w"}, "y", "y")
                           .output("y")
                           .bytes());
  const Placement placement = placed(read, Target::kOnnxruntime);
  const auto pairs = pairs_of(read, placement);
  EXPECT_THAT(pairs.at("a"), ElementsAre("flatten:0"));
  EXPECT_THAT(pairs.at("flat"), ElementsAre("y:0"));
  ASSERT_EQ(placement.tensors.size(), 3U);
  EXPECT_EQ(placement.tensors[2].scale_group, placement.tensors[1].scale_group);
  EXPECT_EQ(pairs_of(read, placed(read, Target::kOpenvino)).count("flat"), 0U);
}

TEST(PlacementForOnnxruntime, LeavesTransposedConvolutionsInFloat) {
  const ReadModel read(TestGraph()
                           .input("x")
                           .conv("x", "a")
                           .weight("w", {32, 32, 2, 2})
                           .node("ConvTranspose", {"a", "w"}, "t", "t")
                           .output("t")
                           .bytes());
  const Placement placement = placed(read, Target::kOnnxruntime);
  EXPECT_EQ(placement.layers.size(), 1U);
  EXPECT_EQ(count_applied(placement, "transposed-convolution-in-float"), 1U);
  EXPECT_FALSE(place(read.model, read.links,
                     {.target = Target::kOnnxruntime, .op_types = {"ConvTranspose"}}));
}

// Residual blocks, and a skip path over all of them: walks back stay short, or there are few of
// them.
TEST(Placement, OfAHundredThousandNodesTakesSeconds) {
  TestGraph graph;
  graph.input("x").weight("w", {32, 32, 3, 3}).node("Conv", {"x", "w"}, "t0", "stem");
  constexpr int kBlocks = 25'000;
  std::string last = "t0";
  for (int block = 1; block <= kBlocks; ++block) {
    const std::string number = std::to_string(block);
    const std::string a = "a" + number, r = "r" + number, b = "b" + number, sum = "t" + number;
    graph.node("Conv", {last, "w"}, a, a).node("Relu", {a}, r, r).node("Conv", {r, "w"}, b, b);
    // One in a hundred adds a tensor from far back.
    const std::string far = "t" + std::to_string(block / 100 * 50);
    graph.node("Add", {b, block % 100 == 0 ? std::string_view(far) : std::string_view(last)}, sum,
               sum);
    last = sum;
  }
  const ReadModel read(graph.output(last).bytes());
  ASSERT_GT(read.model.nodes.size(), 100'000U);
  const std::clock_t start = std::clock();
  const Placement placement = placed(read, Target::kTensorrt);
  const double taken_s = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_EQ(placement.layers.size(), 50'001U);
  EXPECT_GT(count_applied(placement, "residual-skip"), 24'000U);
  // CPU time, in an unoptimized build; a quadratic walk takes minutes.
  EXPECT_LT(taken_s, 60);
}

// Rings, duplicate names, readers before makers: nothing may hang.
TEST(Placement, OfDamagedModelsEnds) {
  const ReadModel read(TestGraph()
                           .input("x")
                           .node("Add", {"c", "b"}, "a", "a")
                           .node("Add", {"a", "c"}, "b", "b")
                           .node("Relu", {"b"}, "b", "again")
                           .node("Mul", {"b", "a"}, "a", "product")
                           .conv("a", "c")
                           .node("MaxPool", {"m"}, "m", "self")
                           .conv("m", "d")
                           .node("Concat", {"n"}, "n", "concat")
                           .conv("n", "e")
                           .node("Identity", {"i"}, "i", "identity")
                           .conv("i", "f")
                           .bytes());
  for (const Target target : kEveryTarget) {
    const auto result = place(read.model, read.links, {.target = target, .op_types = {"Conv"}});
    EXPECT_TRUE(result.has_value() || !result.error().message.empty());
  }
}

// --- Formats ---

std::string mixed_graph() {
  return TestGraph()
      .input("x")
      .conv("x", "first", 64)
      .conv("first", "small", 16)
      .weight("large.weight", {64, 64, 7, 7})
      .node("Conv", {"small", "large.weight"}, "large", "large")
      .weight("up.weight", {64, 64, 2, 2})
      .node("ConvTranspose", {"large", "up.weight"}, "up", "up")
      .weight("fc.weight", {256, 100})
      .node("MatMul", {"up", "fc.weight"}, "fc", "fc")
      .weight("odd.weight", {100, 64})
      .node("MatMul", {"fc", "odd.weight"}, "odd", "odd")
      .weight("gemm.weight", {10, 64})
      .node_with("Gemm", {"odd", "gemm.weight"}, "gemm", "gemm", "transB", 1)
      .output("gemm")
      .bytes();
}

std::vector<std::string> layers_of(const ReadModel& read, const Placement& placement) {
  std::vector<std::string> names;
  for (const onnx::Index layer : placement.layers) {
    names.emplace_back(read.model.nodes[layer].name);
  }
  return names;
}

TEST(Placement, OfFloat8LeavesConvolutionsThatTensorrtHasNoKernelsFor) {
  const ReadModel read(mixed_graph());
  const Placement placement = placed(read, Target::kTensorrt, {.format = NumberFormat::kFp8});
  EXPECT_THAT(layers_of(read, placement), ElementsAre("first", "fc", "odd", "gemm"));
  EXPECT_EQ(count_applied(placement, "narrow-convolution"), 2U);
  EXPECT_EQ(why(placement, "narrow-convolution"),
            "\"small\" reads 16 channels per group and writes 16, with 9 elements in its kernel");
  EXPECT_EQ(count_applied(placement, "transposed-convolution"), 1U);
  EXPECT_EQ(count_applied(placement, "small-convolution"), 0U);
  EXPECT_EQ(placement.tensors.size(), 4U);
}

TEST(Placement, OfFloat8IsOfProductsAloneForTensorrtRtx) {
  const ReadModel read(mixed_graph());
  const Placement placement = placed(read, Target::kTensorrtRtx, {.format = NumberFormat::kFp8});
  EXPECT_THAT(layers_of(read, placement), ElementsAre("fc", "odd", "gemm"));
  EXPECT_EQ(count_applied(placement, "convolutions-in-half"), 4U);
}

TEST(Placement, OfInt4IsOfWeightsOfProducts) {
  const ReadModel read(mixed_graph());
  for (const Target target : kEveryTarget) {
    const Placement placement =
        placed(read, target, {.format = NumberFormat::kInt4, .block_size = 64});
    EXPECT_THAT(layers_of(read, placement), ElementsAre("fc", "gemm"));
    EXPECT_TRUE(placement.tensors.empty()) << "its input stays in float";
    EXPECT_THAT(placement.weights,
                ::testing::Each(::testing::Field(&PlacedWeight::block_size, 64)));
    EXPECT_EQ(count_applied(placement, "products-only"), 4U);
    EXPECT_EQ(why(placement, "whole-blocks"),
              "\"odd\" sums 100 values, which is not a multiple of "
              "64");
    EXPECT_EQ(count_applied(placement, "weighted-inputs"), 0U);
  }
  const Placement channels =
      placed(read, Target::kOpenvino, {.format = NumberFormat::kInt4, .block_size = 0});
  EXPECT_THAT(layers_of(read, channels), ElementsAre("fc", "odd", "gemm"));
}

TEST(Placement, RefusesFormatsThatTheTargetDoesNotTake) {
  const ReadModel read(mixed_graph());
  const auto refused = [&](const PlacementOptions& options) {
    const auto placement = place(read.model, read.links, options);
    EXPECT_FALSE(placement);
    return placement ? std::string() : placement.error().message;
  };
  EXPECT_EQ(refused({.format = NumberFormat::kFp8}), "openvino does not support fp8 on a CPU");
  EXPECT_EQ(refused({.target = Target::kTensorrt, .format = NumberFormat::kInt4, .block_size = 32}),
            "tensorrt does not accept INT4 weights in blocks of 32");
  EXPECT_EQ(refused({.target = Target::kTensorrt, .format = NumberFormat::kInt4, .block_size = 0}),
            "tensorrt does not accept INT4 weights with a scale per channel");
  EXPECT_EQ(refused({.format = NumberFormat::kInt4, .block_size = 100}),
            "openvino does not accept INT4 weights in blocks of 100");
  EXPECT_EQ(refused({.format = NumberFormat::kInt4, .block_size = 256, .only = {"odd"}}),
            "no layer of the model can be quantized");
}

}  // namespace
}  // namespace planex::quantize
