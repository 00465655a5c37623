// Engines side by side: `planex compare`.
#pragma once

#include <string>

#include "analyze/compare/compare.h"
#include "model/data_table.h"
#include "render/text/table_text.h"
#include "render/words/compare_words.h"

namespace planex::render {

// The totals; the verdict and what changed most for two engines, one sentence each for more.
std::string compare_text(const analyze::Comparison& comparison, const CompareTextOptions& options,
                         const TableStyle& style);

// The figures of whole engines, or their parts by type and precision.
enum class TotalsPart : std::uint8_t { kFigures, kGroups };
// One row per figure, one column per engine, the unit last.
std::string totals_markdown(const analyze::Comparison& comparison, TotalsPart part);

}  // namespace planex::render
