#include "analyze/align/rows.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace planex::analyze {
namespace {

using model::LayerId;
using model::PlanModel;

constexpr std::uint32_t kNoRow = std::numeric_limits<std::uint32_t>::max();

class RowMaker {
 public:
  RowMaker(std::span<const PlanModel* const> engines, AlignRule rule)
      : engines_(engines), rule_(rule), row_of_(engines.size()) {
    for (std::size_t engine = 0; engine < engines.size(); ++engine) {
      row_of_[engine].assign(engines[engine]->layers.row_count(), kNoRow);
    }
  }

  std::vector<AlignedRow> make() {
    for (const LayerId layer : work_of(0)) put(0, layer, add_row());
    for (std::size_t engine = 1; engine < engines_.size(); ++engine) {
      take_from_first(engine);
      if (engine > 1) take_from_last(engine);
      for (const LayerId layer : work_of(engine)) {
        if (row_of_[engine][layer.index()] == kNoRow) put(engine, layer, add_row());
      }
    }
    return in_order();
  }

 private:
  std::vector<LayerId> work_of(std::size_t engine) const {
    const PlanModel& model = *engines_[engine];
    std::vector<LayerId> layers;
    for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
      if (model.does_work(LayerId(row))) layers.emplace_back(row);
    }
    return layers;
  }

  std::uint32_t add_row() {
    rows_.push_back({.layers = std::vector<std::vector<LayerId>>(engines_.size())});
    joined_.push_back(static_cast<std::uint32_t>(rows_.size() - 1));
    return joined_.back();
  }
  void put(std::size_t engine, LayerId layer, std::uint32_t row) {
    rows_[row].layers[engine].push_back(layer);
    row_of_[engine][layer.index()] = row;
  }
  // Rows that were joined lead to the one that has all.
  std::uint32_t row_of(std::size_t engine, LayerId layer) {
    std::uint32_t row = row_of_[engine][layer.index()];
    while (joined_[row] != row) row = joined_[row] = joined_[joined_[row]];
    return row;
  }
  void weaken(std::uint32_t row, MatchBy by, double certainty) {
    AlignedRow& facts = rows_[row];
    const bool is_first = facts.by == MatchBy::kUnmatched;
    facts.by = is_first ? by : std::max(facts.by, by);
    facts.certainty = is_first ? certainty : std::min(facts.certainty, certainty);
  }
  std::uint32_t join(std::uint32_t to, std::uint32_t from) {
    if (to == from) return to;
    for (std::size_t engine = 0; engine < engines_.size(); ++engine) {
      auto& layers = rows_[to].layers[engine];
      auto& more = rows_[from].layers[engine];
      layers.insert(layers.end(), more.begin(), more.end());
      more.clear();
    }
    if (rows_[from].by != MatchBy::kUnmatched) {
      weaken(to, rows_[from].by, rows_[from].certainty);
    }
    joined_[from] = to;
    return to;
  }

  void take_from_first(std::size_t engine) {
    for (const Match& match : align(*engines_[0], *engines_[engine], rule_).matches) {
      if (match.a.empty() || match.b.empty()) continue;
      std::uint32_t row = row_of(0, match.a.front());
      for (const LayerId layer : match.a) row = join(row, row_of(0, layer));
      for (const LayerId layer : match.b) put(engine, layer, row);
      weaken(row, match.by, match.certainty);
    }
  }

  // Only what the first engine has no match for, and only where it does not change what is matched:
  // a row that has layers of this engine keeps to them.
  void take_from_last(std::size_t engine) {
    const std::size_t last = engine - 1;
    for (const Match& match : align(*engines_[last], *engines_[engine], rule_).matches) {
      if (match.a.empty() || match.b.empty()) continue;
      if (std::ranges::any_of(
              match.b, [&](LayerId layer) { return row_of_[engine][layer.index()] != kNoRow; })) {
        continue;
      }
      const std::uint32_t row = row_of(last, match.a.front());
      if (!rows_[row].layers[engine].empty()) continue;
      if (std::ranges::any_of(match.a, [&](LayerId layer) { return row_of(last, layer) != row; })) {
        continue;
      }
      for (const LayerId layer : match.b) put(engine, layer, row);
      weaken(row, match.by, match.certainty);
    }
  }

  std::vector<AlignedRow> in_order() {
    // A list of rows, into which each engine's own rows go behind the row before them.
    constexpr std::size_t kStart = 0;
    std::vector<std::uint32_t> next(rows_.size() + 1, kNoRow);
    std::vector<bool> is_placed(rows_.size());
    for (std::size_t engine = 0; engine < engines_.size(); ++engine) {
      std::size_t behind = kStart;
      for (const LayerId layer : work_of(engine)) {
        const std::uint32_t row = row_of(engine, layer);
        if (!is_placed[row]) {
          is_placed[row] = true;
          next[row + 1] = next[behind];
          next[behind] = row;
        }
        behind = row + 1;
      }
    }
    std::vector<AlignedRow> ordered;
    for (std::uint32_t row = next[kStart]; row != kNoRow; row = next[row + 1]) {
      for (auto& layers : rows_[row].layers) std::ranges::sort(layers);
      ordered.push_back(std::move(rows_[row]));
    }
    return ordered;
  }

  std::span<const PlanModel* const> engines_;
  AlignRule rule_;
  std::vector<AlignedRow> rows_;
  std::vector<std::uint32_t> joined_;
  std::vector<std::vector<std::uint32_t>> row_of_;  // by engine and layer
};

}  // namespace

std::vector<AlignedRow> align_rows(std::span<const PlanModel* const> engines, AlignRule rule) {
  if (engines.empty()) return {};
  return RowMaker(engines, rule).make();
}

}  // namespace planex::analyze
