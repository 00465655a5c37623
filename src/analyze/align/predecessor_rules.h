// How the predecessor matched layers, for those who compare with its figures.
#pragma once

#include "analyze/align/grouping.h"

namespace planex::analyze::matching {

// Pairs layers of equal signature, in turn the first free one of each engine with the first that
// fits of the other. The signature is the type and the dims without the first, of all inputs and
// outputs (kExactShapes) or of the first of each (kFirstShapes). A pointwise layer of two inputs
// and one output also fits one with the inputs swapped; unlike the predecessor this compares the
// outputs then, too. Cost: O(n) expected, where the predecessor scans.
// Source: TREx 0.2.1, compare_engines.match_layers.
void match_by_predecessor(Grouping& grouping, AlignRule rule);

}  // namespace planex::analyze::matching
