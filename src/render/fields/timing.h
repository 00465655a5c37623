// What the documents about times say (analyze/steady_state.h, analyze/timing_samples.h).
#pragma once

#include <cstdint>

#include "analyze/explain/timing.h"
#include "analyze/summary/summary.h"
#include "model/plan_model.h"
#include "record/fields.h"
#include "render/words/sentences.h"

namespace planex::render {

// Only the figures and bins of the samples' times, or also their series.
enum class SampleDetail : std::uint8_t { kFigures, kSeries };

struct TimingResult {
  const model::PlanModel& model;
  const analyze::Summary& summary;
  const analyze::TimingExplanation& timing;
  SampleDetail detail = SampleDetail::kFigures;
};

// planex.timing/2. The context is the result itself.
const record::Document<TimingResult, TimingResult>& timing_document();

// Statistics of some samples.
const record::Fields<analyze::SampleFigures>& sample_figures_fields();
// "headline" and "text"; the latter may be null in headline_fields().
const record::Fields<Conclusion>& conclusion_fields();
const record::Fields<Conclusion>& headline_fields();
// The members "end_to_end" and "histogram".
const record::Fields<analyze::Reconciliation>& end_to_end_fields();
// Whether times are steady, in figures: without phases, steps and the series over time.
const record::Fields<analyze::SteadyState>& steady_figures_fields();

}  // namespace planex::render
