// The explanations of an engine in the report's data: the figures of `planex explain`, with rows of
// the tables in place of names and columns in place of objects (docs/reference/report-data.md).
#ifndef PLANEX_RENDER_HTML_EXPLAIN_DATA_H_
#define PLANEX_RENDER_HTML_EXPLAIN_DATA_H_

#include <vector>

#include "analyze/explain/blocks.h"
#include "analyze/explain/pointwise.h"
#include "analyze/explain/precision.h"
#include "analyze/explain/reformats.h"
#include "analyze/explain/speed.h"
#include "analyze/explain/windows.h"
#include "model/plan_model.h"
#include "render/html/string_table.h"
#include "render/json/json_writer.h"

namespace planex::render {

// Each writes one value.
void write_speed_data(JsonWriter& json, const model::PlanModel& model,
                      const analyze::SpeedOfLight& speed, StringTable& strings);
void write_reformats_data(JsonWriter& json, const model::PlanModel& model,
                          const analyze::ReformatExplanation& explanation, StringTable& strings);
void write_precision_data(JsonWriter& json, const model::PlanModel& model,
                          const analyze::PrecisionExplanation& explanation, StringTable& strings);
void write_blocks_data(JsonWriter& json, const analyze::Blocks& blocks, StringTable& strings);
void write_pointwise_data(JsonWriter& json, const analyze::PointwiseExplanation& explanation,
                          StringTable& strings);
void write_windows_data(JsonWriter& json, const std::vector<analyze::ConvolutionWindow>& windows,
                        StringTable& strings);

}  // namespace planex::render

#endif  // PLANEX_RENDER_HTML_EXPLAIN_DATA_H_
