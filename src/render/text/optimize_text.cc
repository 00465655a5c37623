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
#include "render/words/optimize_sentences.h"
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

std::string state_text(const OptimizeStep& step) {
  if (step.state == StepState::kKept) return "kept";
  if (step.state == StepState::kPredicted) return "built, not measured";
  return printable(step.reason);
}

std::string_view figure_name(analyze::Aim aim) {
  switch (aim) {
    case analyze::Aim::kLatency:
      return "time";
    case analyze::Aim::kThroughput:
      return "rate";
    case analyze::Aim::kMemory:
      return "memory";
  }
  return {};
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
    add_column(figure_name(outcome.aim));
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
      cells.push_back({optimize_figure(outcome, step.after), ink});
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
  std::string text =
      painted(printable(optimize_headline(outcome, outcome.model)), Ink::kStrong, style.color);
  text += '\n';
  const auto line = [&](const std::string& words) { text += wrapped(words, width, kScreenIndent); };
  line(printable(optimize_effort(outcome)));
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
  if (!outcome.rerun.empty()) text += format("\nagain: {}\n", printable(outcome.rerun));
  return text;
}

}  // namespace planex::render
