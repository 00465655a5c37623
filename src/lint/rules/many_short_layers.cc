#include <array>

#include "base/text.h"
#include "lint/advice.h"
#include "lint/layer_facts.h"

namespace planex::lint::many_short_layers_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTimes};

constexpr RuleInfo kInfo = {
    .id = "many-short-layers",
    .pack = Pack::kTensorRt,
    .severity = Severity::kInfo,
    .summary =
        "the engine has at least 20 layers, most of them take less than 10 µs, and these take at "
        "least half of the time",
    .rationale =
        "Launching a kernel costs the host a few microseconds, and the device a few between "
        "kernels. An engine of short layers waits for both, and faster kernels or smaller types "
        "gain little. The profile itself adds 2 to 9 µs per layer, so the reported shares are too "
        "large",
    .fix =
        "Capture the inference in a CUDA graph (--useCudaGraph), run a larger batch, or "
        "several inferences at a time",
    .needs = kNeeds,
    .source =
        "NVIDIA TensorRT Developer Guide, CUDA Graphs and Enqueue-Bound Workloads; overhead "
        "measured on five public engines (sum of layers against the time of one inference)",
    .evidence =
        "the number of short layers, their time and share, and whether a CUDA graph was used",
    .estimate = "not known: layer times don't show the time between layers",
    .action = ActionKind::kCaller};

constexpr double kShortMs = 0.010;
constexpr std::size_t kMinLayers = 20;
constexpr double kMinShare = 0.5;

void run(const Context& context, FindingSink& sink) {
  std::size_t timed = 0, short_count = 0;
  double short_ms = 0, longest_short = -1;
  LayerId example;
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer)) continue;
    const auto time = context.time_ms(layer);
    if (!time) continue;
    sink.looked_at();
    ++timed;
    if (!(*time < kShortMs)) continue;
    ++short_count;
    short_ms += *time;
    if (*time > longest_short) {
      longest_short = *time;
      example = layer;
    }
  }
  const double total = context.total_ms().value_or(0);
  if (timed < kMinLayers || short_count * 2 <= timed || short_ms < kMinShare * total) return;
  const bool has_graph = metadata(context, "CUDA Graph") == "Enabled";
  FindingDraft draft;
  draft.layer = example;
  draft.severity = Severity::kInfo;
  draft.message = format("{} of {} layers take less than 10 µs; this is the longest of them",
                         short_count, timed);
  draft.evidence = format("together {} of {}, {}; {:.3g} µs per layer on average{}",
                          microseconds(short_ms), microseconds(total),
                          share_text(context, short_ms), 1000 * total / static_cast<double>(timed),
                          has_graph ? "; the inferences were timed with a CUDA graph" : "");
  draft.estimate_method =
      "not known: layer times don't show the time between layers; compare their sum with the time "
      "of a whole inference (planex summary)";
  draft.fix =
      has_graph ? "Keep the CUDA graph in the application too, and use a larger batch, or several "
                  "inferences at a time, to fill the device"
                : format(
                      "Capture the inference in a CUDA graph ({} --useCudaGraph shows what it "
                      "gains), or use a larger batch",
                      runner_of(context));
  sink.add(std::move(draft));
}

}  // namespace
}  // namespace planex::lint::many_short_layers_rule

PLANEX_LINT_RULE(many_short_layers)
