#include "analyze/timing/doubtful_times.h"

#include "analyze/work/remark.h"
#include "base/text.h"

namespace planex::analyze {
namespace {

using base::format;
using model::Severity;

// A mean is a few percent above its median wherever clocks move; only stalls make it 50 % higher.
constexpr double kMaxMeanOfMedian = 1.5;
// Layers of a healthy run take 85 to 130 % of the inference, the profiler's own time included.
constexpr double kMinCovered = 0.6;
// Starting and ending an inference takes tens of microseconds on a processor, which is most of the
// time of a tiny engine.
constexpr double kMinGapMs = 0.1;

void report_means(model::PlanModel& model, const Reconciliation& time) {
  if (!time.layers_mean_ms || !time.layers_median_ms || *time.layers_median_ms <= 0) return;
  const double ratio = *time.layers_mean_ms / *time.layers_median_ms;
  if (ratio < kMaxMeanOfMedian) return;
  remark_once(model, "means-above-medians",
              format("the mean times of the layers are {:.2g} times their medians: single "
                     "inferences took far longer than the rest, as on a busy machine; the medians "
                     "are shown, and small differences between runs mean nothing",
                     ratio),
              Severity::kWarning);
}

void report_uncovered(model::PlanModel& model, const Reconciliation& time) {
  const auto sum = time.basis == TimeBasis::kMedian ? time.layers_median_ms : time.layers_mean_ms;
  if (!sum || time.layers_without_time > 0 || !time.end_to_end || !time.end_to_end->median_ms ||
      *time.end_to_end->median_ms <= 0) {
    return;
  }
  const double covered = *sum / *time.end_to_end->median_ms;
  if (covered >= kMinCovered || *time.end_to_end->median_ms - *sum < kMinGapMs) return;
  remark_once(model, "layers-below-end-to-end",
              format("the layers add up to {:.0f} % of an inference: the rest passes between "
                     "layers, because of a busy machine, several inferences at once, or launches "
                     "that the device waits for; or layers and inferences come from different runs",
                     covered * 100),
              Severity::kWarning);
}

}  // namespace

void report_doubtful_times(model::PlanModel& model, const Reconciliation& time) {
  report_means(model, time);
  report_uncovered(model, time);
}

bool was_machine_busy(const model::PlanModel& model) {
  for (std::size_t row = 0; row < model.diagnostics.row_count(); ++row) {
    if (model.text(model.diagnostics.code[row]) == "busy-machine") return true;
  }
  return false;
}

}  // namespace planex::analyze
