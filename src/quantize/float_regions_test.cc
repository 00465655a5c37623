#include "quantize/float_regions.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

namespace planex::quantize {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Each part reads what the one before it writes.
std::vector<SharedTensor> chain(std::size_t count, double conversion_ms) {
  std::vector<SharedTensor> tensors;
  for (std::uint32_t part = 1; part < count; ++part) {
    tensors.push_back({.parts = {part - 1, part}, .conversion_ms = conversion_ms});
  }
  return tensors;
}

TEST(FloatRegions, AnIslandPaysForBothOfItsEnds) {
  const std::vector<TimedPart> parts = {{4, 2}, {2, 5}, {4, 2}};
  EXPECT_THAT(fastest_in_float(parts, chain(3, 1.4)), ElementsAre(1));
  EXPECT_THAT(fastest_in_float(parts, chain(3, 1.6)), IsEmpty());
}

TEST(FloatRegions, APartBetweenTwoOfThemGoesWithThem) {
  const std::vector<TimedPart> parts = {{9, 2}, {2, 5}, {4, 3.5}, {2, 5}, {9, 2}};
  // Alone it is faster in INT8, by less than two conversions.
  EXPECT_THAT(fastest_in_float(parts, chain(5, 0.2)), ElementsAre(1, 3));
  EXPECT_THAT(fastest_in_float(parts, chain(5, 0.3)), ElementsAre(1, 2, 3));
}

TEST(FloatRegions, ATensorIsConvertedOnceForAllItsReaders) {
  const std::vector<TimedPart> parts = {{1, 3}, {3, 2}, {3, 2}, {3, 2}};
  const std::vector<SharedTensor> tensors = {{.parts = {0, 1, 2, 3}, .conversion_ms = 1.9}};
  EXPECT_THAT(fastest_in_float(parts, tensors), ElementsAre(0));
}

TEST(FloatRegions, WithoutADifferenceAllStaysInInt8) {
  EXPECT_THAT(fastest_in_float(std::vector<TimedPart>{{1, 1}, {0, 0}, {2, 2}}, chain(3, 1)),
              IsEmpty());
  EXPECT_THAT(fastest_in_float({}, {}), IsEmpty());
}

double cost_of(std::span<const TimedPart> parts, std::span<const SharedTensor> tensors,
               const PartSet& in_float) {
  const auto is_float = [&](std::uint32_t part) {
    return std::ranges::binary_search(in_float, part);
  };
  double cost = 0;
  for (std::uint32_t part = 0; part < parts.size(); ++part) {
    cost += is_float(part) ? parts[part].float_ms : parts[part].int8_ms;
  }
  for (const SharedTensor& tensor : tensors) {
    const auto count = std::ranges::count_if(tensor.parts, is_float);
    if (count > 0 && count < std::ssize(tensor.parts)) cost += tensor.conversion_ms;
  }
  return cost;
}

TEST(FloatRegions, NoOtherChoiceIsFaster) {
  std::mt19937 draw(7);
  const auto number = [&](std::uint32_t below) {
    return static_cast<std::uint32_t>(draw() % below);
  };
  for (int round = 0; round < 200; ++round) {
    const std::uint32_t count = 1 + number(9);
    std::vector<TimedPart> parts(count);
    for (TimedPart& part : parts) part = {.float_ms = 1.0 + number(9), .int8_ms = 1.0 + number(9)};
    std::vector<SharedTensor> tensors(number(12));
    for (SharedTensor& tensor : tensors) {
      for (std::uint32_t part = 0; part < count; ++part) {
        if (number(3) == 0) tensor.parts.push_back(part);
      }
      tensor.conversion_ms = number(5);
    }
    double least = cost_of(parts, tensors, {});
    for (std::uint32_t bits = 0; bits < 1U << count; ++bits) {
      PartSet set;
      for (std::uint32_t part = 0; part < count; ++part) {
        if ((bits >> part & 1U) != 0) set.push_back(part);
      }
      least = std::min(least, cost_of(parts, tensors, set));
    }
    EXPECT_DOUBLE_EQ(cost_of(parts, tensors, fastest_in_float(parts, tensors)), least) << round;
  }
}

TEST(FloatRegions, WhatLostOnceItWasBuiltGoesBack) {
  // Two regions, 1 and 3 to 4. The part after the second one has become slower by more than was
  // gained in it.
  const std::vector<double> int8_ms = {1, 5, 1, 4, 4, 1}, mixed_ms = {1.5, 2, 1.5, 3, 3, 5};
  EXPECT_THAT(those_that_gained({1, 3, 4}, int8_ms, mixed_ms, chain(6, 0)), ElementsAre(1));
  const std::vector<double> quicker_ms = {1.5, 2, 1.5, 3, 3, 2};
  EXPECT_THAT(those_that_gained({1, 3, 4}, int8_ms, quicker_ms, chain(6, 0)), ElementsAre(1, 3, 4));
}

}  // namespace
}  // namespace planex::quantize
