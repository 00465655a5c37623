#include "render/text/optimize_text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include "base/text.h"
#include "render/text/grid.h"
#include "render/words/display_width.h"
#include "render/words/numbers.h"
#include "render/words/wrap.h"

namespace planex::render {
namespace {

using analyze::OptimizeOutcome;
using analyze::OptimizeStep;
using analyze::StepState;
using base::format;

constexpr double kPercent = 100;

std::string step_change_text(const std::optional<double>& ratio) {
  return ratio ? format("{:+.1f} %", *ratio * kPercent) : std::string("–");
}

std::string interval_text(const OptimizeStep& step) {
  if (!step.low_ratio || !step.high_ratio) return {};
  return format("{:+.1f} … {:+.1f}", *step.low_ratio * kPercent, *step.high_ratio * kPercent);
}

std::string loss_text(const OptimizeStep& step) {
  if (!step.sqnr_db) return {};
  if (std::isinf(*step.sqnr_db)) return *step.sqnr_db > 0 ? "equal" : "NaN";
  std::string text = db_text(step.sqnr_db);
  if (step.top1_ratio) text += format(", top-1 {}", percent_text(*step.top1_ratio));
  return text;
}

// Times in the words of the aim.
std::string figure_text(const OptimizeOutcome& outcome, double ms) {
  constexpr double kMsPerSecond = 1000;
  return outcome.aim == analyze::Aim::kLatency ? short_time_text(ms)
                                               : format("{:.4g}/s", kMsPerSecond / ms);
}

// "2.41 × as fast (2.35 to 2.47): 12.3 → 5.10 ms".
std::string headline(const OptimizeOutcome& outcome) {
  if (!outcome.first.median_ms) return "the model could not be measured";
  if (outcome.kept.empty() || !outcome.change_ratio || !outcome.best.median_ms) {
    return format("nothing is proven faster than the model as it is: {}",
                  figure_text(outcome, *outcome.first.median_ms));
  }
  std::string text = format("{:.2f} × as {}", 1 / (1 + *outcome.change_ratio),
                            outcome.aim == analyze::Aim::kLatency ? "fast" : "many inferences");
  if (outcome.low_ratio && outcome.high_ratio) {
    text +=
        format(" ({:.2f} to {:.2f})", 1 / (1 + *outcome.high_ratio), 1 / (1 + *outcome.low_ratio));
  }
  return text + format(": {} → {}", figure_text(outcome, *outcome.first.median_ms),
                       figure_text(outcome, *outcome.best.median_ms));
}

Grid steps_grid(const OptimizeOutcome& outcome) {
  Grid grid({{},
             {Alignment::kRight},
             {Alignment::kRight},
             {Alignment::kRight},
             {Alignment::kRight},
             {.wraps = true}});
  grid.add_row({{"step", Ink::kFaint},
                {"change", Ink::kFaint},
                {"95 %", Ink::kFaint},
                {outcome.aim == analyze::Aim::kLatency ? "time" : "rate", Ink::kFaint},
                {"against float", Ink::kFaint},
                {"", Ink::kFaint}});
  for (const OptimizeStep& step : outcome.steps) {
    const bool is_kept = step.state == StepState::kKept;
    const Ink ink = is_kept ? Ink::kStrong : Ink::kFaint;
    grid.add_row(
        {{printable(step.id), ink},
         {step_change_text(step.change_ratio), is_kept ? Ink::kFaster : Ink::kFaint},
         {interval_text(step), Ink::kFaint},
         {step.after.median_ms ? figure_text(outcome, *step.after.median_ms) : std::string("–"),
          ink},
         {loss_text(step), Ink::kFaint},
         {is_kept ? "kept" : printable(step.reason), Ink::kFaint}});
  }
  return grid;
}

}  // namespace

std::string optimize_text(const OptimizeOutcome& outcome, const TableStyle& style) {
  const std::size_t width = style.wide ? 0 : static_cast<std::size_t>(std::max(style.width, 0));
  std::string text = painted(format("{} in {}: {}", printable(outcome.model),
                                    printable(outcome.engine), headline(outcome)),
                             Ink::kStrong, style.color);
  text += '\n';
  const auto line = [&](const std::string& words) { text += wrapped(words, width, kScreenIndent); };
  const auto untried =
      std::ranges::count(outcome.steps, StepState::kNotTried, &OptimizeStep::state);
  line(format("goal: {}; {} tried in {:.0f} s",
              outcome.goal == "same" ? "the same results" : printable(outcome.goal),
              base::counted(outcome.steps.size() - static_cast<std::size_t>(untried), "step"),
              outcome.spent_seconds));
  if (!outcome.steps.empty()) {
    text += '\n';
    for (const std::string& row : steps_grid(outcome).lines(width, kScreenIndent, style.color)) {
      text += row + "\n";
    }
  }
  if (!outcome.notes.empty()) text += '\n';
  for (const std::string& note : outcome.notes) line("note: " + printable(note));
  if (!outcome.best_model.empty()) text += format("\n{}\n", printable(outcome.best_model));
  if (!outcome.command.empty()) text += format("{}\n", printable(outcome.command));
  return text;
}

}  // namespace planex::render
