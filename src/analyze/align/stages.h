// The stages of the alignment between SourceMatcher's first and its last, in the order in which
// they run. Each matches layers that are still free, on weaker evidence than the stage before.
#pragma once

#include "analyze/align/grouping.h"

namespace planex::analyze::matching {

// By names that only one layer of each engine has. Cost: O(n log n).
void match_by_names(Grouping& grouping);

// By type, dims and surroundings that only one layer of each engine has; what is matched counts as
// known surroundings. Cost: O(rounds · (n + ports)) and O(n log n) for each round.
void match_by_surroundings(Grouping& grouping);

// By order: free layers between two matches, in the same order, where they are similar. Cost: near
// linear; each gap is cut at what is unique in it, or else at equal runs.
void match_by_order(Grouping& grouping);

// Takes back what was matched by shape and order. Of this, and of everything else that is in order,
// keeps the pairs that almost every alignment of about the same weight contains. Cost: O(n) times
// the width of the band around what was matched, and some rounds.
void weigh_order(Grouping& grouping);

// By a match that both are next to, similar and out of order: the most similar first. Cost: O(n log
// n).
void match_by_neighbours(Grouping& grouping);

// Layers that one engine fused with a neighbour and the other did not, as far as dims show: a free
// layer joins the match next to it if only with it the match reads or writes the same on both
// sides. Cost: O(n + ports).
void join_fused(Grouping& grouping);

}  // namespace planex::analyze::matching
