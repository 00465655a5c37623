// The first sheet of a workbook: the key figures of its engines, one column each.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analyze/compare/compare.h"
#include "render/xlsx/engine_workbook.h"
#include "render/xlsx/workbook.h"

namespace planex::render {

// `notes`: sentences about the workbook, below the figures.
void write_summary(Sheet& sheet, std::span<const WorkbookEngine> engines,
                   const analyze::Comparison& comparison, const std::vector<std::string>& notes);

// What changed, engine by engine: totals, types and precisions. For several engines.
void write_compare(Sheet& sheet, const analyze::Comparison& comparison);

}  // namespace planex::render
