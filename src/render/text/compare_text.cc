#include "render/text/compare_text.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "render/markdown/table_markdown.h"
#include "render/text/compare_changes.h"
#include "render/text/grid.h"
#include "render/words/display_width.h"
#include "render/words/numbers.h"
#include "render/words/wrap.h"

namespace planex::render {
namespace {

using analyze::Comparison;
using analyze::GroupRow;
using analyze::TotalRow;
using base::format;
using Figures = std::vector<std::optional<double>>;

// A row of formatted figures; empty cells of `figures` are gaps between sections.
struct Row {
  std::string label;
  std::vector<std::string> figures;
  std::string unit;
  std::size_t best = static_cast<std::size_t>(-1);  // the best engine, if one is
  std::vector<Ink> inks = {};                       // of the figures, where not by `best`
};

struct Scale {
  double factor = 1;
  int decimals = 0;
  std::string unit;
};

double largest_of(const Figures& values) {
  double largest = 0;
  for (const auto& value : values) {
    if (value) largest = std::max(largest, std::fabs(*value));
  }
  return largest;
}

// The smallest of those that are not zero.
double smallest_of(const Figures& values) {
  double smallest = largest_of(values);
  for (const auto& value : values) {
    if (value && *value != 0) smallest = std::min(smallest, std::fabs(*value));
  }
  return smallest;
}

// One unit and number of decimals for a row.
Scale scale_of(std::string_view unit, const Figures& values) {
  const double largest = largest_of(values);
  // Three decimals for all times of the table, so that they can be added up by eye; more only
  // where there would be nothing to see.
  if (unit == "ms") return {1, largest >= 0.01 ? 3 : 5, "ms"};
  if (unit == "share") return {100, 1, "%"};
  if (unit == "ratio") return {1, 2, "×"};
  if (unit == "count") return {1, 0, ""};
  if (unit == "dB") return {1, 1, "dB"};
  if (unit == "per_s") return {1, largest >= 100 ? 0 : 1, "/s"};
  if (unit == "bytes" || unit == "flops") {
    static constexpr std::string_view kPrefixes = " kMGT";
    std::size_t power = 0;
    double scaled = largest;
    while (scaled >= 1000 && power + 1 < kPrefixes.size()) {
      scaled /= 1000;
      ++power;
    }
    const std::string prefix = power == 0 ? "" : std::string(1, kPrefixes[power]);
    const double factor = std::pow(10.0, -3.0 * static_cast<double>(power));
    // The smallest decides, or 1 GFLOP could be anything from half to one and a half.
    const double least = smallest_of(values) * factor;
    return {factor,
            least >= 100  ? 0
            : least >= 10 ? (scaled >= 100 ? 0 : 1)
            : least >= 1  ? 1
                          : 2,
            prefix + (unit == "bytes" ? "B" : "FLOP")};
  }
  return {1, 0, std::string(unit)};
}

Row figure_row(std::string label, std::string_view unit, const Figures& values,
               analyze::Better better) {
  const Scale scale = scale_of(unit, values);
  Row row{printable(label), {}, scale.unit};
  for (const auto& value : values) {
    row.figures.push_back(value ? format("{:.{}f}", *value * scale.factor, scale.decimals) : "–");
  }
  if (better == analyze::Better::kNeither || values.size() < 2) return row;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i]) return row;
    const auto& best = row.best < values.size() ? values[row.best] : std::nullopt;
    const bool beats =
        !best || (better == analyze::Better::kLower ? *values[i] < *best : *values[i] > *best);
    if (beats) row.best = i;
  }
  // All are equal: none is best.
  const bool same = std::ranges::all_of(values, [&](const auto& v) { return *v == *values[0]; });
  if (same) row.best = static_cast<std::size_t>(-1);
  return row;
}

bool has_medians(const std::vector<GroupRow>& rows) {
  return std::ranges::any_of(rows, [](const GroupRow& row) {
    return std::ranges::any_of(row.median_ms, [](const auto& v) { return v.has_value(); });
  });
}

std::string group_label(const GroupRow& row) { return row.key.empty() ? "not known" : row.key; }

// The first engine's time of each type ÷ each engine's, coloured where it is off by the threshold.
void add_speed_ups(std::vector<Row>& rows, const Comparison& comparison, double threshold) {
  rows.push_back(
      {printable(format("speed-up over {}, by type", comparison.engines[0].label)), {}, {}});
  for (const GroupRow& group : comparison.by_type) {
    Row row = figure_row(group_label(group), "ratio", group.speed_up, analyze::Better::kNeither);
    for (const auto& speed_up : group.speed_up) {
      const double ratio = speed_up.value_or(1);
      row.inks.push_back(ratio > 1 + threshold   ? Ink::kFaster
                         : ratio < 1 - threshold ? Ink::kSlower
                                                 : Ink::kPlain);
    }
    rows.push_back(std::move(row));
  }
}

