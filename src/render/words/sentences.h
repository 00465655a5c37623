// Sentences that terminal, JSON and report share: what an engine's figures mean.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/summary/summary.h"
#include "model/plan_model.h"

namespace planex::render {

struct Conclusion {
  std::string headline;  // one clause with the answer
  std::string text;      // the numbers for it
};

// "2 DLA parts, 5 GPU layers, 12 fallbacks".
std::string dla_counts(const analyze::DlaReport& dla);
// "12 layers fell back from the DLA to the GPU".
std::string dla_fallbacks_words(const analyze::DlaReport& dla);

// The most expensive fact about the engine, chosen by rules; empty if no rule fires.
std::optional<Conclusion> conclusion(const model::PlanModel& model,
                                     const analyze::Summary& summary);

// Whether the conclusion and the missing pieces of an engine with this `detail` already say what
// the diagnostic says. `all`: the engine's diagnostics.
bool is_said_already(const analyze::DiagnosticGroup& group, std::string_view detail,
                     const std::vector<analyze::DiagnosticGroup>& all);

// "TensorRT 8.2–8.4".
std::string producer_text(const model::PlanModel& model);

// "the predecessor's words": INT8 → FP32, or INT8 where both ends agree.
std::string precision_flow_text(const model::PlanModel& model, model::LayerId layer);

// "steady from sample 120 (0.30 s); spikes every 100 ms; clocks likely unlocked": what matters of
// the measurement, in one line.
std::string steadiness_text(const analyze::SteadyState& state);

// "no layer: If": records that do no work and have a time, by their types.
std::string others_text(const analyze::OtherRecords& others);

// " + 0.002 ms in records that do no work", the last summand of Σ layers; empty where it is 0.
std::string plus_others_text(std::optional<double> others_ms);

// A clause as a sentence: its first letter in upper case if it is one of a to z, and a full stop.
std::string sentence(std::string clause);

// Why a graph of the engine has no edges: the files contain layers, but not what they read and
// write. Empty if the graph has edges.
std::string unlinked_text(const model::PlanModel& model);

// "every 601 ms", or "every 50 samples" if it is the samples that are regular.
std::string period_text(const analyze::Period& period);

}  // namespace planex::render
