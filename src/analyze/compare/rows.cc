#include "analyze/compare/rows.h"
#include "analyze/work/sums.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace planex::analyze {
namespace {

using model::LayerId;

// Sets of layers of the first engine; the smallest layer represents its set.
class RowSets {
 public:
  explicit RowSets(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t find(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void unite(std::size_t i, std::size_t j) {
    i = find(i);
    j = find(j);
    parent_[std::max(i, j)] = std::min(i, j);
  }

 private:
  std::vector<std::size_t> parent_;
};

// A row without layers of the first engine, and its place.
struct Loose {
  std::size_t after = 0;  // 0: in front; else after the row of this layer of the first engine, + 1
  EngineRow row;
};

}  // namespace

std::vector<EngineRow> merge_rows(std::span<const PairList* const> to_first) {
  std::vector<EngineRow> rows;
  if (to_first.empty()) return rows;
  const std::size_t engines = to_first.size() + 1;
  std::size_t count = 0;
  for (const PairList* list : to_first) {
    for (const LayerPair& pair : list->pairs) {
      for (const LayerId layer : pair.a) count = std::max(count, layer.index() + 1);
    }
  }
  RowSets sets(count);
  for (const PairList* list : to_first) {
    for (const LayerPair& pair : list->pairs) {
      for (const LayerId layer : pair.a) sets.unite(pair.a.front().index(), layer.index());
    }
  }
  const auto empty_row = [&] {
    EngineRow row;
    row.layers.resize(engines);
    row.times.resize(engines);
    return row;
  };
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::vector<std::size_t> row_of(count, kNone);
  // The first engine's part, in its order.
  std::vector<std::pair<std::size_t, const LayerPair*>> bases;
  for (const LayerPair& pair : to_first.front()->pairs) {
    if (!pair.a.empty()) bases.emplace_back(pair.a.front().index(), &pair);
  }
  std::ranges::sort(bases, {}, &std::pair<std::size_t, const LayerPair*>::first);
  for (const auto& [layer, pair] : bases) {
    std::size_t& row = row_of[sets.find(layer)];
    if (row == kNone) {
      row = rows.size();
      rows.push_back(empty_row());
    }
    std::ranges::copy(pair->a, std::back_inserter(rows[row].layers[0]));
    add_to(rows[row].times[0], pair->a_time);
  }
  std::vector<Loose> loose;
  for (std::size_t engine = 1; engine < engines; ++engine) {
    std::size_t after = 0;
    for (const LayerPair& pair : to_first[engine - 1]->pairs) {
      const std::size_t row = pair.a.empty() ? kNone : row_of[sets.find(pair.a.front().index())];
      if (row == kNone) {
        Loose& added = loose.emplace_back(Loose{after, empty_row()});
        added.row.layers[engine] = pair.b;
        added.row.times[engine] = pair.b_time;
        continue;
      }
      after = row + 1;
      std::ranges::copy(pair.b, std::back_inserter(rows[row].layers[engine]));
      add_to(rows[row].times[engine], pair.b_time);
    }
  }
  for (EngineRow& row : rows) {
    for (std::vector<LayerId>& layers : row.layers) std::ranges::sort(layers);
  }
  if (loose.empty()) return rows;
  std::ranges::stable_sort(loose, {}, &Loose::after);
  std::vector<EngineRow> result;
  result.reserve(rows.size() + loose.size());
  auto next = loose.begin();
  for (std::size_t i = 0; i <= rows.size(); ++i) {
    for (; next != loose.end() && next->after == i; ++next) result.push_back(std::move(next->row));
    if (i < rows.size()) result.push_back(std::move(rows[i]));
  }
  return result;
}

}  // namespace planex::analyze