std::vector<Row> rows_of(const Comparison& comparison, const CompareTextOptions& options) {
  std::vector<Row> rows;
  const auto section = [&](std::string title) { rows.push_back({std::move(title), {}, {}}); };
  for (const TotalRow& total : comparison.totals) {
    if (total.is_detail) continue;
    rows.push_back(figure_row(total.label, total.unit, total.values, total.better));
  }
  const bool medians = has_medians(comparison.by_type);
  const auto times = [&](const GroupRow& row) { return medians ? row.median_ms : row.mean_ms; };
  const bool timed = std::ranges::any_of(
      comparison.by_type, [&](const GroupRow& row) { return largest_of(times(row)) > 0; });
  if (timed) {
    section(medians ? "by type, sums of median times" : "by type, sums of mean times");
    for (const GroupRow& row : comparison.by_type) {
      rows.push_back(figure_row(group_label(row), "ms", times(row), analyze::Better::kNeither));
    }
    if (options.all) add_speed_ups(rows, comparison, options.threshold_ratio);
    section("by input precision");
    for (const GroupRow& row : comparison.by_precision) {
      rows.push_back(figure_row(group_label(row), "ms", times(row), analyze::Better::kNeither));
    }
  }
  section("layers by input precision");
  for (const GroupRow& row : comparison.by_precision) {
    rows.push_back(figure_row(group_label(row), "", row.count, analyze::Better::kNeither));
  }
  section("layers by output precision");
  for (const GroupRow& row : comparison.by_output_precision) {
    rows.push_back(figure_row(group_label(row), "", row.count, analyze::Better::kNeither));
  }
  return rows;
}

}  // namespace

namespace {

Grid grid_of(const Comparison& comparison, const std::vector<Row>& rows, std::size_t label_width) {
  std::vector<GridColumn> columns(comparison.engines.size() + 2);
  columns.front().elastic = true;
  for (std::size_t i = 1; i + 1 < columns.size(); ++i) columns[i].alignment = Alignment::kRight;
  Grid grid(std::move(columns));
  std::vector<GridCell> heads = {{""}};
  for (const analyze::ComparedEngine& engine : comparison.engines) {
    heads.push_back({elide_middle(printable(engine.label), label_width), Ink::kStrong});
  }
  grid.add_row(std::move(heads));
  for (const Row& row : rows) {
    if (row.figures.empty()) {
      grid.add_row({});
      grid.add_row({{row.label, Ink::kFaint}});
      continue;
    }
    std::vector<GridCell> cells = {{row.label}};
    for (std::size_t i = 0; i < row.figures.size(); ++i) {
      const Ink ink = i < row.inks.size() ? row.inks[i] : Ink::kPlain;
      cells.push_back({row.figures[i], i == row.best ? Ink::kStrong : ink});
    }
    cells.push_back({row.unit, Ink::kFaint});
    grid.add_row(std::move(cells));
  }
  return grid;
}

}  // namespace

std::string compare_text(const Comparison& comparison, const CompareTextOptions& options,
                         const TableStyle& style) {
  const std::size_t width = style.wide ? 0 : static_cast<std::size_t>(std::max(style.width, 0));
  std::vector<Row> rows = rows_of(comparison, options);
  // A label that names an engine may be long; the others are shorter than this.
  constexpr std::size_t kLongestRowLabel = 34;
  if (width > 0) {
    for (Row& row : rows) row.label = elide_middle(row.label, kLongestRowLabel);
  }
  const auto too_wide = [&](const std::string& line) { return visible_width(line) > width; };
  constexpr std::size_t kMinLabel = 8;
  std::size_t label_width = 40;
  // Labels are shortened first: they tell engines apart at their ends, the first column needs its
  // full width.
  if (width > 0) {
    while (
        label_width > kMinLabel &&
        std::ranges::any_of(grid_of(comparison, rows, label_width).lines(0, 0, false), too_wide)) {
      --label_width;
    }
  } else {
    label_width = static_cast<std::size_t>(-1);
  }
  std::string text;
  for (const std::string& line :
       grid_of(comparison, rows, label_width).lines(width, 0, style.color)) {
    text += line + "\n";
  }
  text += verdicts_text(comparison, style);
  if (comparison.differences.size() == 1) {
    text += changes_text(comparison, comparison.differences.front(), options, style);
  }
  return text;
}

std::string totals_markdown(const Comparison& comparison, TotalsPart part) {
  const auto line = [&](std::string_view first, auto&& cell, std::string_view last) {
    std::string text = format("| {} |", first);
    for (std::size_t i = 0; i < comparison.engines.size(); ++i) text += format(" {} |", cell(i));
    return text + format(" {} |\n", last);
  };
  const auto nothing = [](std::size_t) { return std::string(); };
  std::string text =
      line("", [&](std::size_t i) { return markdown_text(comparison.engines[i].label); }, "unit");
  text += "|---|";
  for (std::size_t i = 0; i < comparison.engines.size(); ++i) text += "---:|";
  text += "---|\n";
  bool in_groups = false;
  for (const Row& row : rows_of(comparison, {})) {
    in_groups = in_groups || row.figures.empty();
    if (in_groups != (part == TotalsPart::kGroups)) continue;
    if (row.figures.empty()) {
      text += line(format("**{}**", markdown_text(row.label)), nothing, "");
      continue;
    }
    text += line(
        markdown_text(row.label),
        [&](std::size_t i) {
          return i == row.best ? format("**{}**", row.figures[i]) : row.figures[i];
        },
        row.unit);
  }
  return text;
}

}  // namespace planex::render
