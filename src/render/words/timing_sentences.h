// Sentences about a measurement: the same in the terminal, JSON and the report.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyze/summary/summary.h"
#include "model/plan_model.h"
#include "render/words/sentences.h"

namespace planex::render {

// Milliseconds with as many decimals as show changes of a thousandth of `level_ms`.
std::string level_ms_text(double value_ms, double level_ms);

// "+1.25 %" of a ratio.
std::string timing_change_text(double ratio);

// A row of the verdict: "warm-up", "the first 1 sample: 0.9093 → 0.8826 ms".
struct TimingStatement {
  // Permanent: warm-up, drift, steps, values, spikes, clocks, streams, machine, causes.
  std::string_view id;
  std::string text;
};
// Empty without samples, or with fewer than a verdict needs.
std::vector<TimingStatement> timing_statements(const model::PlanModel& model,
                                               const analyze::Summary& summary);

// Whether the figures can be trusted, in a sentence, and which of them. For every engine: without
// samples it says what there is instead.
Conclusion timing_conclusion(const analyze::Summary& summary);

}  // namespace planex::render
