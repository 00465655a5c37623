#include "render/text/compare_ledger.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/text.h"
#include "render/text/grid.h"
#include "render/words/compare_words.h"
#include "render/words/display_width.h"
#include "render/words/wrap.h"

namespace planex::render {
namespace {

using analyze::Femtoseconds;
using analyze::Ledger;
using analyze::LedgerKind;
using analyze::LedgerRow;
using base::format;

std::string name_of(const LedgerRow& row) {
  switch (row.kind) {
    case LedgerKind::kOperation:
      return row.parameter.empty() ? std::string(row.name)
                                   : format("{} · {}", row.parameter, row.name);
    case LedgerKind::kRemainder:
      return format("{} (source operation unknown)", row.type.empty() ? "layers" : row.type);
    case LedgerKind::kNoWork:
      break;
  }
  return "records without work";
}

Femtoseconds row_time(const LedgerRow& row, std::size_t engine) {
  return row.cells[engine] ? row.cells[engine]->time.value_or(0) : 0;
}

class LedgerText {
 public:
  LedgerText(const analyze::Comparison& comparison, const CompareTextOptions& options,
             const TableStyle& style)
      : ledger_(comparison.ledger),
        options_(options),
        style_(style),
        engines_(comparison.engines.size()),
        has_change_(engines_ == 2 && ledger_.totals[0] && ledger_.totals[1]),
        grid_(columns(engines_, has_change_)) {
    constexpr Femtoseconds kShort = 100'000'000'000;
    const bool is_short = std::ranges::all_of(
        ledger_.totals, [](const auto& total) { return total.value_or(0) < kShort; });
    decimals_ = is_short ? 5 : 4;
    std::vector<GridCell> heads = {head("operation, ms")};
    const std::size_t longest_label = engines_ > 2 ? 10 : 16;
    for (const analyze::ComparedEngine& engine : comparison.engines) {
      heads.push_back(head(elide_middle(printable(engine.label), longest_label)));
    }
    if (has_change_) heads.push_back(head("change"));
    if (engines_ <= 2) heads.push_back(head("layers"));
    heads.push_back(head("spread by"));
    grid_.add_row(std::move(heads));
  }

  std::string text() {
    const std::vector<std::size_t> order = shown_order();
    constexpr std::size_t kMax = 20;
    const std::size_t count = options_.all ? order.size() : std::min(order.size(), kMax);
    std::vector<Femtoseconds> rest(engines_);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const LedgerRow& row = ledger_.rows[order[i]];
      if (i < count) {
        add(row);
        continue;
      }
      for (std::size_t engine = 0; engine < engines_; ++engine)
        rest[engine] += row_time(row, engine);
    }
    if (count < order.size()) {
      std::vector<std::optional<Femtoseconds>> times;
      for (std::size_t engine = 0; engine < engines_; ++engine) {
        times.push_back(ledger_.totals[engine] ? std::optional(rest[engine]) : std::nullopt);
      }
      add_sum(format("{} more (--all)", order.size() - count), times);
    }
    add_sum("Σ layers", ledger_.totals);
    std::string text;
    const auto width =
        style_.wide ? std::size_t{0} : static_cast<std::size_t>(std::max(style_.width, 0));
    for (const std::string& line : grid_.lines(width, 0, style_.color)) text += line + "\n";
    return text;
  }

 private:
  static GridCell head(std::string text) { return {std::move(text), Ink::kFaint}; }

  static std::vector<GridColumn> columns(std::size_t engines, bool has_change) {
    std::vector<GridColumn> columns = {{.elastic = true}};
    const std::size_t more = std::size_t{has_change} + std::size_t{engines <= 2};
    for (std::size_t i = 0; i < engines + more; ++i) columns.push_back({Alignment::kRight});
    columns.push_back({});
    return columns;
  }

  // In the model's order where all are shown, else what matters most first.
  std::vector<std::size_t> shown_order() const {
    std::vector<std::size_t> order(ledger_.rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (options_.all) return order;
    const auto weight = [&](std::size_t i) {
      const LedgerRow& row = ledger_.rows[i];
      if (has_change_) return std::abs(row_time(row, 1) - row_time(row, 0));
      Femtoseconds longest = 0;
      for (std::size_t engine = 0; engine < engines_; ++engine) {
        longest = std::max(longest, row_time(row, engine));
      }
      return longest;
    };
    std::ranges::stable_sort(order, std::ranges::greater{}, weight);
    return order;
  }

  void add(const LedgerRow& row) {
    std::vector<GridCell> cells = {{printable(name_of(row))}};
    std::string layers, rules;
    for (const auto& cell : row.cells) {
      cells.push_back({cell ? exact_ms_text(cell->time, decimals_) : "–"});
      layers += (layers.empty() ? "" : " ") + (cell ? format("{}", cell->layer_count) : "–");
    }
    if (has_change_) {
      const Femtoseconds change = row_time(row, 1) - row_time(row, 0);
      cells.push_back({delta_ms_text(change, decimals_)});
    }
    if (engines_ <= 2) cells.push_back({std::move(layers)});
    if (row.kind == LedgerKind::kOperation) {
      for (const auto& cell : row.cells) {
        if (!cell) continue;
        const std::string rule(to_string(cell->rule));
        if (rules.find(rule) == rules.npos) rules += (rules.empty() ? "" : " ") + rule;
      }
    }
    cells.push_back({std::move(rules), Ink::kFaint});
    grid_.add_row(std::move(cells));
  }

  void add_sum(std::string label, const std::vector<std::optional<Femtoseconds>>& times) {
    std::vector<GridCell> cells = {{std::move(label), Ink::kFaint}};
    for (const auto& time : times) cells.push_back({exact_ms_text(time, decimals_)});
    if (has_change_) {
      cells.push_back({delta_ms_text(*times[1] - *times[0], decimals_)});
    }
    grid_.add_row(std::move(cells));
  }

  const Ledger& ledger_;
  const CompareTextOptions& options_;
  const TableStyle& style_;
  std::size_t engines_;
  bool has_change_;
  int decimals_ = 4;
  Grid grid_;
};

}  // namespace

std::string ledger_text(const analyze::Comparison& comparison, const CompareTextOptions& options,
                        const TableStyle& style) {
  return LedgerText(comparison, options, style).text();
}

}  // namespace planex::render
