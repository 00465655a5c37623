// The stages of the alignment between SourceMatcher's first and its last, in the order in which
// they run. Each matches layers that are still free, on weaker evidence than the one before.
#pragma once

#include "analyze/align/grouping.h"

namespace planex::analyze::matching {

// By names that only one layer of each engine has. Cost: O(n log n).
void match_by_names(Grouping& grouping);

// By type, dims and surroundings that only one layer of each engine has; what is matched counts as
// known surroundings. Cost: O(rounds · (n + ports)) and O(n log n) for each round.
void match_by_surroundings(Grouping& grouping);

// By order: what is free between two matches, in the same order, where it is alike. Cost: near
// linear; each gap is cut at what is unique in it, or else at equal runs.
void match_by_order(Grouping& grouping);

// Takes back what was matched by shape and order, and keeps of it, and of all else that is in
// order, the pairs that hardly any other alignment of about the same weight does without. Cost:
// O(n) times the width of the band around what was matched, and some rounds.
void weigh_order(Grouping& grouping);

// By a match that both are next to, alike and out of order: the most alike first. Cost: O(n log n).
void match_by_neighbours(Grouping& grouping);

// What one engine fused with its neighbour and the other did not, as far as dims tell: a free layer
// joins the match next to it if only with it that match reads or writes the same on both sides.
// Cost: O(n + ports).
void join_fused(Grouping& grouping);

}  // namespace planex::analyze::matching
