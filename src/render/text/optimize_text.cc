#include "render/text/optimize_text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

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
std::string figure_text(const OptimizeOutcome& outcome, const std::optional<double>& ms) {
  constexpr double kMsPerSecond = 1000;
  if (outcome.aim == analyze::Aim::kLatency || !ms) return or_dash(ms, short_time_text);
  return format("{:.4g}/s", kMsPerSecond / *ms);
}

// "1.93 × as fast predicted, not measured (L4)".
std::string forecast_headline(const OptimizeOutcome& outcome) {
  if (outcome.kept.empty()) return "nothing is predicted to be faster; nothing was measured";
  if (!outcome.predicted_ratio) {
    return format("a gain is predicted, not measured; how much is not known: {}",
                  printable(outcome.why_not_predicted));
  }
  return format("{:.2f} × as fast predicted, not measured ({})", 1 / (1 + *outcome.predicted_ratio),
                printable(outcome.predicted_device));
}

// "2.41 × as fast (2.35 to 2.47): 12.3 → 5.10 ms".
std::string headline(const OptimizeOutcome& outcome) {
  if (!outcome.is_measured) return forecast_headline(outcome);
  if (!outcome.first.median_ms) return "the model could not be measured";
  if (outcome.kept.empty() || !outcome.change_ratio || !outcome.best.median_ms) {
    return format("nothing is proven faster than the model as it is: {}",
                  figure_text(outcome, outcome.first.median_ms));
  }
  std::string text = format("{:.2f} × as {}", 1 / (1 + *outcome.change_ratio),
                            outcome.aim == analyze::Aim::kLatency ? "fast" : "many inferences");
  if (outcome.low_ratio && outcome.high_ratio) {
    text +=
        format(" ({:.2f} to {:.2f})", 1 / (1 + *outcome.high_ratio), 1 / (1 + *outcome.low_ratio));
  }
  return text + format(": {} → {}", figure_text(outcome, outcome.first.median_ms),
                       figure_text(outcome, outcome.best.median_ms));
}

std::string state_text(const OptimizeStep& step) {
  if (step.state == StepState::kKept) return "kept";
  if (step.state == StepState::kPredicted) return "built, not measured";
  return printable(step.reason);
}

Grid steps_grid(const OptimizeOutcome& outcome) {
  const bool has_predictions = std::ranges::any_of(
      outcome.steps, [](const OptimizeStep& step) { return step.predicted_ratio.has_value(); });
  std::vector<GridColumn> columns = {{}};
  std::vector<GridCell> heads = {{"step", Ink::kFaint}};
  const auto add_column = [&](std::string_view name) {
    columns.push_back({Alignment::kRight});
    heads.push_back({std::string(name), Ink::kFaint});
  };
  if (has_predictions) add_column("predicted");
  if (outcome.is_measured) {
    add_column("change");
    add_column("95 %");
    add_column(outcome.aim == analyze::Aim::kLatency ? "time" : "rate");
  }
  add_column("against float");
  columns.push_back({.wraps = true});
  Grid grid(std::move(columns));
  grid.add_row(std::move(heads));
  for (const OptimizeStep& step : outcome.steps) {
    if (step.state == StepState::kDropped) continue;
    const bool is_kept = step.state == StepState::kKept || step.state == StepState::kPredicted;
    const Ink ink = is_kept ? Ink::kStrong : Ink::kFaint;
    std::vector<GridCell> cells = {{printable(step.id), ink}};
    if (has_predictions) cells.push_back({step_change_text(step.predicted_ratio), Ink::kFaint});
    if (outcome.is_measured) {
      cells.push_back({step_change_text(step.change_ratio), is_kept ? Ink::kFaster : Ink::kFaint});
      cells.push_back({interval_text(step), Ink::kFaint});
      cells.push_back({figure_text(outcome, step.after.median_ms), ink});
    }
    cells.push_back({loss_text(step), Ink::kFaint});
    cells.push_back({state_text(step), Ink::kFaint});
    grid.add_row(std::move(cells));
  }
  return grid;
}

// Hundreds of them would hide the others.
std::string dropped_text(const OptimizeOutcome& outcome) {
  std::size_t count = 0, least = 0, most = 0;
  for (const OptimizeStep& step : outcome.steps) {
    if (step.state != StepState::kDropped) continue;
    const std::size_t runs = step.after.run_count;
    least = count == 0 ? runs : std::min(least, runs);
    most = std::max(most, runs);
    ++count;
  }
  if (count == 0) return {};
  return format(
      "{} more went out after {} beside the best, where others did better; "
      "optimize.json has them all",
      count, least == most ? base::counted(most, "run") : format("{} to {} runs", least, most));
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
  const std::string dropped = dropped_text(outcome);
  if (!dropped.empty() || !outcome.notes.empty()) text += '\n';
  if (!dropped.empty()) line(dropped);
  for (const std::string& note : outcome.notes) line("note: " + printable(note));
  if (!outcome.best_model.empty()) text += format("\n{}\n", printable(outcome.best_model));
  if (!outcome.command.empty()) text += format("{}\n", printable(outcome.command));
  return text;
}

}  // namespace planex::render
