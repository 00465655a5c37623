// Which parts of a model an engine computes faster in float than in INT8, by measured times, when
// each change between the two costs a conversion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace planex::quantize {

// A part of a model that is in INT8 or in float as a whole.
struct TimedPart {
  double float_ms = 0, int8_ms = 0;
};

// A tensor between parts: it is converted if one of them is in INT8 and another one in float.
struct SharedTensor {
  std::vector<std::uint32_t> parts;  // that make or read it
  double conversion_ms = 0;
};

using PartSet = std::vector<std::uint32_t>;  // ascending

// The parts to keep in float, so that the sum of all times and conversions is the smallest that
// there is; of several such choices, the one with the fewest in float. Times below a picosecond
// don't count. A choice of one of two sides for each part, where neighbors on different sides cost
// something, is a smallest cut of a graph, which is found exactly (Ford and Fulkerson, 1956).
// Cost: O(parts · tensors) searches of the graph in practice far less, one for each part.
PartSet fastest_in_float(std::span<const TimedPart> parts, std::span<const SharedTensor> tensors);

// Of parts that were put in float, those that are to stay there after this was measured: each
// group of connected ones stays if it and the parts next to it take less time than all of them did
// in INT8. Times: by part, ms.
PartSet those_that_gained(const PartSet& in_float, std::span<const double> int8_ms,
                          std::span<const double> mixed_ms, std::span<const SharedTensor> tensors);

}  // namespace planex::quantize
