#include "quantize/between_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "quantize/gains.h"
#include "quantize/placement.h"
#include "quantize/test_graph.h"

namespace planex::quantize {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string constant_of(std::string_view name, std::uint64_t type, std::string_view raw) {
  return onnx::bytes_field(
      5, onnx::varint_field(2, type) + onnx::bytes_field(8, name) + onnx::bytes_field(9, raw));
}

// x -> pair -> a (Conv) -> Relu r -> pair -> b (Conv) -> y, which is the output: in int8.
std::string two_convolutions() {
  TestGraph graph;
  graph.input("x");
  const auto pair = [&](const std::string& of) {
    graph.node("QuantizeLinear", {of, "scale", "zero"}, of + ".i", of + ".Q");
    graph.node("DequantizeLinear", {of + ".i", "scale", "zero"}, of + ".f", of + ".DQ");
  };
  const auto conv = [&](const std::string& input, const std::string& output,
                        const std::string& name) {
    const std::string weight = name + ".weight";
    graph.weight(weight, {32, 32, 3, 3}, 3);
    graph.node("DequantizeLinear", {weight, "scale", "zero"}, weight + ".f", weight + ".DQ");
    graph.node("Conv", {input, weight + ".f"}, output, name);
  };
  pair("x");
  conv("x.f", "a", "a");
  graph.node("Relu", {"a"}, "r", "r");
  pair("r");
  conv("r.f", "y", "b");
  graph.output("y");
  graph.more(constant_of("scale", 1, std::string("\0\0\x80\x3f", 4)) +
             constant_of("zero", 3, std::string(1, '\0')));
  return graph.bytes();
}

struct Between {
  Between() : read(two_convolutions()), flow(read.model, read.links) {
    values = std::make_unique<onnx::Values>(read.bytes, read.model, files, "");
    existing = read_existing(read.model, read.links, *values).value();
    const auto wanted =
        place(read.model, read.links, {.target = Target::kOnnxruntime, .ignores_pairs = true})
            .value();
    advice = advise(read.model, read.links, existing, wanted, Target::kOnnxruntime);
  }

  onnx::Index maker(std::string_view tensor) const { return read.links.find(tensor)->node; }
  std::size_t piece(std::string_view tensor) const {
    for (std::size_t at = 0; at < advice.size(); ++at) {
      if (advice[at].tensor == tensor) return at;
    }
    ADD_FAILURE() << tensor;
    return 0;
  }

