#include <algorithm>
#include <array>

#include "base/text.h"
#include "lint/advice.h"
#include "lint/layer_facts.h"

namespace planex::lint::profiled_few_times_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTimes};

constexpr RuleInfo kInfo = {
    .id = "profiled-few-times",
    .pack = Pack::kGeneric,
    .severity = Severity::kInfo,
    .summary = "the layer times come from fewer than ten inferences",
    .rationale =
        "One inference is a sample, not a measurement: medians mean nothing, and the next run may "
        "differ by more than the effect you are looking for",
    .fix = "Profile at least a hundred inferences",
    .needs = kNeeds,
    .source = "Profiles of the test data: eight of them come from one inference",
    .evidence = "the number of layers and of inferences",
    .estimate = "none: the finding is about the measurement",
    .action = ActionKind::kMeasureAgain,
    .option = kMeasureAgainOption};

constexpr std::int64_t kEnough = 10;

void run(const Context& context, FindingSink& sink) {
  const auto& layers = context.model().layers;
  std::optional<std::int64_t> most;
  std::size_t timed = 0;
  double longest_ms = -1;
  LayerId longest;
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    const auto time = context.time_ms(layer);
    if (!context.works(layer) || !time) continue;
    const auto count = layers.count.get(row);
    if (!count) {
      sink.could_not_judge("the profile does not record the number of inferences");
      continue;
    }
    sink.looked_at();
    ++timed;
    most = std::max(most.value_or(0), *count);
    if (*time > longest_ms) {
      longest_ms = *time;
      longest = layer;
    }
  }
  if (!most || *most >= kEnough) return;
  FindingDraft draft;
  draft.layer = longest;
  draft.severity = Severity::kInfo;
  const std::string inferences =
      base::counted(static_cast<std::size_t>(std::max<std::int64_t>(*most, 0)), "inference");
  draft.message = format("all layer times come from {}; this is the longest layer", inferences);
  draft.evidence = format("{} timed over {}; here {}", base::counted(timed, "layer"), inferences,
                          time_text(context, longest));
  draft.estimate_method = "none: the finding is about the measurement";
  draft.fix = as_sentence(more_inferences_advice(context));
  sink.add(std::move(draft));
}

}  // namespace
}  // namespace planex::lint::profiled_few_times_rule

PLANEX_LINT_RULE(profiled_few_times)
