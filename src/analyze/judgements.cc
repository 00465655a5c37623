#include "analyze/judgements.h"

#include <algorithm>

#include "analyze/machine/machine_state.h"
#include "analyze/quantization/quantization.h"
#include "analyze/reformats/reformats.h"
#include "analyze/summary/headline.h"

namespace planex::analyze {
namespace {

model::TimingJudgement timing_judgement(const SteadyState& state) {
  model::TimingJudgement timing;
  timing.steadiness = state.verdict;
  timing.sample_count = state.sample_count;
  if (state.trusted) timing.trusted_count = state.trusted->range.count;
  timing.step_count = static_cast<std::int64_t>(state.steps.size());
  if (state.verdict == Steadiness::kTwoModes && state.modes) {
    timing.low_ms = state.modes->low_ms;
    timing.high_ms = state.modes->high_ms;
  } else if (state.levels.size() > 1) {
    timing.low_ms = state.levels.front().median_ms;
    timing.high_ms = state.levels.back().median_ms;
  }
  return timing;
}

// Where only weights are quantized, that is as requested, unless the engine has a rule against it.
bool is_fallback(const QuantizationRow& row, QuantizationForm form) {
  const bool is_float = row.run == QuantizedRun::kFloat || row.run == QuantizedRun::kWeightsOnly;
  if (row.requested != Requested::kYes || !is_float) return false;
  return row.rule != nullptr || form != QuantizationForm::kWeights;
}

}  // namespace

model::Judgements judge(const model::PlanModel& model, const Reconciliation& time,
                        const std::optional<SteadyState>& state) {
  model::Judgements judgements;
  judgements.reformats.resize(model.layers.row_count());
  const ReformatExplanation reformats = explain_reformats(model, time);
  for (const ReformatRow& row : reformats.rows) {
    judgements.reformats[row.layer.index()] = {.verdict = row.verdict,
                                               .changed_by = row.changed_by};
  }
  judgements.fallbacks.resize(model.layers.row_count());
  const QuantizationExplanation quantization = explain_quantization(model, time, reformats);
  for (const QuantizationRow& row : quantization.rows) {
    if (!is_fallback(row, quantization.form)) continue;
    judgements.fallbacks[row.layer.index()] = {
        .rule = row.rule == nullptr ? std::string_view() : row.rule->id,
        .is_likely = row.is_likely};
  }
  if (state) {
    judgements.timing = timing_judgement(*state);
    if (const auto machine = find_machine_state(model, state)) {
      judgements.timing->machine = machine_judgement(*machine);
      // Only where the clock was read: times alone look the same when other programs took the
      // processors.
      judgements.timing->clock_changed =
          std::ranges::any_of(machine->causes, [](const MachineCause& cause) {
            return cause.event != MachineEvent::kWarmUp &&
                   (cause.kind == MachineCauseKind::kGpuClock ||
                    cause.kind == MachineCauseKind::kCpuClock);
          });
    }
  }
  judgements.no_measure = no_measure(model, time);
  if (time.end_to_end) {
    judgements.end_to_end_ms =
        time.end_to_end->median_ms ? time.end_to_end->median_ms : time.end_to_end->mean_ms;
  }
  return judgements;
}

model::Judgements judge(const model::PlanModel& model) {
  return judge(model, reconcile(model), find_steady_state(model));
}

}  // namespace planex::analyze
