// Parts of a comparison as tables: for CSV, Markdown and, if the table is everything, the terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analyze/compare/compare.h"
#include "model/data_table.h"
#include "render/fields/compare.h"
#include "render/words/compare_words.h"

namespace planex::render {

// kBothSides: also what the layers of a and of b are together, whether they differ or not, as
// columns a_… and b_…: type, in, out and computes_in (precisions), tactic, in_format, out_format.
enum class PairColumns : std::uint8_t { kDifferences, kBothSides };

// One row per pair: engine, pair, a, b, match, certainty, a_ms, b_ms, delta_ms, speed_up,
// exceeds_noise, cause, changes.
model::DataTable pairs_table(const analyze::Comparison& comparison, const SelectedPairs& selected,
                             Names names, PairColumns wanted);

// One row per operation, one column per engine, in ms; then the change of the second engine and how
// the time was split.
model::DataTable ledger_table(const analyze::Comparison& comparison);

// The figures of whole engines, and their parts by type and precision: section, key, unit, one
// column per engine.
model::DataTable totals_table(const analyze::Comparison& comparison);

enum class Orientation : std::uint8_t { kEnginesAcross, kEnginesDown };

// What each engine is: producer, device, shapes, figures, and all that its files record about the
// build and the run.
model::DataTable summaries_table(const analyze::Comparison& comparison, Orientation orientation);

}  // namespace planex::render
