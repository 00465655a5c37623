#include "render/text/compare_changes.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/text.h"
#include "render/text/grid.h"
#include "render/words/compare_words.h"
#include "render/words/display_width.h"
#include "render/words/numbers.h"
#include "render/words/tactic_sentences.h"
#include "render/words/wrap.h"

namespace planex::render {
namespace {

using analyze::Comparison;
using analyze::EngineDifference;
using analyze::Femtoseconds;
using analyze::LayerPair;
using base::format;

std::size_t width_of(const TableStyle& style) {
  return style.wide ? 0 : static_cast<std::size_t>(std::max(style.width, 0));
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// One number of decimals for all times of a table.
int decimals_of(const analyze::PairList& layers) {
  constexpr Femtoseconds kShort = 100'000'000'000;
  const Femtoseconds longest = std::max(layers.a_total.value_or(0), layers.b_total.value_or(0));
  return longest < kShort ? 5 : 4;
}

GridCell head(std::string text) { return {std::move(text), Ink::kFaint}; }

// "1.23 ×" of the first engine's time, and whether that is worth a colour and a word.
GridCell speed_up_cell(const LayerPair& pair, double threshold) {
  if (!pair.ratio || *pair.ratio <= 0) return {"–"};
  const double speed_up = 1 / *pair.ratio;
  GridCell cell{speed_up_text(*pair.ratio)};
  if (speed_up > 1 + threshold) cell.ink = Ink::kFaster;
  if (speed_up < 1 - threshold) cell.ink = Ink::kSlower;
  return cell;
}

// Nothing is said by colour alone.
std::string speed_word(const LayerPair& pair, double threshold) {
  std::string word;
  if (pair.ratio && *pair.ratio > 0) {
    const double speed_up = 1 / *pair.ratio;
    if (speed_up > 1 + threshold) word = "faster";
    if (speed_up < 1 - threshold) word = "slower";
  }
  if (word.empty() || pair.noise.changed != analyze::Changed::kNo) return word;
  return word + "?";
}

class PairGrid {
 public:
  PairGrid(const Comparison& comparison, const EngineDifference& difference,
           const CompareTextOptions& options, const TableStyle& style, bool with_index)
      : comparison_(comparison),
        difference_(difference),
        options_(options),
        style_(style),
        with_index_(with_index),
        names_(comparison, style.wide ? Names::kFull : Names::kShort),
        decimals_(decimals_of(difference.layers)),
        grid_(columns(with_index)) {
    std::vector<GridCell> heads;
    if (with_index) heads.push_back(head("pair"));
    const std::size_t longest_label = is_narrow() ? 9 : 16;
    const auto label = [&](std::size_t engine) {
      return elide_middle(printable(comparison.engines[engine].label), longest_label) + " ms";
    };
    for (std::string text :
         {std::string("layer"), label(0), label(difference.engine), std::string("change"),
          std::string("×"), std::string(), std::string("different")}) {
      heads.push_back(head(std::move(text)));
    }
    grid_.add_row(std::move(heads));
  }

  void add(std::size_t index) {
    const LayerPair& pair = difference_.layers.pairs[index];
    std::vector<GridCell> cells;
    if (with_index_) cells.push_back({format("{}", index)});
    cells.push_back({printable(names_.pair(difference_, pair))});
    cells.push_back({exact_ms_text(pair.a_time, decimals_)});
    cells.push_back({exact_ms_text(pair.b_time, decimals_)});
    cells.push_back({delta_ms_text(pair.delta, decimals_)});
    cells.push_back(speed_up_cell(pair, options_.threshold_ratio));
    // The number says it, too.
    cells.push_back({is_narrow() ? "" : speed_word(pair, options_.threshold_ratio)});
    cells.push_back({changes(pair)});
    grid_.add_row(std::move(cells));
  }

  void add_sum(std::string label, std::optional<Femtoseconds> a, std::optional<Femtoseconds> b,
               std::optional<Femtoseconds> delta) {
    std::vector<GridCell> cells;
    if (with_index_) cells.push_back({});
    cells.push_back({std::move(label), Ink::kFaint});
    cells.push_back({exact_ms_text(a, decimals_)});
    cells.push_back({exact_ms_text(b, decimals_)});
    cells.push_back({delta_ms_text(delta, decimals_)});
    grid_.add_row(std::move(cells));
  }

  std::string text() const { return joined(grid_.lines(width_of(style_), 0, style_.color)); }

 private:
  bool is_narrow() const {
    constexpr std::size_t kWide = 100;
    return width_of(style_) > 0 && width_of(style_) < kWide;
  }

  // What matters most comes first; --pair has all of it.
  std::string changes(const LayerPair& pair) const {
    constexpr std::size_t kNarrow = 18;
    const std::size_t most = style_.wide ? pair.changes.size() : is_narrow() ? 1 : 3;
    const std::string text = printable(change_text(change_details(comparison_, difference_, pair),
                                                   comparison_, difference_, most));
    return is_narrow() ? elide_end(text, kNarrow) : text;
  }

  static std::vector<GridColumn> columns(bool with_index) {
    std::vector<GridColumn> columns;
    if (with_index) columns.push_back({Alignment::kRight});
    columns.push_back({.elastic = true});
    for (int i = 0; i < 4; ++i) columns.push_back({Alignment::kRight});
    columns.push_back({});
    columns.push_back({.wraps = true});
    return columns;
  }

  const Comparison& comparison_;
  const EngineDifference& difference_;
  const CompareTextOptions& options_;
  const TableStyle& style_;
  bool with_index_;
  LayerNames names_;
  int decimals_;
  Grid grid_;
};

std::string causes_cell(const EngineDifference& difference, const TableStyle& style) {
  const analyze::PairList& layers = difference.layers;
  const int decimals = decimals_of(layers);
  Grid grid({{.elastic = true}, {Alignment::kRight}, {Alignment::kRight}});
  const bool timed = layers.delta.has_value();
  grid.add_row({head("Σ layers by cause"), head("layers"), head(timed ? "change ms" : "")});
  for (const analyze::CauseRow& row : layers.causes) {
    grid.add_row({{std::string(cause_text(row.cause))},
                  {format("{} → {}", row.a_layers, row.b_layers)},
                  {timed ? delta_ms_text(row.b_time - row.a_time, decimals) : ""}});
  }
  if (timed) grid.add_row({{"all"}, {}, {delta_ms_text(layers.delta, decimals), Ink::kStrong}});
  return joined(grid.lines(width_of(style), 0, style.color));
}

}  // namespace

std::string verdicts_text(const Comparison& comparison, const TableStyle& style) {
  const std::size_t width = width_of(style);
  const LayerNames names(comparison, Names::kShort);
  std::string text;
  for (const EngineDifference& difference : comparison.differences) {
    text += "\n" + wrapped_hanging(printable(verdict_text(comparison, difference)), width,
                                   kScreenIndent, kScreenIndent);
    if (const std::string gate = gate_text(difference.verdict); !gate.empty()) {
      text += wrapped_hanging(gate, width, kScreenIndent, kScreenIndent);
    }
    if (const std::string sentence = difference_text(difference, names); !sentence.empty()) {
      text += wrapped_hanging(printable(sentence), width, kScreenIndent, kScreenIndent);
    }
    if (difference.tactics) {
      text += wrapped_hanging(printable(tactic_difference_text(*difference.tactics)), width,
                              kScreenIndent, kScreenIndent);
    }
  }
  return text;
}

std::string changes_text(const Comparison& comparison, const EngineDifference& difference,
                         const CompareTextOptions& options, const TableStyle& style) {
  const analyze::PairList& layers = difference.layers;
  constexpr std::size_t kMax = 8;
  // Without times there are no largest changes; the differences are then listed in order.
  std::vector<std::size_t> shown = layers.movers;
  if (options.all || shown.empty()) {
    for (std::size_t i = 0; i < layers.pairs.size(); ++i) {
      const LayerPair& pair = layers.pairs[i];
      if (pair.delta.value_or(0) == 0 && !pair.changes.empty()) shown.push_back(i);
    }
  }
  std::string text = "\n" + causes_cell(difference, style);
  if (shown.empty()) return text;
  const std::size_t count = options.all ? shown.size() : std::min(shown.size(), kMax);
  PairGrid grid(comparison, difference, options, style, true);
  Femtoseconds a = 0, b = 0;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const LayerPair& pair = layers.pairs[shown[i]];
    if (i < count) {
      grid.add(shown[i]);
    } else {
      a += pair.a_time.value_or(0);
      b += pair.b_time.value_or(0);
    }
  }
  if (count < shown.size()) {
    const bool timed = layers.delta.has_value();
    const auto of = [&](Femtoseconds time) { return timed ? std::optional(time) : std::nullopt; };
    grid.add_sum(format("{} more (--all)", shown.size() - count), of(a), of(b), of(b - a));
  }
  return text + "\n" + grid.text();
}

std::string pairs_text(const Comparison& comparison, const EngineDifference& difference,
                       std::span<const std::size_t> selected, const CompareTextOptions& options,
                       const TableStyle& style) {
  if (selected.empty()) return "no pairs\n";
  PairGrid grid(comparison, difference, options, style, true);
  std::optional<Femtoseconds> a, b;
  for (const std::size_t index : selected) {
    const LayerPair& pair = difference.layers.pairs[index];
    grid.add(index);
    if (pair.a_time) a = a.value_or(0) + *pair.a_time;
    if (pair.b_time) b = b.value_or(0) + *pair.b_time;
  }
  grid.add_sum(format("Σ of {}", base::counted(selected.size(), "pair")), a, b,
               a && b ? std::optional(*b - *a) : std::nullopt);
  return grid.text();
}

std::string rows_text(const Comparison& comparison, const TableStyle& style) {
  std::vector<GridColumn> columns(comparison.engines.size() + 1, {Alignment::kRight});
  columns.front() = {.elastic = true};
  Grid grid(std::move(columns));
  std::vector<GridCell> heads = {head("layer, ms")};
  // Five engines fit into 80 cells.
  const std::size_t longest_label = comparison.engines.size() > 3 ? 10 : 16;
  for (const analyze::ComparedEngine& engine : comparison.engines) {
    heads.push_back(head(elide_middle(printable(engine.label), longest_label)));
  }
  grid.add_row(std::move(heads));
  int decimals = 5;
  for (const EngineDifference& difference : comparison.differences) {
    decimals = std::min(decimals, decimals_of(difference.layers));
  }
  const LayerNames names(comparison, style.wide ? Names::kFull : Names::kShort);
  for (const analyze::EngineRow& row : comparison.rows) {
    std::vector<GridCell> cells;
    for (std::size_t i = 0; i < row.layers.size() && cells.empty(); ++i) {
      if (row.layers[i].empty()) continue;
      cells.push_back({printable(names.layers(i, row.layers[i]))});
    }
    for (std::size_t i = 0; i < row.layers.size(); ++i) {
      std::string text = row.layers[i].empty() ? "" : exact_ms_text(row.times[i], decimals);
      if (row.layers[i].size() > 1) text = format("{} in {}", text, row.layers[i].size());
      cells.push_back({std::move(text)});
    }
    grid.add_row(std::move(cells));
  }
  return joined(grid.lines(width_of(style), 0, style.color));
}

std::string pair_details_text(const Comparison& comparison, const EngineDifference& difference,
                              std::size_t index, const TableStyle& style) {
  const LayerPair& pair = difference.layers.pairs[index];
  const model::PlanModel& a_model = *comparison.engines.front().model;
  const model::PlanModel& b_model = *comparison.engines[difference.engine].model;
  const analyze::SideFacts a = analyze::side_facts(a_model, pair.a);
  const analyze::SideFacts b = analyze::side_facts(b_model, pair.b);
  Grid grid({{}, {}, {}, {}});
  grid.add_row({head(format("pair {}", index)),
                {printable(comparison.engines.front().label), Ink::kStrong},
                {printable(comparison.engines[difference.engine].label), Ink::kStrong},
                {}});
  const auto row = [&](std::string label, std::string x, std::string y) {
    const bool known = !x.empty() && !y.empty();
    const bool same = x == y;
    grid.add_row({{std::move(label)},
                  {x.empty() ? "–" : printable(x)},
                  {y.empty() ? "–" : printable(y)},
                  {!known ? ""
                   : same ? "same"
                          : "different",
                   same ? Ink::kFaint : Ink::kStrong}});
  };
  const auto names = [](const model::PlanModel& model, std::span<const model::LayerId> layers,
                        std::size_t i) {
    return i < layers.size() ? std::string(model.text(model.layers.name[layers[i].index()]))
                             : std::string();
  };
  for (std::size_t i = 0; i < std::max(pair.a.size(), pair.b.size()); ++i) {
    row(i == 0 ? "layers" : "", names(a_model, pair.a, i), names(b_model, pair.b, i));
  }
  const int decimals = decimals_of(difference.layers);
  const auto time = [&](const std::optional<Femtoseconds>& of) {
    return of ? exact_ms_text(of, decimals) + " ms" : std::string();
  };
  row("time", time(pair.a_time), time(pair.b_time));
  row("type", std::string(a.type), std::string(b.type));
  row("in", std::string(to_string(a.input_precision)), std::string(to_string(b.input_precision)));
  row("out", std::string(to_string(a.output_precision)),
      std::string(to_string(b.output_precision)));
  row("computes in", std::string(to_string(a.compute_precision)),
      std::string(to_string(b.compute_precision)));
  const auto dims = [](const std::optional<std::span<const std::int64_t>>& of) {
    return of ? dims_text(*of) : std::string();
  };
  row("in dims", dims(a.input_dims), dims(b.input_dims));
  row("out dims", dims(a.output_dims), dims(b.output_dims));
  row("in format", std::string(a.input_format), std::string(b.input_format));
  row("out format", std::string(a.output_format), std::string(b.output_format));
  const auto bytes = [](const std::optional<std::int64_t>& of) {
    return of ? bytes_text(static_cast<double>(*of)) : std::string();
  };
  row("weights", bytes(a.weight_bytes), bytes(b.weight_bytes));
  row("traffic", bytes(a.io_bytes), bytes(b.io_bytes));
  row("tactic", std::string(a.tactic), std::string(b.tactic));
  std::string text = joined(grid.lines(0, 0, style.color));
  std::string last = format("matched by {}", to_string(pair.by));
  if (pair.by == analyze::MatchBy::kUnmatched) {
    last = "only one of the engines has it";
  } else {
    last += format(", certainty {:.2f}", pair.certainty);
  }
  if (pair.delta) last += format("; {} ms", delta_ms_text(pair.delta, decimals));
  if (pair.ratio && *pair.ratio > 0) last += format(", {} ×", speed_up_text(*pair.ratio));
  if (pair.noise.low_ms && pair.noise.high_ms) {
    last += format("; 95 % interval {} to {} ms", signed_number(*pair.noise.low_ms, decimals),
                   signed_number(*pair.noise.high_ms, decimals));
  }
  return text + wrapped(last, width_of(style), 0);
}

}  // namespace planex::render
