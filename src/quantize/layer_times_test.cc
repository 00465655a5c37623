#include "quantize/layer_times.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace planex::quantize {
namespace {

MeasuredLayer int8_product(double time_ms, std::int64_t macs, std::int64_t bytes) {
  MeasuredLayer layer{.name = "p", .time_ms = time_ms};
  layer.is_product = layer.reads_quantized = true;
  layer.macs = macs;
  layer.moved_bytes = bytes;
  return layer;
}

MeasuredLayer conversion(double time_ms, std::int64_t bytes) {
  MeasuredLayer layer{.name = "q", .time_ms = time_ms};
  layer.is_conversion = true;
  layer.moved_bytes = bytes;
  return layer;
}

// In FP32, with as many values as an INT8 one of `bytes`.
MeasuredLayer float_product(double time_ms, std::int64_t macs, std::int64_t bytes) {
  MeasuredLayer layer = int8_product(time_ms, macs, 4 * bytes);
  layer.reads_quantized = false;
  layer.float_read_bytes = 400;
  layer.float_read_values = 100;
  return layer;
}

// For 8 ms and 1000 products; INT8 ones of 900 and 1200 take 2.7 and 4.8 ms, so 3 to 4 for 1000.
TEST(LayerTimes, AProductIsComparedWithThoseOfItsWork) {
  MeasuredEngine engine;
  engine.layers = {int8_product(2.7, 900, 100), int8_product(4.8, 1200, 100)};
  const LayerTimes times(engine);
  const auto gain = times.int8_gain(float_product(8, 1000, 100));
  ASSERT_TRUE(gain);
  EXPECT_DOUBLE_EQ(gain->low_ms, 8 - 4);
  EXPECT_DOUBLE_EQ(gain->high_ms, 8 - 3);
  // It can get slower; and at best it gets no faster.
  const auto slower = times.int8_gain(float_product(2, 1000, 100));
  ASSERT_TRUE(slower);
  EXPECT_DOUBLE_EQ(slower->low_ms, 2 - 4);
  EXPECT_DOUBLE_EQ(slower->high_ms, 0);
}

// A depthwise convolution has the work of a small dense one, but far more bytes.
TEST(LayerTimes, OtherKernelsAreNoComparison) {
  MeasuredEngine engine;
  engine.layers = {int8_product(5, 1000, 10'000), int8_product(1, 100'000, 100)};
  const LayerTimes times(engine);
  EXPECT_FALSE(times.int8_gain(float_product(8, 1000, 100)));
  engine.layers.push_back(int8_product(2, 1000, 100));
  const auto gain = LayerTimes(engine).int8_gain(float_product(8, 1000, 100));
  ASSERT_TRUE(gain);
  EXPECT_DOUBLE_EQ(gain->low_ms, 6);
  EXPECT_DOUBLE_EQ(gain->high_ms, 6);
}

TEST(LayerTimes, WithoutAnyThereIsTheWidthOfTheType) {
  const auto gain = LayerTimes::width_gain(float_product(8, 1000, 100));
  ASSERT_TRUE(gain);
  EXPECT_DOUBLE_EQ(gain->low_ms, 0);
  EXPECT_DOUBLE_EQ(gain->high_ms, 7);
  MeasuredLayer half = float_product(8, 1000, 100);
  half.float_read_bytes = 200;
  EXPECT_DOUBLE_EQ(LayerTimes::width_gain(half)->high_ms, 6);
  half.time_ms.reset();
  EXPECT_FALSE(LayerTimes::width_gain(half));
}

// A product computes while it writes: it saves no more than a conversion takes for 300 bytes.
// Others save at most twice that, or the bytes' share of their time.
TEST(LayerTimes, BytesCostNoMoreThanMovingThem) {
  MeasuredEngine engine;
  engine.layers = {conversion(0.5, 500), conversion(0.2, 400)};
  const LayerTimes times(engine);
  const auto product = times.bytes_gain(int8_product(10, 1000, 1000), 300);
  ASSERT_TRUE(product);
  EXPECT_DOUBLE_EQ(product->low_ms, 0);
  EXPECT_DOUBLE_EQ(product->high_ms, 0.3);
  MeasuredLayer pool = int8_product(10, 1000, 1000);
  pool.is_product = false;
  EXPECT_DOUBLE_EQ(times.bytes_gain(pool, 300)->high_ms, 0.6);
  pool.time_ms = 1;
  EXPECT_DOUBLE_EQ(times.bytes_gain(pool, 300)->high_ms, 0.3);
  // No more than all of it.
  EXPECT_DOUBLE_EQ(times.bytes_gain(pool, 3000)->high_ms, 1);
  pool.moved_bytes.reset();
  EXPECT_FALSE(times.bytes_gain(pool, 300));
  EXPECT_DOUBLE_EQ(LayerTimes(MeasuredEngine()).bytes_gain(int8_product(10, 1, 1000), 300)->high_ms,
                   3);
}

// A product that writes float and takes 3 ms; those that do the same work and write INT8 take 2 to
// 2.4, and a disturbed one 3.9.
TEST(LayerTimes, WritingIsComparedWithTwins) {
  MeasuredEngine engine;
  for (const double time_ms : {2.4, 2.0, 3.9, 2.2, 2.1}) {
    MeasuredLayer& twin = engine.layers.emplace_back(int8_product(time_ms, 1000, 500));
    twin.written_bytes = 100;
  }
  MeasuredLayer& other = engine.layers.emplace_back(int8_product(0.1, 1000, 500));
  other.written_bytes = 400;
  MeasuredLayer layer = int8_product(3, 1000, 800);
  layer.writes_float = true;
  layer.float_written_bytes = 400;
  layer.float_written_values = 100;
  const auto gain = LayerTimes(engine).writing_gain(layer, 300);
  ASSERT_TRUE(gain);
  EXPECT_NEAR(gain->low_ms, 3 - 2.4, 1e-9);
  EXPECT_NEAR(gain->high_ms, 3 - 2.1, 1e-9);
  // Without twins the bytes' share is the limit.
  layer.macs = 1100;
  EXPECT_NEAR(LayerTimes(engine).writing_gain(layer, 300)->high_ms, 3 * 300.0 / 800, 1e-9);
}

TEST(LayerTimes, TwinsThatDifferSayNothing) {
  MeasuredEngine engine;
  for (const double time_ms : {1.0, 2.5}) {
    engine.layers.emplace_back(int8_product(time_ms, 1000, 500)).written_bytes = 100;
  }
  MeasuredLayer layer = int8_product(3, 1000, 800);
  layer.writes_float = true;
  layer.float_written_values = 100;
  EXPECT_EQ(LayerTimes(engine).writing_gain(layer, 300)->low_ms, 0);
}

TEST(LayerTimes, AConversionCostsAsTheSlowestOfItsSize) {
  MeasuredEngine engine;
  engine.layers = {conversion(0.5, 500), conversion(0.2, 400)};
  const LayerTimes times(engine);
  EXPECT_DOUBLE_EQ(times.conversion_ms(600).value_or(0), 0.6);
  // Much larger than any: in proportion; much smaller: as long as the smallest.
  EXPECT_DOUBLE_EQ(times.conversion_ms(50'000).value_or(0), 50);
  EXPECT_DOUBLE_EQ(times.conversion_ms(4).value_or(0), 0.2);
  EXPECT_FALSE(LayerTimes(MeasuredEngine()).conversion_ms(600));
}

}  // namespace
}  // namespace planex::quantize
