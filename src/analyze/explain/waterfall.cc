#include "analyze/explain/waterfall.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace planex::analyze {
namespace {

// Of the sum: anything less is rounding of sums.
constexpr double kNothing = 1e-9;

class Steps {
 public:
  void add(WaterfallStep step, double ms) {
    step.from_ms = at_;
    step.to_ms = at_ += ms;
    steps_.push_back(std::move(step));
  }
  void to(WaterfallStep step, double ms) {
    if (std::abs(ms - at_) > kNothing * std::max(ms, at_)) add(std::move(step), ms - at_);
  }
  // Sets the level, so that rounding errors do not accumulate.
  void sum(WaterfallKind kind, double ms, std::optional<std::int64_t> count = {}) {
    steps_.push_back({.kind = kind, .count = count, .from_ms = 0, .to_ms = ms});
    at_ = ms;
  }
  double at() const { return at_; }
  std::vector<WaterfallStep> take() { return std::move(steps_); }

 private:
  std::vector<WaterfallStep> steps_;
  double at_ = 0;
};

std::int64_t timed_layers(const Summary& summary) {
  return summary.layer_count - summary.time.layers_without_time;
}

void add_layers(const Summary& summary, double sum_ms, Steps& steps) {
  for (const Group& group : summary.by_type) {
    const auto ms = summary.time.basis == TimeBasis::kMedian ? group.median_ms : group.mean_ms;
    if (!ms) continue;
    steps.add({.kind = WaterfallKind::kType,
               .type = group.key,
               .family = group.family,
               .count = group.count},
              *ms);
  }
  steps.to({.kind = WaterfallKind::kOthers}, sum_ms);
  steps.sum(WaterfallKind::kLayers, sum_ms, timed_layers(summary));
}

// From Σ layers to the end-to-end median.
void add_gap(const Summary& summary, double median_ms, Steps& steps) {
  const Reconciliation& time = summary.time;
  if (time.profiled_median_ms) {
    steps.to({.kind = WaterfallKind::kBetween}, *time.profiled_median_ms);
    steps.sum(WaterfallKind::kProfiled, *time.profiled_median_ms);
    steps.to(
        {.kind = steps.at() > median_ms ? WaterfallKind::kOverhead : WaterfallKind::kUnexplained},
        median_ms);
  } else if (time.end_to_end->has_layer_times || steps.at() < median_ms) {
    // Timing the layers added nothing, or more happens than layers.
    steps.to({.kind = time.end_to_end->has_layer_times ? WaterfallKind::kBetween
                                                       : WaterfallKind::kUnexplained},
             median_ms);
  } else {
    steps.to({.kind = WaterfallKind::kOverhead, .count = timed_layers(summary)}, median_ms);
  }
  steps.sum(WaterfallKind::kEndToEnd, median_ms);
}

const SampleFigures* figures_of(const TimingSamples& samples, std::string_view field) {
  const auto found = std::ranges::find(samples.fields, field, &FieldSamples::field);
  return found == samples.fields.end() || !found->all ? nullptr : &*found->all;
}

// From compute to latency, if anything is transferred.
void add_transfers(const TimingSamples& samples, Steps& steps) {
  const SampleFigures* latency = figures_of(samples, "latency");
  if (latency == nullptr) return;
  const auto transfer = [&](std::string_view field, WaterfallKind kind) {
    const SampleFigures* figures = figures_of(samples, field);
    if (figures == nullptr || figures->median_ms <= 0) return false;
    steps.add({.kind = kind}, figures->median_ms);
    return true;
  };
  const bool to_device = transfer("h2d", WaterfallKind::kToDevice);
  const bool from_device = transfer("d2h", WaterfallKind::kFromDevice);
  if (!to_device && !from_device && latency->median_ms == steps.at()) return;
  steps.to({.kind = WaterfallKind::kRest}, latency->median_ms);
  steps.sum(WaterfallKind::kLatency, latency->median_ms);
}

}  // namespace

std::string_view to_string(WaterfallKind kind) {
  switch (kind) {
    case WaterfallKind::kType:
      return "type";
    case WaterfallKind::kOthers:
      return "others";
    case WaterfallKind::kLayers:
      return "layers";
    case WaterfallKind::kBetween:
      return "between";
    case WaterfallKind::kProfiled:
      return "profiled";
    case WaterfallKind::kOverhead:
      return "overhead";
    case WaterfallKind::kUnexplained:
      return "unexplained";
    case WaterfallKind::kEndToEnd:
      return "end-to-end";
    case WaterfallKind::kToDevice:
      return "to-device";
    case WaterfallKind::kFromDevice:
      return "from-device";
    case WaterfallKind::kRest:
      return "rest";
    case WaterfallKind::kLatency:
      return "latency";
  }
  return {};
}

bool is_sum(WaterfallKind kind) {
  return kind == WaterfallKind::kLayers || kind == WaterfallKind::kProfiled ||
         kind == WaterfallKind::kEndToEnd || kind == WaterfallKind::kLatency;
}

std::vector<WaterfallStep> waterfall(const Summary& summary, const TimingSamples& samples) {
  const Reconciliation& time = summary.time;
  if (time.basis == TimeBasis::kNone) return {};
  const auto sum = time.layers_ms();
  if (!sum) return {};
  Steps steps;
  add_layers(summary, *sum, steps);
  if (time.end_to_end && time.end_to_end->median_ms) {
    add_gap(summary, *time.end_to_end->median_ms, steps);
    if (time.end_to_end->field == "compute" && time.end_to_end->source == "times") {
      add_transfers(samples, steps);
    }
  }
  return steps.take();
}

}  // namespace planex::analyze
