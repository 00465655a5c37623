// The comparison in the report's data: what planex.compare/2 says, in columns, and of any two of
// the engines (docs/reference/report-data.md).
#pragma once

#include <span>

#include "analyze/compare/compare.h"
#include "render/json/json_writer.h"

namespace planex::render {

struct ReportComparison {
  const analyze::Comparison* comparison = nullptr;
  // The engine pairs that the comparison itself does not contain, each with both directions.
  std::span<const analyze::EngineDifference> engine_pairs;
};

// One value. Cost: linear in layers and pairs, times the engine_pairs.
void write_compare_data(JsonWriter& json, const ReportComparison& of);

}  // namespace planex::render
