#include "render/text/explain_reformats_text.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/text.h"
#include "render/markdown/table_markdown.h"
#include "render/text/grid.h"
#include "render/words/display_width.h"
#include "render/words/explain_names.h"
#include "render/words/numbers.h"
#include "render/words/reformat_sentences.h"
#include "render/words/wrap.h"

namespace planex::render {
namespace {

using analyze::LayerTotals;
using analyze::ReformatExplanation;
using analyze::ReformatGroup;
using analyze::ReformatRow;
using base::counted;
using base::format;
using model::PlanModel;

constexpr std::size_t kShownGroups = 6;
constexpr std::size_t kShownReformatRows = 6;

model::Value integer(std::optional<std::int64_t> value) { return model::value_of(value); }

// "FP32 NCHW → FP16 NC/32HW32"; an unchanged layout is printed once.
std::string ends_text(const PlanModel& model, const ReformatRow& row) {
  if (!row.to) return "?";
  if (!row.from) {
    return format("{} (weights) → {}", type_text(row.from_type), end_text(model, *row.to));
  }
  if (row.kind == analyze::ConversionKind::kRoundTrip) {
    return format("{} → quantized → {}", end_text(model, *row.from), end_text(model, *row.to));
  }
  std::string result =
      row.type_differs && !row.layout_differs
          ? format("{} → {}", type_text(row.from_type), end_text(model, *row.to))
          : format("{} → {}", end_text(model, *row.from), end_text(model, *row.to));
  if (row.strides_differ) result += ", other strides";
  return result;
}

std::string time_and_share(const LayerTotals& totals) {
  std::string result;
  if (totals.time_ms) result = short_time_text(*totals.time_ms);
  if (totals.share) result += format("  {}", percent_text(*totals.share));
  if (!totals.time_ms && totals.io_bytes) {
    result = format("moves {}", bytes_text(static_cast<double>(*totals.io_bytes)));
  }
  return result;
}

model::DataTable reformat_totals_table(const ReformatExplanation& explanation) {
  model::DataTable table;
  table.columns = {{"", "", false},
                   {"layers", "count", true},
                   {explanation.basis == analyze::TimeBasis::kMean ? "mean" : "median", "ms", true},
                   {"of Σ layers", "ratio", true},
                   {"moved", "bytes", true}};
  const auto add = [&](std::string label, const LayerTotals& totals) {
    std::vector<model::Value> row;
    row.emplace_back(std::move(label));
    row.emplace_back(static_cast<std::int64_t>(totals.count));
    row.push_back(model::value_of(totals.time_ms));
    row.push_back(model::value_of(totals.share));
    row.push_back(integer(totals.io_bytes));
    table.rows.push_back(std::move(row));
  };
  if (explanation.by_model.count > 0) add("avoidable, in the model", explanation.by_model);
  if (explanation.by_caller.count > 0) add("avoidable, by the caller", explanation.by_caller);
  if (explanation.needed.count > 0) add("needed", explanation.needed);
  if (explanation.unclear.count > 0) add("unclear", explanation.unclear);
  add("all", explanation.all);
  return table;
}

std::string kinds_text(const ReformatExplanation& explanation) {
  std::string result;
  for (const analyze::ReformatsOfWord& word : explanation.by_type) {
    if (!result.empty()) result += ", ";
    result +=
        format("{} × {}", word.totals.count, word.word.empty() ? "no type" : printable(word.word));
  }
  return result;
}

std::string reformat_headline(const ReformatExplanation& explanation) {
  const LayerTotals& all = explanation.all;
  std::string text =
      counted(all.count, "layer") + (all.count == 1 ? " only converts" : " only convert");
  if (all.time_ms && explanation.layers_ms) {
    text += format(": {} ms", ms_text(*all.time_ms));
    if (all.share) text += format(", {}", percent_text(*all.share));
    text += format(" of Σ layers ({} ms)", ms_text(*explanation.layers_ms));
  } else if (all.io_bytes) {
    text += format(": they move {}; no layer times, so their cost is unknown",
                   bytes_text(static_cast<double>(*all.io_bytes)));
  }
  return text;
}

std::string unknown_text(const ReformatExplanation& explanation) {
  return format("whether {} {} is unknown: the files have no layer types",
                counted(explanation.unknown_count, "layer"),
                explanation.unknown_count == 1 ? "converts" : "convert");
}

class ReformatScreen {
 public:
  ReformatScreen(const PlanModel& model, const ReformatExplanation& explanation, bool all,
                 const TableStyle& style)
      : model_(model),
        explanation_(explanation),
        all_(all),
        style_(style),
        width_(style.wide ? 0 : static_cast<std::size_t>(std::max(style.width, 0))) {}

  std::string render() {
    if (explanation_.rows.empty()) {
      line(nothing_found());
      return std::move(text_);
    }
    text_ += wrapped(
        painted(printable(reformat_headline(explanation_)), Ink::kStrong, style_.color), width_, 0);
    text_ += wrapped("they are: " + kinds_text(explanation_), width_, 2);
    if (explanation_.unknown_count > 0) text_ += wrapped(unknown_text(explanation_), width_, 2);
    line("");
    TableStyle table_style = style_;
    table_style.indent = 2;
    text_ += text_table(reformat_totals_table(explanation_), table_style);
    const std::size_t shown =
        all_ ? explanation_.groups.size() : std::min(kShownGroups, explanation_.groups.size());
    for (std::size_t i = 0; i < shown; ++i) group(explanation_.groups[i]);
    line("");
    rest(shown);
    return std::move(text_);
  }

