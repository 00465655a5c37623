#include "quantize/gains.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <memory>
#include <string>
#include <vector>

#include "base/files.h"
#include "quantize/placement.h"
#include "quantize/test_graph.h"

namespace planex::quantize {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string constant(std::string_view name, std::uint64_t type, std::string_view raw) {
  return onnx::bytes_field(
      5, onnx::varint_field(2, type) + onnx::bytes_field(8, name) + onnx::bytes_field(9, raw));
}

// x -> pair -> a (Conv) -> MaxPool m -> pair -> b (Conv) -> Add(b, m) s -> pair -> c (Conv) -> y.
// `f` is a Conv with a float weight after c.
std::string model() {
  TestGraph graph;
  graph.input("x");
  graph.pair("x");
  graph.small_conv("x.f", "a");
  graph.node("MaxPool", {"a"}, "m", "m");
  graph.pair("m");
  graph.small_conv("m.f", "b");
  graph.node("Add", {"b", "m"}, "s", "s");
  graph.pair("s");
  graph.small_conv("s.f", "c");
  graph.conv("c", "f").output("f");
  graph.more(constant("scale", 1, std::string("\0\0\x80\x3f", 4)) +
             constant("zero", 3, std::string(1, '\0')));
  return graph.bytes();
}

MeasuredLayer product(std::string name, std::vector<std::string> nodes, double time_ms,
                      bool writes_float) {
  MeasuredLayer layer{.name = std::move(name), .nodes = std::move(nodes), .time_ms = time_ms};
  layer.is_product = true;
  layer.reads_quantized = true;
  layer.writes_float = writes_float;
  layer.float_written_bytes = writes_float ? 400 : 0;
  layer.float_written_values = writes_float ? 100 : 0;
  layer.written_bytes = writes_float ? 400 : 100;
  layer.moved_bytes = 1000;
  layer.macs = 1'000'000;
  return layer;
}

// What a compiler makes of it: the pooling runs in float, its quantizer and the addition are
// separate layers.
MeasuredEngine engine() {
  MeasuredEngine engine{.path = "run", .producer = "openvino"};
  engine.layers.push_back(product("a", {"a"}, 1.0, true));
  MeasuredLayer pool{.name = "m", .nodes = {"m"}, .time_ms = 0.4, .writes_float = true};
  pool.float_read_bytes = pool.float_written_bytes = pool.written_bytes = 400;
  pool.float_read_values = pool.float_written_values = 100;
  pool.moved_bytes = 800;
  engine.layers.push_back(pool);
  MeasuredLayer quantizer{.name = "q", .nodes = {"m.Q", "m.DQ"}, .time_ms = 0.2};
  quantizer.is_conversion = true;
  quantizer.float_read_bytes = 400;
  quantizer.float_read_values = 100;
  quantizer.written_bytes = 100;
  quantizer.moved_bytes = 500;
  engine.layers.push_back(quantizer);
  engine.layers.push_back(product("b", {"b"}, 1.0, true));
  MeasuredLayer add{.name = "s", .nodes = {"s", "s.Q"}, .time_ms = 0.3};
  add.is_pointwise = true;
  add.float_read_bytes = 800;
  add.float_read_values = 200;
  add.written_bytes = 100;
  add.moved_bytes = 900;
  add.findings = {"quantized-layer-writes-float"};
  engine.layers.push_back(add);
  engine.layers.push_back(product("c", {"c", "c.Q"}, 0.8, false));
  MeasuredLayer last = product("f", {"f"}, 3.0, true);
  last.reads_quantized = false;
  last.float_read_bytes = 400;
  last.float_read_values = 100;
  engine.layers.push_back(last);
  engine.end_to_end_ms = 7;
  return engine;
}

struct Weighed {
  explicit Weighed(MeasuredEngine of = engine()) : read(model()), measured(std::move(of)) {
    values = std::make_unique<onnx::Values>(read.bytes, read.model, files, "");
    existing = read_existing(read.model, read.links, *values).value();
    const auto wanted = place(read.model, read.links,
                              {.target = Target::kOpenvino, .kept = {"f"}, .ignores_pairs = true})
                            .value();
    advice = advise(read.model, read.links, existing, wanted, Target::kOpenvino);
    gains = std::make_unique<Gains>(read.model, read.links, existing, measured, advice);
  }

  Gain gain_of(Action action, std::string_view tensor) const {
    return gains->of(static_cast<std::size_t>(&of(action, tensor) - advice.data()));
  }

  const Advice& of(Action action, std::string_view tensor) const {
    for (const Advice& one : advice) {
      if (one.action == action && one.tensor == tensor) return one;
    }
    ADD_FAILURE() << to_string(action) << ' ' << tensor;
    static const Advice kNone;
    return kNone;
  }

