#include "quantize/advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/files.h"
#include "quantize/test_graph.h"
#include "support/test_data.h"

namespace planex::quantize {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kFolder[] = PLANEX_SOURCE_DIR "/tests/quantize/models/";
constexpr Target kTargets[] = {Target::kTensorrt, Target::kTensorrtRtx, Target::kOpenvino,
                               Target::kOnnxruntime};

// A model with its Q/DQ, and the advice about them.
struct Advised {
  explicit Advised(std::string text) : read(std::move(text)) {
    // Weights of the stored models, and their scales, are in a file that is not kept.
    files.add("none", std::string(std::size_t{1} << 20, '\0'));
    values = std::make_unique<onnx::Values>(read.bytes, read.model, files, "");
    existing = read_existing(read.model, read.links, *values).value();
  }

  std::vector<Advice> for_target(Target target) {
    const auto wanted =
        place(read.model, read.links, {.target = target, .ignores_pairs = true}).value();
    return advise(read.model, read.links, existing, wanted, target);
  }

  // The file with the advice applied; `scale` is used for each tensor without one.
  std::string applied(const std::vector<Advice>& advice, bool with_data = true) {
    std::map<std::string, float, std::less<>> scales;
    for (const Advice& one : advice) {
      if (with_data && one.scale == ScaleSource::kFromData) scales[std::string(one.tensor)] = 0.25F;
    }
    onnx::Edit edit;
    const auto count =
        apply_advice(read.model, read.links, existing, advice, scales, *values, edit);
    EXPECT_TRUE(count) << count.error().message;
    if (count && with_data) {
      EXPECT_EQ(*count, advice.size());
    }
    return onnx::edited(read.bytes, read.model, edit).value();
  }

