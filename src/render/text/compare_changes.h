// What is different between two engines, for the terminal.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "render/text/compare_text.h"

namespace planex::render {

// The verdict and the sentence on where the time went: one block for each engine after the first.
std::string verdicts_text(const analyze::Comparison& comparison, const TableStyle& style);

// Σ layers by cause, and the pairs that changed most.
std::string changes_text(const analyze::Comparison& comparison,
                         const analyze::EngineDifference& difference,
                         const CompareTextOptions& options, const TableStyle& style);

// Pairs in order, one line each. `selected`: indices of pairs.
std::string pairs_text(const analyze::Comparison& comparison,
                       const analyze::EngineDifference& difference,
                       std::span<const std::size_t> selected, const CompareTextOptions& options,
                       const TableStyle& style);

// Layers of all engines, one line for layers that do the same.
std::string rows_text(const analyze::Comparison& comparison, const TableStyle& style);

// Everything known about one pair, both sides, same or different.
std::string pair_details_text(const analyze::Comparison& comparison,
                              const analyze::EngineDifference& difference, std::size_t pair,
                              const TableStyle& style);

}  // namespace planex::render