  ReadModel read;
  base::MemoryFiles files;
  std::unique_ptr<onnx::Values> values;
  Existing existing;
  MeasuredEngine measured;
  std::vector<Advice> advice;
  std::unique_ptr<Gains> gains;
};

std::vector<std::string> effects(const Weighed& weighed, const Gain& gain) {
  std::vector<std::string> texts;
  for (const LayerGain& one : gain.layers) {
    texts.push_back(weighed.measured.layers[one.layer].name + ":" +
                    std::string(to_string(one.effect)));
  }
  return texts;
}

// The quantizer after the pooling surely goes, as products of this engine quantize their output;
// the pooling reads and writes a quarter of the bytes, at most.
TEST(Gains, OfAMovedPair) {
  const Weighed weighed;
  const Advice& moved = weighed.of(Action::kMove, "a");
  const Gain gain = weighed.gain_of(Action::kMove, "a");
  EXPECT_THAT(effects(weighed, gain), ElementsAre("a:fewer-bytes", "m:fewer-bytes", "q:goes"));
  ASSERT_TRUE(gain.low_ms && gain.high_ms) << gain.reason;
  // a: 1 ms, while c, which does the same work and writes INT8, takes 0.8; m: 600 of 800 bytes of
  // 0.4 ms.
  EXPECT_NEAR(*gain.low_ms, 0.2 + 0.2, 1e-9);
  EXPECT_NEAR(*gain.high_ms, 0.2 + 0.2 + 0.3, 1e-9);
  EXPECT_THAT(edit_text(weighed.read.model, weighed.existing, moved),
              HasSubstr("move the pair from \"m\" to \"a\", before \"m\""));
}

// Nothing is certain where no product of the engine quantizes its output.
TEST(Gains, AreSureOnlyWhereTheEngineShowsIt) {
  MeasuredEngine other = engine();
  other.layers[5].writes_float = true;
  other.end_to_end_ms = 5;
  const Weighed weighed(other);
  const Gain gain = weighed.gain_of(Action::kMove, "a");
  EXPECT_EQ(effects(weighed, gain).back(), "q:may-go");
  // a: 300 bytes as slow as the slowest mover, q with 500 bytes in 0.2 ms, which is less than 300
  // of its 1000 bytes of 1 ms. At least nothing, at most 0.62 of 5 ms: too far apart to act on.
  EXPECT_FALSE(gain.low_ms);
  EXPECT_DOUBLE_EQ(gain.high_ms.value_or(0), 0.2 + 0.12 + 0.3);
  EXPECT_THAT(gain.reason, HasSubstr("0.000 … 0.620 ms is too wide to act on"));
}

// 9 µs that surely go and 0.5 ms that may go are no answer for 5 ms; for 100 ms they are: nothing
// noticeable.
TEST(Gains, AreARangeOnlyWhereItsEndsSayTheSame) {
  MeasuredEngine other = engine();
  other.layers[2].time_ms = 0.0091;
  other.layers[1].time_ms = 1.04;
  // It does different work from a.
  other.layers[5].written_bytes = 50;
  other.end_to_end_ms = 5;
  const Weighed wide(other);
  const Gain unknown = wide.gain_of(Action::kMove, "a");
  EXPECT_FALSE(unknown.low_ms);
  // q; 300 bytes of a as slow as s is; 600 of m half as fast as that.
  EXPECT_NEAR(unknown.high_ms.value_or(0), 0.0091 + 0.1 + 0.4, 1e-9);
  EXPECT_THAT(unknown.reason, HasSubstr("only the high end is known"));
  const Forecast all = wide.gains->of_all();
  EXPECT_THAT(all.gain.reason, Not(HasSubstr("have no range"))) << "its high end is known";
  EXPECT_TRUE(all.gain.high_ms);

  other.end_to_end_ms = 100;
  const Weighed small(other);
  const Gain known = small.gain_of(Action::kMove, "a");
  EXPECT_NEAR(known.low_ms.value_or(0), 0.0091, 1e-9) << known.reason;
}

TEST(Gains, OfAnAdditionThatMayGo) {
  const Weighed weighed;
  const Gain gain = weighed.gain_of(Action::kAdd, "b");
  EXPECT_THAT(effects(weighed, gain), ElementsAre("b:fewer-bytes", "s:may-go"));
  EXPECT_NEAR(gain.low_ms.value_or(-1), 0.2, 1e-9) << "as its twin c";
  EXPECT_NEAR(gain.high_ms.value_or(0), 0.2 + 0.3, 1e-9);
}

// In an engine whose products fuse quantizers and additions, at least a fifth of the addition goes;
// with the other input quantized, too.
TEST(Gains, OfAnAdditionThatIsTakenIn) {
  MeasuredEngine other = engine();
  other.products_quantize = true;
  const Weighed weighed(other);
  const Gain gain = weighed.gain_of(Action::kAdd, "b");
  EXPECT_THAT(effects(weighed, gain), ElementsAre("b:fewer-bytes", "s:may-go"));
  EXPECT_NEAR(gain.low_ms.value_or(-1), 0.2 + 0.06, 1e-9);
  EXPECT_NEAR(gain.high_ms.value_or(0), 0.2 + 0.3, 1e-9);
  ASSERT_EQ(gain.needs.size(), 1U);
  EXPECT_EQ(weighed.advice[gain.needs.front()].tensor, "a") << "the pair before the pooling";
}

TEST(Gains, OfAllCountEachLayerOnce) {
  const Weighed weighed;
  const Forecast forecast = weighed.gains->of_all();
  ASSERT_TRUE(forecast.gain.low_ms && forecast.gain.high_ms) << forecast.gain.reason;
  EXPECT_NEAR(*forecast.gain.low_ms, 0.2 + 0.2 + 0.2, 1e-9);
  EXPECT_NEAR(*forecast.gain.high_ms, 0.2 + 0.2 + 0.3 + 0.2 + 0.3, 1e-9);
  EXPECT_EQ(forecast.layer_count, 5U);        // q and s go
  EXPECT_EQ(forecast.float_layer_count, 1U);  // f alone
  // a 100, m 100, b 100, c 100, f 400.
  EXPECT_EQ(forecast.written_bytes, 800);
  double sum = 0;
  for (const LayerGain& one : forecast.gain.layers) {
    EXPECT_LE(one.high_ms, *weighed.measured.layers[one.layer].time_ms);
    sum += one.high_ms;
  }
  EXPECT_LE(sum, *weighed.measured.end_to_end_ms);
}

TEST(Gains, AreNullWithoutTimes) {
  MeasuredEngine other = engine();
  other.layers[2].time_ms.reset();
  const Weighed weighed(other);
  const Gain gain = weighed.gain_of(Action::kMove, "a");
  EXPECT_FALSE(gain.low_ms);
  EXPECT_FALSE(gain.high_ms);
  EXPECT_EQ(gain.reason, "\"q\" has no time");
  const Forecast forecast = weighed.gains->of_all();
  EXPECT_FALSE(forecast.gain.high_ms);
  EXPECT_THAT(forecast.gain.reason, HasSubstr("have no range"));
}

// One cold inference, or host times of a device's layers, are not layer times.
TEST(Gains, AreNullWhereTimesAreNoMeasure) {
  MeasuredEngine other = engine();
  for (MeasuredLayer& layer : other.layers) layer.time_ms.reset();
  other.untimed_reason = "the layer times do not represent the engine: they are of one inference";
  const Weighed weighed(other);
  for (std::size_t piece = 0; piece < weighed.advice.size(); ++piece) {
    if (weighed.advice[piece].action == Action::kUnsigned) continue;
    const Gain gain = weighed.gains->of(piece);
    EXPECT_FALSE(gain.high_ms);
    EXPECT_EQ(gain.reason, other.untimed_reason);
  }
}

TEST(Gains, AreNullWhereNoLayerStemsFromTheNodes) {
  MeasuredEngine other = engine();
  for (MeasuredLayer& layer : other.layers) layer.nodes = {"elsewhere"};
  const Weighed weighed(other);
  const Gain gain = weighed.gain_of(Action::kMove, "a");
  EXPECT_FALSE(gain.high_ms);
  EXPECT_THAT(gain.reason, HasSubstr("stems from"));
}

// The float product takes 3 ms; INT8 products of its size take 0.8 to 1 ms. Its input is written in
// float, its output is the model's: two conversions, each like the one that the engine has.
TEST(WhatIf, ComparesWithTheEnginesOwnProducts) {
  const Weighed weighed;
  const onnx::Index node = weighed.read.links.find("f")->node;
  const Gains::WhatIf found = weighed.gains->what_if({node});
  EXPECT_THAT(effects(weighed, found.gain), ElementsAre("f:int8"));
  EXPECT_THAT(found.converted, ElementsAre("c", "f"));
  ASSERT_TRUE(found.conversion_ms);
  EXPECT_DOUBLE_EQ(*found.conversion_ms, 0.2 + 0.2);
  ASSERT_TRUE(found.gain.low_ms && found.gain.high_ms) << found.gain.reason;
  EXPECT_NEAR(*found.gain.low_ms, 3.0 - 1.0 - 0.4, 1e-9);
  EXPECT_NEAR(*found.gain.high_ms, 3.0 - 0.8, 1e-9);
}

TEST(WhatIf, SaysNothingWithoutAnythingToCompareWith) {
  MeasuredEngine other = engine();
  for (MeasuredLayer& layer : other.layers) layer.reads_quantized = false;
  const Weighed weighed(other);
  const Gains::WhatIf found = weighed.gains->what_if({weighed.read.links.find("f")->node});
  EXPECT_FALSE(found.gain.low_ms);
  EXPECT_THAT(found.gain.reason, HasSubstr("no INT8 product comparable"));
}

TEST(WhatIf, OfNodesWithoutLayers) {
  const Weighed weighed;
  const Gains::WhatIf found = weighed.gains->what_if({});
  EXPECT_THAT(found.gain.layers, IsEmpty());
  EXPECT_FALSE(found.gain.high_ms);
}

}  // namespace
}  // namespace planex::quantize
