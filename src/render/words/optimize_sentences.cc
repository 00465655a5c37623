#include "render/words/optimize_sentences.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "base/files.h"
#include "base/text.h"
#include "render/words/numbers.h"

namespace planex::render {
namespace {

using analyze::OptimizeOutcome;
using base::format;

// "1.93 × as fast predicted, not measured (L4)".
std::string forecast_words(const OptimizeOutcome& outcome) {
  if (outcome.kept.empty()) return "nothing is predicted to be faster; nothing was measured";
  if (!outcome.predicted_ratio) {
    return format("a gain is predicted, not measured; how much is not known: {}",
                  outcome.why_not_predicted);
  }
  return format("{:.2f} × as fast predicted, not measured ({})", 1 / (1 + *outcome.predicted_ratio),
                outcome.predicted_device);
}

std::string gain_words(const OptimizeOutcome& outcome) {
  if (!outcome.is_measured) return forecast_words(outcome);
  if (!outcome.first.median_ms) return "the model could not be measured";
  if (outcome.kept.empty() || !outcome.change_ratio || !outcome.best.median_ms) {
    return format("nothing is proven faster than the model as it is: {}",
                  optimize_figure(outcome, outcome.first.median_ms));
  }
  std::string text = format("{:.2f} × as {}", 1 / (1 + *outcome.change_ratio),
                            outcome.aim == analyze::Aim::kLatency ? "fast" : "many inferences");
  if (outcome.low_ratio && outcome.high_ratio) {
    text +=
        format(" ({:.2f} to {:.2f})", 1 / (1 + *outcome.high_ratio), 1 / (1 + *outcome.low_ratio));
  }
  return text + format(": {} → {}", optimize_figure(outcome, outcome.first.median_ms),
                       optimize_figure(outcome, outcome.best.median_ms));
}

}  // namespace

std::string optimize_figure(const OptimizeOutcome& outcome, const std::optional<double>& ms) {
  constexpr double kMsPerSecond = 1000;
  if (outcome.aim == analyze::Aim::kLatency || !ms) return or_dash(ms, short_time_text);
  return format("{:.4g}/s", kMsPerSecond / *ms);
}

std::string optimize_headline(const OptimizeOutcome& outcome, std::string_view model) {
  return format("{} in {}: {}", model, outcome.engine, gain_words(outcome));
}

std::string optimize_effort(const OptimizeOutcome& outcome) {
  const auto tried = std::ranges::count_if(outcome.steps, [](const analyze::OptimizeStep& step) {
    return step.state != analyze::StepState::kNotTried;
  });
  return format("goal: {}; {} tried in {:.0f} s",
                outcome.goal == "same" ? "the same results" : outcome.goal,
                base::counted(static_cast<std::size_t>(tried), "step"), outcome.spent_seconds);
}

std::vector<std::string> optimize_sentences(const OptimizeOutcome& outcome) {
  return {optimize_headline(outcome, base::file_name_of(outcome.model)), optimize_effort(outcome)};
}

}  // namespace planex::render
