#include <algorithm>
#include <array>
#include <vector>

#include "base/statistics.h"
#include "base/text.h"
#include "lint/layer_facts.h"

namespace planex::lint::inference_times_unsteady_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kTimes};

constexpr RuleInfo kInfo = {
    .id = "inference-times-unsteady",
    .pack = Pack::kGeneric,
    .severity = Severity::kWarning,
    .summary =
        "of 100 timed inferences or more, one in a hundred takes 25 % longer than the median, or "
        "the first tenth has a median 10 % above that of the rest",
    .rationale =
        "What is measured then depends on when: clocks that still rise, a device that is shared "
        "or grows hot. Differences of a few per cent between two such runs say nothing",
    .fix =
        "Lock the clocks (nvidia-smi --lock-gpu-clocks), warm up longer (trtexec --warmUp), and "
        "keep the device to yourself; compare medians, with their spread",
    .needs = kNeeds,
    .source =
        "Timing traces of the test data: the 99th percentile is 0.3 to 3.3 % above the median on "
        "an "
        "A100 and 35 to 281 % on a TITAN RTX; NVIDIA TensorRT Developer Guide, Performance "
        "Measurement",
    .evidence = "median, 99th percentile, first tenth and rest of the timed inferences",
    .estimate = "none: it is about the measurement"};

constexpr std::size_t kLeastCount = 100;
constexpr double kLongTail = 1.25;
constexpr double kSlowStart = 1.1;

// `times` in any order.
double quantile(std::vector<double> times, double ratio) {
  std::ranges::sort(times);
  return base::quantile(times, ratio);
}

// One time per inference, in order: of the computation, or of all where a trace has no such column.
std::vector<double> times_of(const Context& context) {
  const auto& iterations = context.model().iterations;
  std::vector<double> times;
  for (std::size_t row = 0; row < iterations.row_count(); ++row) {
    auto time = iterations.compute_ms.get(row);
    if (!time) time = iterations.latency_ms.get(row);
    if (time && *time >= 0) times.push_back(*time);
  }
  return times;
}

LayerId longest_layer(const Context& context) {
  LayerId longest;
  double most = -1;
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const double time = context.time_ms(LayerId(row)).value_or(-1);
    if (time > most && context.works(LayerId(row))) {
      most = time;
      longest = LayerId(row);
    }
  }
  return longest;
}

void run(const Context& context, FindingSink& sink) {
  const std::vector<double> times = times_of(context);
  if (times.size() < kLeastCount) {
    sink.could_not_judge("fewer than 100 inferences were timed one by one");
    return;
  }
  sink.looked_at();
  const double median = quantile(times, 0.5);
  const double p99 = quantile(times, 0.99);
  const auto tenth = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 10);
  const double start = quantile({times.begin(), tenth}, 0.5);
  const double rest = quantile({tenth, times.end()}, 0.5);
  if (!(median > 0) || !(rest > 0)) return;
  const bool long_tail = p99 >= kLongTail * median;
  const bool slow_start = start >= kSlowStart * rest;
  if (!long_tail && !slow_start) return;
  FindingDraft draft;
  draft.layer = longest_layer(context);
  draft.message =
      "the times of inferences are not steady, so layer times are not either; this is "
      "the longest layer";
  draft.evidence =
      format("{} inferences: median {}, 99th percentile {} ({:.3g} times), first tenth {}, rest {}",
             times.size(), microseconds(median), microseconds(p99), p99 / median,
             microseconds(start), microseconds(rest));
  draft.estimate_method = "none: it is about the measurement";
  draft.fix = slow_start
                  ? "Warm up longer (trtexec --warmUp, in ms) and lock the clocks (nvidia-smi "
                    "--lock-gpu-clocks)"
                  : "Lock the clocks (nvidia-smi --lock-gpu-clocks), keep other work off the "
                    "device, and compare medians";
  sink.add(std::move(draft));
}

}  // namespace
}  // namespace planex::lint::inference_times_unsteady_rule

PLANEX_LINT_RULE(inference_times_unsteady)