 private:
  void line(std::string_view content) { text_.append(content).append("\n"); }

  std::string nothing_found() const {
    if (model_.layers.row_count() == 0) return "no layers are known";
    if (explanation_.unknown_count > 0) return unknown_text(explanation_);
    return "no layer only converts type or layout";
  }

  void group(const ReformatGroup& group) {
    line("");
    const bool has_end = !group.rows.empty() && explanation_.rows[group.rows[0]].to;
    std::string head = !group.root.is_null() ? reported_name(model_, group.root)
                       : has_end             ? "weights, in every inference"
                                             : "unknown tensors";
    if (!group.writer.is_null()) {
      head += format(", written by {}", reported_name(model_, group.writer));
    } else if (!group.rows.empty() && explanation_.rows[group.rows[0]].at_engine_input) {
      head += ", the engine's input";
    }
    text_ += wrapped_hanging(
        format("{}: {}", painted(time_and_share(group.totals), Ink::kStrong, style_.color), head),
        width_, 4, 4);
    const std::size_t shown =
        all_ ? group.rows.size() : std::min(kShownReformatRows, group.rows.size());
    Grid grid({{}, {Alignment::kRight}, {Alignment::kLeft, true}});
    for (std::size_t i = 0; i < shown; ++i) {
      const ReformatRow& row = explanation_.rows[group.rows[i]];
      grid.add_row({{ends_text(model_, row)},
                    {row.time_ms ? short_time_text(*row.time_ms) : ""},
                    {printable(model_.text(model_.layers.name[row.layer.index()])), Ink::kFaint}});
    }
    for (const std::string& one : grid.lines(width_, 4, style_.color)) line(one);
    if (shown < group.rows.size()) line(format("    … {} more", group.rows.size() - shown));
    sentences(group);
  }

  // Each reason of a chain once; with all, once for each layer that it is about.
  void sentences(const ReformatGroup& group) {
    std::map<analyze::ReformatReason, std::set<model::LayerId>> subjects;
    for (const std::size_t index : group.rows) {
      subjects[explanation_.rows[index].reason].insert(explanation_.rows[index].cause_layer);
    }
    for (const std::size_t index : group.rows) {
      const ReformatRow& row = explanation_.rows[index];
      const auto entry = subjects.find(row.reason);
      if (entry == subjects.end() || entry->second.erase(row.cause_layer) == 0) continue;
      std::string cause = reformat_cause(model_, row);
      if (!all_) {
        if (!entry->second.empty()) cause += format("; {} more like it", entry->second.size());
        subjects.erase(entry);
      }
      text_ += wrapped_hanging(format("{}: {}", verdict_text(row), cause), width_, 6, 2);
      text_ += wrapped_hanging(reformat_advice(model_, row), width_, 6, 0);
    }
  }

  static std::string verdict_text(const ReformatRow& row) {
    std::string text(to_string(row.verdict));
    if (row.changed_by == analyze::ChangedBy::kCaller) text += " by the caller";
    return text;
  }

  void rest(std::size_t shown) {
    if (shown < explanation_.groups.size()) {
      LayerTotals totals;
      double time = 0;
      bool timed = false;
      for (std::size_t i = shown; i < explanation_.groups.size(); ++i) {
        totals.count += explanation_.groups[i].totals.count;
        if (const auto ms = explanation_.groups[i].totals.time_ms) {
          time += *ms;
          timed = true;
        }
      }
      text_ += wrapped(
          format("… {} of {}{}: --all shows them, as do --format json and csv",
                 counted(explanation_.groups.size() - shown, "more chain"),
                 counted(totals.count, "layer"), timed ? format(", {} ms", ms_text(time)) : ""),
          width_, 0);
    }
    std::string last =
        "worth: the measured time of the layer itself; savings in its neighbors from moving fewer "
        "bytes come on top (planex lint)";
    text_ += wrapped(last, width_, 0);
  }

  const PlanModel& model_;
  const ReformatExplanation& explanation_;
  bool all_;
  TableStyle style_;
  std::size_t width_;
  std::string text_;
};

}  // namespace

std::string explain_reformats_text(const PlanModel& model, const ReformatExplanation& explanation,
                                   bool all, const TableStyle& style) {
  return ReformatScreen(model, explanation, all, style).render();
}

std::string explain_reformats_markdown(const PlanModel& model,
                                       const ReformatExplanation& explanation) {
  std::string text = format("**{}**: {}\n\n", markdown_text(model.text(model.engine.name[0])),
                            markdown_text(reformat_headline(explanation)));
  text += markdown_table(reformat_totals_table(explanation));
  if (explanation.rows.empty()) return text;
  text += "\n| layer | converts | time | verdict | why | what to do | worth |\n";
  text += "|---|---|---:|---|---|---|---:|\n";
  for (const ReformatGroup& group : explanation.groups) {
    for (const std::size_t index : group.rows) {
      const ReformatRow& row = explanation.rows[index];
      const auto ms = [](const std::optional<double>& time) {
        return time ? format("{} ms", ms_text(*time)) : std::string("–");
      };
      text += format("| {} | {} | {} | {} | {} | {} | {} |\n",
                     markdown_text(model.text(model.layers.name[row.layer.index()])),
                     markdown_text(ends_text(model, row)), ms(row.time_ms), to_string(row.verdict),
                     markdown_text(reformat_cause(model, row)),
                     markdown_text(reformat_advice(model, row)), ms(row.worth_ms));
    }
  }
  return text;
}

}  // namespace planex::render