  ReadModel read;
  base::MemoryFiles files;
  std::unique_ptr<onnx::Values> values;
  Existing existing;
};

std::string resnet(const std::string& name) {
  return test::read_text(kFolder + ("resnet18-" + name) + ".onnx");
}

// Tensor -> readers of its pairs, "node:input".
std::map<std::string, std::set<std::string>> existing_pairs_of(const Advised& advised) {
  std::map<std::string, std::set<std::string>> pairs;
  for (const ExistingPair& pair : advised.existing.pairs) {
    for (const onnx::Reader& reader : pair.readers) {
      pairs[std::string(pair.tensor)].insert(
          std::string(advised.read.model.nodes[reader.node].name) + ":" +
          std::to_string(reader.input));
    }
  }
  return pairs;
}

std::map<std::string_view, int> counts_of(const std::vector<Advice>& advice) {
  std::map<std::string_view, int> counts;
  for (const Advice& one : advice) ++counts[to_string(one.action)];
  return counts;
}

TEST(Existing, IsReadWithItsScales) {
  const Advised naive(resnet("naive"));
  EXPECT_EQ(naive.existing.pairs.size(), 21U);
  EXPECT_EQ(naive.existing.weights.size(), 21U);
  EXPECT_THAT(naive.existing.others, IsEmpty());
  const ExistingPair& first = naive.existing.pairs.front();
  EXPECT_EQ(first.tensor, "input");
  EXPECT_EQ(first.maker, onnx::kNoIndex);
  ASSERT_EQ(first.scale.bits.size(), 1U);
  EXPECT_GT(std::bit_cast<float>(first.scale.bits.front()), 0);
  EXPECT_THAT(first.scale.zero_points, ElementsAre(0));
  ASSERT_EQ(first.readers.size(), 1U);
  EXPECT_EQ(naive.read.model.nodes[first.readers.front().node].name, "conv1");
  const ExistingWeight& weight = naive.existing.weights.front();
  EXPECT_EQ(weight.scale.axis, 0);
  EXPECT_EQ(weight.scale.bits.size(), 64U);
  EXPECT_EQ(Advised(resnet("shared")).existing.pairs.size(), 30U);
  EXPECT_THAT(Advised(resnet("fp32")).existing.pairs, IsEmpty());
}

// Acceptance: the edits from the naive placement to the best one are complete.
TEST(Advice, LeadsFromNaiveToShared) {
  Advised naive(resnet("naive"));
  const auto advice = naive.for_target(Target::kOpenvino);
  // Seven tensors have two readers; one of them is the pooled one, whose pairs move. The other
  // inputs of additions were never quantized.
  const auto counts = counts_of(advice);
  EXPECT_GT(counts.at("add"), 0);
  EXPECT_GT(counts.at("move"), 0);
  EXPECT_GT(counts.at("merge"), 0);
  for (const Advice& one : advice) {
    EXPECT_FALSE(one.sentence.empty());
    EXPECT_NE(find_placement_rule(one.rule), nullptr);
    EXPECT_FALSE(one.readers.empty());
  }
  Advised after(naive.applied(advice));
  Advised shared(resnet("shared"));
  auto expected = existing_pairs_of(shared);
  // As in placement_test.cc: the pair of the last layer is before the Flatten.
  expected.erase("flatten.output");
  expected["avgpool.output"] = {"flatten:0"};
  EXPECT_EQ(existing_pairs_of(after), expected);
  EXPECT_EQ(after.existing.pairs.size(), 30U);
  EXPECT_THAT(after.for_target(Target::kOpenvino), IsEmpty());
}

// From each placement to the one each target asks for, in one step; trained scales stay.
TEST(Advice, IsCompleteAndKeepsScales) {
  for (const std::string name : {"naive", "residual", "residual-gap", "shared"}) {
    for (const Target target : kTargets) {
      Advised before(resnet(name));
      Advised after(before.applied(before.for_target(target)));
      EXPECT_THAT(after.for_target(target), IsEmpty()) << name << ' ' << to_string(target);
      std::map<std::string_view, std::set<std::uint32_t>> trained;
      for (const ExistingPair& pair : before.existing.pairs) {
        trained[pair.tensor].insert(pair.scale.bits.front());
      }
      for (const ExistingPair& pair : after.existing.pairs) {
        const auto found = trained.find(pair.tensor);
        if (found == trained.end()) continue;
        EXPECT_TRUE(found->second.contains(pair.scale.bits.front())) << pair.tensor;
      }
      EXPECT_EQ(after.existing.weights.size(), before.existing.weights.size());
    }
  }
}

TEST(Advice, OfWhatNeedsDataIsLeftOut) {
  Advised naive(resnet("naive"));
  const auto advice = naive.for_target(Target::kOpenvino);
  const auto from_data = std::ranges::count(advice, ScaleSource::kFromData, &Advice::scale);
  EXPECT_EQ(from_data, 12);  // 8 on main paths, 3 on skip paths, and what is pooled
  Advised after(naive.applied(advice, false));
  const auto left = after.for_target(Target::kOpenvino);
  EXPECT_EQ(static_cast<std::ptrdiff_t>(left.size()), from_data);
}

TEST(Advice, OfAModelWithoutPairsIsToAddThemAll) {
  Advised floats(resnet("fp32"));
  const auto advice = floats.for_target(Target::kOpenvino);
  EXPECT_EQ(advice.size(), 30U);
  for (const Advice& one : advice) EXPECT_EQ(one.scale, ScaleSource::kFromData);
}

TEST(Advice, TakesPairsOffTheMainPathForTensorrt) {
  Advised shared(resnet("shared"));
  const auto advice = shared.for_target(Target::kTensorrt);
  ASSERT_EQ(advice.size(), 8U);
  for (const Advice& one : advice) {
    EXPECT_EQ(one.action, Action::kRemove);
    EXPECT_EQ(one.rule, "residual-skip");
    EXPECT_THAT(std::string(one.tensor), HasSubstr("conv2"));
  }
}

// x -> c -> pair "p" -> d, and a second pair of another scale -> e.
TEST(Advice, MergesIntoTheLargerScale) {
  TestGraph graph;
  graph.input("x").weight("w", {32, 32, 3, 3}).node("Relu", {"x"}, "c", "c");
  for (const std::string name : {"p", "q"}) {
    const std::string s = name + "s", i = name + "i", f = name + "f";
    graph.node("QuantizeLinear", {"c", s, "z"}, i, i).node("DequantizeLinear", {i, s, "z"}, f, f);
    graph.node("Conv", {f, "w"}, name, name).output(name);
  }
  graph.more(scalar_constant("ps", 0.5F) + scalar_constant("qs", 2) + zero_point("z"));
  Advised two(graph.bytes());
  const auto advice = two.for_target(Target::kTensorrt);
  ASSERT_EQ(counts_of(advice).at("merge"), 1);
  Advised after(two.applied(advice));
  ASSERT_EQ(after.existing.pairs.size(), 1U);
  EXPECT_EQ(std::bit_cast<float>(after.existing.pairs.front().scale.bits.front()), 2);
  EXPECT_EQ(after.existing.pairs.front().readers.size(), 2U);
  EXPECT_EQ(after.read.links.find("ps"), nullptr);
}

// TensorRT-RTX computes a convolution in float where the scale of its input is a list.
TEST(Advice, MakesScalesOfConvolutionsScalarsForTensorrtRtx) {
  TestGraph graph;
  graph.input("x").weight("w", {32, 32, 3, 3});
  for (const std::string of : {"x", "w"}) {
    graph.node("QuantizeLinear", {of, "s", "z"}, of + "i", of + "i");
    graph.node("DequantizeLinear", {of + "i", "s", "z"}, of + "f", of + "f");
  }
  graph.node("Conv", {"xf", "wf"}, "y", "y").output("y");
  graph.more(scalar_constant("s", 0.5F, kOneValue) + zero_point("z", kOneValue));
  Advised pairs(graph.bytes());
  EXPECT_EQ(counts_of(pairs.for_target(Target::kTensorrt)).count("scalar-scale"), 0U);
  const auto advice = pairs.for_target(Target::kTensorrtRtx);
  ASSERT_EQ(advice.size(), 1U);
  EXPECT_EQ(advice.front().action, Action::kScalarScale);
  EXPECT_EQ(advice.front().tensor, "x");
  Advised after(pairs.applied(advice));
  ASSERT_EQ(after.existing.pairs.size(), 2U);
  for (const ExistingPair& pair : after.existing.pairs) {
    EXPECT_EQ(std::bit_cast<float>(pair.scale.bits.front()), 0.5F) << pair.tensor;
    const bool is_list = pair.tensor == "w";
    for (const onnx::Index tensor : {pair.scale.scale, pair.scale.zero_point}) {
      EXPECT_EQ(after.read.model.dims_of(after.read.model.tensors[tensor]).size(), is_list)
          << pair.tensor;
    }
  }
  EXPECT_THAT(after.for_target(Target::kTensorrtRtx), IsEmpty());
}

// x · Sigmoid(x) is one activation: both of its readers must read the float, or it is split.
TEST(Advice, TakesThePairAwayFromBothPartsOfAGate) {
  TestGraph graph;
  graph.input("x");
  graph.pair("x");
  graph.small_conv("x.f", "a");
  graph.pair("a");
  graph.node("Sigmoid", {"a.f"}, "gate", "gate");
  graph.node("Mul", {"a.f", "gate"}, "m", "m");
  graph.pair("m");
  graph.small_conv("m.f", "b");
  // A product of the tensor with something else is not a gate of it.
  graph.pair("b");
  graph.node("Sigmoid", {"m.f"}, "other", "other");
  graph.node("Mul", {"other", "b.f"}, "y", "y").output("y");
  graph.more(scalar_constant("scale", 1) + zero_point("zero"));
  Advised advised(graph.bytes());
  std::set<std::string> removed;
  for (const Advice& one : advised.for_target(Target::kOpenvino)) {
    if (one.action != Action::kRemove) continue;
    EXPECT_EQ(one.rule, "pair-after-product");
    for (const onnx::Reader& reader : one.readers) {
      removed.insert(std::string(one.tensor) + ":" +
                     std::string(advised.read.model.nodes[reader.node].name));
    }
  }
  EXPECT_THAT(removed, ElementsAre("a:gate", "a:m"));
}

// ONNX Runtime drops a Relu only before zero point 0; uint8 with 128 has room for values below 0,
// which do not occur after the Relu.
TEST(Advice, MakesZeroPointsBehindARelu0) {
  TestGraph graph;
  graph.input("x");
  const auto pair = [&](const std::string& of, const std::string& zero) {
    graph.node("QuantizeLinear", {of, "scale", zero}, of + ".i", of + ".Q");
    graph.node("DequantizeLinear", {of + ".i", "scale", zero}, of + ".f", of + ".DQ");
  };
  const auto conv = [&](const std::string& input, const std::string& output) {
    const std::string weight = output + ".weight";
    graph.weight(weight, {32, 32, 3, 3}, 3);
    graph.node("DequantizeLinear", {weight, "scale", "signed"}, weight + ".f", weight + ".DQ");
    graph.node("Conv", {input, weight + ".f"}, output, output);
  };
  pair("x", "middle");
  conv("x.f", "a");
  graph.node("Relu", {"a"}, "r", "r");
  pair("r", "middle");
  conv("r.f", "b");
  pair("b", "middle");
  conv("b.f", "c");
  graph.node("Relu", {"c"}, "s", "s");
  pair("s", "zero");
  conv("s.f", "d");
  pair("d", "middle");
  graph.node("GlobalAveragePool", {"d.f"}, "y", "y").output("y");
  const auto unsigned_zero = [](std::string_view name, char value) {
    return onnx::bytes_field(5, onnx::varint_field(2, 2) + onnx::bytes_field(8, name) +
                                    onnx::bytes_field(9, std::string(1, value)));
  };
  graph.more(scalar_constant("scale", 1) + zero_point("signed") + unsigned_zero("zero", 0) +
             unsigned_zero("middle", static_cast<char>(128)));
  Advised advised(graph.bytes());
  std::vector<std::string_view> changed;
  const auto advice = advised.for_target(Target::kOnnxruntime);
  for (const Advice& one : advice) {
    if (one.action == Action::kUnsigned) changed.push_back(one.tensor);
  }
  EXPECT_THAT(changed, ElementsAre("r"));
  Advised after(advised.applied(advice));
  std::map<std::string_view, std::vector<std::int64_t>> zeros;
  for (const ExistingPair& one : after.existing.pairs) zeros[one.tensor] = one.scale.zero_points;
  EXPECT_THAT(zeros["r"], ElementsAre(0));
  EXPECT_THAT(zeros["b"], ElementsAre(128));
  for (const Advice& one : after.for_target(Target::kOnnxruntime)) {
    EXPECT_NE(one.action, Action::kUnsigned) << one.tensor;
  }
}

// Another edit that adds a pair again uses the scale as a scalar, too; the shared one where scales
// are shared.
TEST(Advice, SharesAScalar) {
  TestGraph graph;
  graph.input("x").input("y").weight("w", {32, 32, 3, 3});
  for (const std::string of : {"x", "y"}) {
    graph.node("QuantizeLinear", {of, of + "s", "z"}, of + "i", of + "i");
    graph.node("DequantizeLinear", {of + "i", of + "s", "z"}, of + "f", of + "f");
  }
  graph.node("Concat", {"xf", "yf"}, "c", "c");
  graph.node("QuantizeLinear", {"c", "cs", "z"}, "ci", "ci");
  graph.node("DequantizeLinear", {"ci", "cs", "z"}, "cf", "cf");
  graph.node("Conv", {"cf", "w"}, "o", "o").output("o");
  graph.more(scalar_constant("xs", 0.5F, kOneValue) + scalar_constant("ys", 2, kOneValue) +
             scalar_constant("cs", 1, kOneValue) + zero_point("z", kOneValue));
  Advised lists(graph.bytes());
  Advised after(lists.applied(lists.for_target(Target::kTensorrtRtx)));
  ASSERT_EQ(after.existing.pairs.size(), 3U);
  for (const ExistingPair& pair : after.existing.pairs) {
    if (pair.tensor != "c") continue;
    for (const onnx::Index tensor : {pair.scale.scale, pair.scale.zero_point}) {
      EXPECT_THAT(after.read.model.dims_of(after.read.model.tensors[tensor]), IsEmpty());
    }
  }
  EXPECT_THAT(after.for_target(Target::kTensorrtRtx), IsEmpty());
}

// Convolutions, skip paths, pools and sums: whatever reads a pair, no pair that the target rejects
// is left or written.
TEST(Advice, LeavesNoScaleThatTheTargetForbids) {
  TestGraph graph;
  graph.input("x").weight("w1", {32, 32, 3, 3}).weight("w2", {32, 32, 3, 3});
  const auto pair = [&](const std::string& of, const std::string& as) {
    graph.node("QuantizeLinear", {of, "s", "z"}, as + "i", as + "i");
    graph.node("DequantizeLinear", {as + "i", "s", "z"}, as, as);
  };
  pair("x", "xf");
  pair("x", "skip");
  graph.node("Conv", {"xf", "w1"}, "a", "a").node("Relu", {"a"}, "ra", "ra");
  pair("ra", "raf");
  graph.node("Conv", {"raf", "w2"}, "b", "b").node("Add", {"b", "skip"}, "sum", "sum");
  pair("sum", "sumf");
  graph.node("MaxPool", {"sumf"}, "p", "p").node("Exp", {"p"}, "y", "y").output("y");
  graph.more(scalar_constant("s", 0.5F, kOneValue) + zero_point("z", kOneValue));
  for (const Target target : kTargets) {
    Advised lists(graph.bytes());
    Advised after(lists.applied(lists.for_target(target)));
    EXPECT_FALSE(after.existing.pairs.empty());
    const bool forbids = stance(*find_placement_rule("scalar-scale"), target) == Stance::kYes;
    const bool is_unsigned =
        stance(*find_placement_rule("unsigned-throughout"), target) == Stance::kYes;
    const bool wants_zero = stance(*find_placement_rule("zero-point-zero"), target) == Stance::kYes;
    for (const ExistingPair& one : after.existing.pairs) {
      const auto& model = after.read.model;
      const bool is_list = !model.dims_of(model.tensors[one.scale.scale]).empty();
      EXPECT_FALSE(forbids && is_list) << to_string(target) << ": " << one.tensor;
      EXPECT_FALSE(is_unsigned && !one.scale.is_unsigned) << one.tensor;
      for (const std::int64_t zero : one.scale.zero_points) {
        EXPECT_FALSE(wants_zero && zero != 0) << to_string(target) << ": " << one.tensor;
      }
    }
    EXPECT_TRUE(!forbids || after.for_target(target).empty()) << to_string(target);
  }
}

TEST(Advice, MakesAConcatUnsignedAndSharesScales) {
  TestGraph graph;
  graph.input("x").weight("w", {32, 32, 3, 3}).node("Resize", {"x"}, "r", "r");
  graph.node("QuantizeLinear", {"r", "s1", "z"}, "i1", "i1");
  graph.node("DequantizeLinear", {"i1", "s1", "z"}, "f1", "f1");
  graph.node("Concat", {"f1", "x"}, "c", "c");
  graph.node("QuantizeLinear", {"c", "s2", "z"}, "i2", "i2");
  graph.node("DequantizeLinear", {"i2", "s2", "z"}, "f2", "f2");
  graph.node("Conv", {"f2", "w"}, "y", "y").output("y");
  graph.more(scalar_constant("s1", 0.5F) + scalar_constant("s2", 2) + zero_point("z"));
  Advised concat(graph.bytes());
  const auto unsigned_advice = concat.for_target(Target::kOpenvino);
  ASSERT_EQ(unsigned_advice.size(), 1U);
  EXPECT_EQ(unsigned_advice.front().rule, "unsigned-behind-resize");
  Advised after(concat.applied(unsigned_advice));
  for (const ExistingPair& pair : after.existing.pairs) {
    EXPECT_THAT(pair.scale.zero_points, ElementsAre(pair.tensor == "c" ? 128 : 0));
  }
  EXPECT_THAT(after.for_target(Target::kOpenvino), IsEmpty());
  Advised shared(concat.applied(concat.for_target(Target::kTensorrt)));
  ASSERT_EQ(shared.existing.pairs.size(), 3U);
  for (const ExistingPair& pair : shared.existing.pairs) {
    EXPECT_EQ(std::bit_cast<float>(pair.scale.bits.front()), 2) << pair.tensor;
  }
  EXPECT_THAT(shared.for_target(Target::kTensorrt), IsEmpty());
}

}  // namespace
}  // namespace planex::quantize
