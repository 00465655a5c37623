// How the report's data contain the explanations of an engine: the figures of `planex explain`,
// with ids of layers and rows of `ports` in place of names and ends, and tables in place of lists.
// What is in the table of layers is not repeated (docs/reference/report-data.md).
#pragma once

#include <vector>

#include "analyze/explain/blocks.h"
#include "analyze/explain/pointwise.h"
#include "analyze/explain/precision.h"
#include "analyze/explain/speed.h"
#include "analyze/explain/windows.h"
#include "analyze/reformats/reformats.h"
#include "record/fields.h"

namespace planex::render {

template <typename T>
using ReportDocument = record::Document<T, model::PlanModel>;

// planex.report-speed/2, planex.report-reformats/2, planex.report-precision/1,
// planex.report-blocks/2, planex.report-pointwise/1, planex.report-windows/1.
const ReportDocument<analyze::SpeedOfLight>& report_speed_document();
const ReportDocument<analyze::ReformatExplanation>& report_reformats_document();
const ReportDocument<analyze::PrecisionExplanation>& report_precision_document();
const ReportDocument<analyze::Blocks>& report_blocks_document();
const ReportDocument<analyze::PointwiseExplanation>& report_pointwise_document();
const ReportDocument<std::vector<analyze::ConvolutionWindow>>& report_windows_document();

}  // namespace planex::render
