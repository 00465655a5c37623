#include <array>

#include "base/text.h"
#include "lint/advice.h"
#include "lint/layer_facts.h"

namespace planex::lint::layer_times_scatter_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTimes};

constexpr RuleInfo kInfo = {
    .id = "layer-times-scatter",
    .pack = Pack::kGeneric,
    .severity = Severity::kWarning,
    .summary = "the layers' mean times add up to at least 10 % more than their medians",
    .rationale =
        "A mean that far above the median comes from a few very slow inferences: other work on the "
        "device, changing clocks, a short warm-up. Comparing such profiles finds differences that "
        "aren't there",
    .fix =
        "Measure again on an otherwise idle device, at a fixed clock and after a longer warm-up; "
        "until then, trust medians only",
    .needs = kNeeds,
    .source =
        "Seen in a published profile of ControlNet on an A10 (means 1.18 times the medians); "
        "NVIDIA TensorRT Developer Guide, GPU Clock Locking and Floating Clock",
    .evidence = "the sums of means and of medians, how many layers scatter, and the widest gap",
    .estimate = "none: the finding is about the measurement",
    .action = ActionKind::kMeasureAgain,
    .option = kMeasureAgainOption,
    .discredits_times = true};

constexpr double kMinRatio = 1.1;
constexpr double kMuchAbove = 1.3;
constexpr std::int64_t kMinRuns = 10;

void run(const Context& context, FindingSink& sink) {
  const auto& layers = context.model().layers;
  double means = 0, medians = 0, widest_gap = 0;
  std::size_t both = 0, much_above = 0;
  LayerId widest;
  std::int64_t runs = 0;
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    if (!context.works(LayerId(row))) continue;
    const auto mean = layers.mean_ms.get(row);
    const auto median = layers.median_ms.get(row);
    if (!mean || !median) {
      sink.could_not_judge("the profile has no median and mean for them");
      continue;
    }
    sink.looked_at();
    ++both;
    means += *mean;
    medians += *median;
    runs = std::max(runs, layers.count.get(row).value_or(0));
    if (*mean > kMuchAbove * *median) ++much_above;
    if (*mean - *median > widest_gap) {
      widest_gap = *mean - *median;
      widest = LayerId(row);
    }
  }
  if (runs < kMinRuns || !(medians > 0) || means < kMinRatio * medians) return;
  FindingDraft draft;
  draft.layer = widest;
  draft.message = format(
      "layer times scatter: means add up to {:.3g} times the medians, and this "
      "layer has the widest gap",
      means / medians);
  draft.evidence = format(
      "sum of means {}, of medians {}, over {}; {} of {} layers have a mean more than 1.3 "
      "times their median; here mean {}, median {}",
      microseconds(means), microseconds(medians),
      base::counted(static_cast<std::size_t>(runs), "inference"), much_above, both,
      microseconds(*layers.mean_ms.get(widest.index())),
      microseconds(*layers.median_ms.get(widest.index())));
  draft.estimate_method = "none: the finding is about the measurement";
  draft.fix = format("Measure again with nothing else running on the device: {}, {}",
                     steady_clock_advice(context), warm_up_advice(context));
  sink.add(std::move(draft));
}

}  // namespace
}  // namespace planex::lint::layer_times_scatter_rule

PLANEX_LINT_RULE(layer_times_scatter)
