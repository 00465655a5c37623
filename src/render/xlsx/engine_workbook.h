// One engine or several as a workbook for Excel: a summary, charts, and a sheet for each table.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "analyze/compare/compare.h"
#include "analyze/explain/memory_timeline.h"
#include "analyze/explain/precision.h"
#include "analyze/explain/speed.h"
#include "analyze/explain/timing.h"
#include "analyze/reformats/reformats.h"
#include "analyze/summary/summary.h"
#include "model/plan_model.h"
#include "planex/error.h"

namespace planex::render {

// What the sheets of one engine show.
struct WorkbookEngine {
  std::string_view label;
  const model::PlanModel* model = nullptr;
  const analyze::Summary* summary = nullptr;
  analyze::TimingExplanation timing;
  analyze::MemoryTimeline memory;
  analyze::PrecisionExplanation precision;
  analyze::ReformatExplanation reformats;
  analyze::SpeedOfLight speed;
};

// Writes the workbook to `path`. `comparison` compares these engines; for one engine only its
// totals are used. Tables of several engines have a first column, `Engine`. The same content gives
// the same bytes. What Excel's limits cut is counted in a note of the summary. Errors: kUnsupported
// (no library for it), kIo. Cost: O(size of the tables) time; the memory of the longest table, and
// of the charts' data.
Result<void> write_workbook(std::span<const WorkbookEngine> engines,
                            const analyze::Comparison& comparison, const std::string& path);

}  // namespace planex::render
