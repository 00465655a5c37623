// The charts of one engine, on a sheet of their own.
#pragma once

#include <cstddef>

#include "render/xlsx/chart_data.h"
#include "render/xlsx/engine_tables.h"
#include "render/xlsx/engine_workbook.h"
#include "render/xlsx/workbook.h"

namespace planex::render {

// Bars for each layer show the slowest ones, in execution order, if there are more.
inline constexpr std::size_t kMaxChartedLayers = 2000;

// `index`: which of the tables' engines it is. Unknown figures have no chart.
void draw_engine_charts(Sheet& sheet, ChartData& data, const EngineTables& tables,
                        std::size_t index, const WorkbookEngine& engine);

// Charts of several engines side by side. Their sheet has no rows.
void draw_comparison_charts(Sheet& sheet, ChartData& data, const analyze::Comparison& comparison);

}  // namespace planex::render
