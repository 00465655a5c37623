#include "quantize/coarse_scales.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <memory>
#include <string>
#include <vector>

#include "base/files.h"
#include "quantize/test_graph.h"

namespace planex::quantize {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A float constant of one value, without dimensions.
std::string float_constant(std::string_view name, float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  std::string raw;
  for (unsigned i = 0; i < 4; ++i) raw += static_cast<char>(bits >> (8 * i) & 0xffU);
  return onnx::bytes_field(
      5, onnx::varint_field(2, 1) + onnx::bytes_field(8, name) + onnx::bytes_field(9, raw));
}

// A pair on `tensor`, whose DQ writes "TENSOR.q".
void add_pair(TestGraph& graph, std::string_view tensor, float scale) {
  const std::string name(tensor);
  graph.more(float_constant(name + ".scale", scale));
  graph.node("QuantizeLinear", {tensor, name + ".scale"}, name + ".i", name + ".Q");
  graph.node("DequantizeLinear", {name + ".i", name + ".scale"}, name + ".q", name + ".DQ");
}

std::vector<CoarseScale> coarse_of(const TestGraph& graph) {
  const ReadModel read(graph.bytes());
  const base::MemoryFiles files;
  onnx::Values values(read.bytes, read.model, files, "");
  const Existing existing = read_existing(read.model, read.links, values).value();
  return find_coarse_scales(read.model, read.links, existing, values);
}

// Boxes and scores of a detector in one tensor: every score becomes 0 or 1.227.
TEST(CoarseScales, OneScaleForWhatIsJoined) {
  TestGraph graph;
  graph.input("x").conv("x", "boxes").conv("x", "classes");
  graph.node("Sigmoid", {"classes"}, "scores", "sigmoid");
  graph.node("Transpose", {"scores"}, "turned", "transpose");
  graph.node("Concat", {"boxes", "turned"}, "joined", "concat");
  graph.node("Reshape", {"joined"}, "flat", "reshape");
  add_pair(graph, "flat", 1.227F);
  graph.output("flat.q");
  const auto found = coarse_of(graph);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].tensor, "flat");
  EXPECT_EQ(found[0].part, "turned");
  EXPECT_LT(found[0].step_count, 1);
  EXPECT_EQ(sentence_of(found[0]),
            "scale 1.227 of \"flat\" is wider than the whole range of \"turned\" (0 … 1)");
}

TEST(CoarseScales, OfAClippedTensorItself) {
  TestGraph graph;
  graph.input("x").conv("x", "c");
  graph.more(float_constant("zero", 0)).more(float_constant("six", 6));
  graph.node("Clip", {"c", "zero", "six"}, "clipped", "clip");
  add_pair(graph, "clipped", 2.0F);
  graph.output("clipped.q");
  EXPECT_THAT(coarse_of(graph), ElementsAre(AllOf(Field(&CoarseScale::part, "clipped"),
                                                  Field(&CoarseScale::step_count, 3.0))));
  EXPECT_THAT(sentence_of(coarse_of(graph).front()),
              HasSubstr("leaves only 3.0 of 255 steps for the whole range of \"clipped\" (0 … 6)"));
}

// Eight bits over the range, also where something smaller is joined, and where the range is
// unknown.
TEST(CoarseScales, OthersAreLeftAlone) {
  TestGraph graph;
  graph.input("x").conv("x", "a").conv("x", "b");
  graph.node("Sigmoid", {"a"}, "s", "sigmoid");
  graph.node("Tanh", {"b"}, "t", "tanh");
  graph.node("Concat", {"s", "t"}, "joined", "concat");
  add_pair(graph, "joined", 1.0F / 127);
  add_pair(graph, "b", 100.0F);
  graph.node("Clip", {"a"}, "open", "clip");
  add_pair(graph, "open", 100.0F);
  graph.output("joined.q").output("b.q").output("open.q");
  EXPECT_THAT(coarse_of(graph), IsEmpty());
}

TEST(CoarseScales, AreLinearInChains) {
  TestGraph graph;
  graph.input("x");
  graph.node("Sigmoid", {"x"}, "t0", "n0");
  constexpr int kCount = 20'000;
  for (int i = 1; i < kCount; ++i) {
    graph.node("Identity", {"t" + std::to_string(i - 1)}, "t" + std::to_string(i),
               "n" + std::to_string(i));
  }
  const std::string last = "t" + std::to_string(kCount - 1);
  add_pair(graph, last, 5.0F);
  graph.output(last + ".q");
  EXPECT_THAT(coarse_of(graph), ElementsAre(Field(&CoarseScale::tensor, last)));
}

}  // namespace
}  // namespace planex::quantize
