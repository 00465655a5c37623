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

// "61.2 % less memory: 12.1 MB → 4.70 MB; an inference takes 8.1 ms, before 8.3 ms".
std::string memory_words(const OptimizeOutcome& outcome) {
  if (outcome.kept.empty() || !outcome.change_ratio) {
    return format("nothing needs less memory than the model as it is: {}",
                  optimize_figure(outcome, outcome.first));
  }
  std::string text =
      format("{:.1f} % less memory: {} → {}", -*outcome.change_ratio * 100,
             optimize_figure(outcome, outcome.first), optimize_figure(outcome, outcome.best));
  if (outcome.first.median_ms && outcome.best.median_ms) {
    text += format("; an inference takes {}, before {}", short_time_text(*outcome.best.median_ms),
                   short_time_text(*outcome.first.median_ms));
  }
  return text;
}

std::string gain_words(const OptimizeOutcome& outcome) {
  if (outcome.aim == analyze::Aim::kMemory) return memory_words(outcome);
  if (!outcome.is_measured) return forecast_words(outcome);
  if (!outcome.first.median_ms) return "the model could not be measured";
  if (outcome.kept.empty() || !outcome.change_ratio || !outcome.best.median_ms) {
    return format("nothing is proven faster than the model as it is: {}",
                  optimize_figure(outcome, outcome.first));
  }
  std::string text = format("{:.2f} × as {}", 1 / (1 + *outcome.change_ratio),
                            outcome.aim == analyze::Aim::kLatency ? "fast" : "many inferences");
  if (outcome.low_ratio && outcome.high_ratio) {
    text +=
        format(" ({:.2f} to {:.2f})", 1 / (1 + *outcome.high_ratio), 1 / (1 + *outcome.low_ratio));
  }
  return text + format(": {} → {}", optimize_figure(outcome, outcome.first),
                       optimize_figure(outcome, outcome.best));
}

}  // namespace

std::string optimize_figure(const OptimizeOutcome& outcome, const analyze::TimedMedian& time) {
  constexpr double kMsPerSecond = 1000;
  if (outcome.aim == analyze::Aim::kMemory)
    return time.memory_bytes ? size_text(*time.memory_bytes) : or_dash({}, short_time_text);
  const std::optional<double>& ms = time.median_ms;
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
