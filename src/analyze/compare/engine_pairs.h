// Every engine against every other one, for readers who choose later which two they compare.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "analyze/compare/compare.h"

namespace planex::analyze {

// With more layers than this in all engine_pairs together, only those of the first engine are made:
// a report of all would be slow to write and to send.
inline constexpr std::size_t kMaxPairedLayers = 200'000;

// What `comparison` (of the same engines, with the same options) lacks: the first engine as
// candidate of every other one, and, within the limit, all engine_pairs of the others in both
// directions. A layer counts once for each engine_pair that its engine is in. Cost: that of align()
// for each engine_pair of two others.
std::vector<EngineDifference> compare_engine_pairs(std::span<const EngineToCompare> engines,
                                                   const Comparison& comparison,
                                                   const CompareOptions& options = {},
                                                   std::size_t max_layers = kMaxPairedLayers);

}  // namespace planex::analyze
