// What the documents about several engines say (analyze/compare.h).
#pragma once

#include <cstddef>
#include <vector>

#include "analyze/compare/compare.h"
#include "record/fields.h"
#include "render/words/compare_words.h"

namespace planex::render {

// Indices of pairs, one list for each difference.
using SelectedPairs = std::vector<std::vector<std::size_t>>;

// What pairs and differences belong to. All outlive it.
struct CompareContext {
  const analyze::Comparison* comparison = nullptr;
  const LayerNames* names = nullptr;
  const SelectedPairs* selected = nullptr;  // the pairs that are written
};

struct PairRow {
  const analyze::EngineDifference* difference = nullptr;
  std::size_t index = 0;

  const analyze::LayerPair& pair() const { return difference->layers.pairs[index]; }
};

// With what the layers of a and of b are together, whether they differ or not.
struct PairSides {
  PairRow row;
  analyze::SideFacts a, b;
};

// Pairs of all differences, one after another.
std::vector<PairRow> pair_rows(const analyze::Comparison& comparison,
                               const SelectedPairs& selected);

// engines, totals, by_type, by_precision, by_output_precision.
const record::Fields<analyze::Comparison>& comparison_figure_fields();
// The verdict, the difference of the sums of layers by its causes and by types, and the sentences
// about them; the values of the base are named a.
const record::Fields<analyze::EngineDifference, CompareContext>& difference_fields();
// One pair as the table has it; the same with what both sides are.
const record::Fields<PairRow, CompareContext>& pair_table_fields();
const record::Fields<PairSides, CompareContext>& pair_sides_fields();
// planex.compare/2
const record::Document<analyze::Comparison, CompareContext>& compare_document();

}  // namespace planex::render