  ReadModel read;
  Flow flow;
  base::MemoryFiles files;
  std::unique_ptr<onnx::Values> values;
  Existing existing;
  std::vector<Advice> advice;
};

TEST(BetweenPairs, ANodeNeedsPairsOnAllSides) {
  const Between net;
  const BetweenPairs before(net.flow, net.existing, {});
  EXPECT_TRUE(before.has(net.maker("a"))) << "its Relu is dropped before the quantizer";
  EXPECT_FALSE(before.has(net.maker("y"))) << "the model has its output in float";
  EXPECT_FALSE(before.has(net.maker("r"))) << "there is no kernel for it";
  EXPECT_EQ(before.computing(net.flow.find("r")), net.maker("a"));
  EXPECT_EQ(before.computing(net.flow.find("x")), onnx::kNoIndex);
  const BetweenPairs after(net.flow, net.existing, net.advice);
  EXPECT_TRUE(after.has(net.maker("y")));
}

// The pairs of x and r become uint8, y gets one.
TEST(BetweenPairs, PiecesAreOfTheNodesBesideThem) {
  const Between net;
  ASSERT_EQ(net.advice.size(), 3U);
  const BetweenPairs after(net.flow, net.existing, net.advice);
  EXPECT_THAT(after.nodes_of(net.piece("x")), ElementsAre(net.maker("a")));
  EXPECT_THAT(after.nodes_of(net.piece("r")), ElementsAre(net.maker("a"), net.maker("y")));
  EXPECT_THAT(after.pieces_of(net.maker("y")), ElementsAre(net.piece("r"), net.piece("y")));
}

MeasuredLayer convolution_in_float(std::string name, double time_ms) {
  MeasuredLayer layer{.name = name, .nodes = {name}, .time_ms = time_ms};
  layer.is_product = layer.writes_float = true;
  layer.float_read_bytes = layer.float_written_bytes = layer.written_bytes = 400;
  layer.float_read_values = layer.float_written_values = 100;
  layer.moved_bytes = 1000;
  layer.macs = 1'000'000;
  return layer;
}

// All of it in float, with every Q and DQ a layer of 0.2 ms.
MeasuredEngine in_float() {
  MeasuredEngine engine{.path = "run", .producer = "onnxruntime"};
  engine.fuses_between_pairs = true;
  for (const std::string name : {"x.Q", "x.DQ", "a.weight.DQ", "r.Q", "r.DQ", "b.weight.DQ"}) {
    MeasuredLayer layer{.name = name, .nodes = {name}, .time_ms = 0.2};
    layer.is_conversion = true;
    layer.moved_bytes = 500;
    engine.layers.push_back(layer);
  }
  engine.layers.push_back(convolution_in_float("a", 4));
  engine.layers.push_back(convolution_in_float("b", 2));
  engine.end_to_end_ms = 6;
  return engine;
}

// No convolution runs in INT8 to compare with: only the conversions surely go, and a vector of INT8
// has four values for one of FP32.
TEST(GainsBetweenPairs, AreOfPiecesTogether) {
  const Between net;
  const MeasuredEngine engine = in_float();
  const Gains gains(net.read.model, net.read.links, net.existing, engine, net.advice);
  const Gain input = gains.of(net.piece("x"));
  EXPECT_THAT(input.needs, ElementsAre(net.piece("r")));
  // x.DQ, a.weight.DQ, r.Q; and 3.5 of 4 ms. x.Q stays.
  EXPECT_NEAR(input.low_ms.value_or(-1), 0.6, 1e-9) << input.reason;
  EXPECT_NEAR(input.high_ms.value_or(-1), 0.6 + 3.5, 1e-9);
  // The model's output is converted back to float, 100 values: this takes as long as the engine's
  // own conversion.
  const Gain output = gains.of(net.piece("y"));
  EXPECT_THAT(output.needs, ElementsAre(net.piece("r")));
  EXPECT_NEAR(output.low_ms.value_or(-1), 0.4 - 0.2, 1e-9) << output.reason;
  EXPECT_NEAR(output.high_ms.value_or(-1), 0.4 + 1.75, 1e-9);
  const Forecast all = gains.of_all();
  EXPECT_NEAR(all.gain.low_ms.value_or(-1), 1.0 - 0.2, 1e-9) << all.gain.reason;
  EXPECT_NEAR(all.gain.high_ms.value_or(-1), 1.0 + 5.25, 1e-9);
  EXPECT_EQ(all.layer_count, 3U);
}

// A layer that is already in INT8 gains nothing from a piece next to it.
TEST(GainsBetweenPairs, AreNothingWhereTheEngineDoesItAlready) {
  const Between net;
  MeasuredEngine engine = in_float();
  engine.layers[6].reads_quantized = true;
  const Gains gains(net.read.model, net.read.links, net.existing, engine, net.advice);
  const Gain input = gains.of(net.piece("x"));
  EXPECT_THAT(input.needs, IsEmpty());
  EXPECT_EQ(input.low_ms, 0);
  EXPECT_EQ(input.high_ms, 0);
  // b, which takes 4 ms, is compared with it: INT8 may be slower.
  const Gain output = gains.of(net.piece("y"));
  EXPECT_NEAR(output.high_ms.value_or(-1), 0.4, 1e-9) << output.reason;
}

}  // namespace
}  // namespace planex::quantize
