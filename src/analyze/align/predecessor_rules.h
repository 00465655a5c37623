// How the predecessor matched layers, for comparison with its figures.
#pragma once

#include "analyze/align/grouping.h"

namespace planex::analyze::matching {

// Pairs layers with equal signatures: alternately, the first free layer of each engine with the
// first one of the other that fits. The signature is the type and the dims without the first, of
// all inputs and outputs (kExactShapes) or of the first of each (kFirstShapes). A pointwise layer
// with two inputs and one output also fits one with the inputs swapped; unlike the predecessor,
// this compares the outputs then too. Cost: O(n) expected, where the predecessor scans. Source:
// TREx 0.2.1, compare_engines.match_layers.
void match_by_predecessor(Grouping& grouping, AlignRule rule);

}  // namespace planex::analyze::matching
