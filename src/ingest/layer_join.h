// Finds the layer that a row of another file belongs to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/builder.h"

namespace planex::ingest {

// Joins by name; among layers of the same name, the k-th row of that name belongs to the k-th
// layer. Rows mostly come in the layers' own order, which costs one comparison per row.
class LayerJoin {
 public:
  // With a profile, only layers of that optimization profile, or of all profiles, are joined.
  explicit LayerJoin(const model::PlanModel& model,
                     std::optional<std::int64_t> profile = std::nullopt)
      : model_(model), profile_(profile) {}

  // The layer of the next row with this name, or null.
  model::LayerId next(std::string_view name);

  std::size_t joined_count() const { return joined_count_; }

  // The layers that can be joined.
  std::size_t candidate_count() const;

  // A name shared by several layers, for only some of which rows were found: the assignment is a
  // guess. Empty if there is none. Cost: O(layers) if the order was broken, otherwise O(1).
  std::string_view ambiguous_name() const;

 private:
  bool is_candidate(std::size_t row) const {
    return !profile_ || model_.layers.profile_index.is_null(row) ||
           model_.layers.profile_index[row] == *profile_;
  }
  void skip_others();
  void build_index();
  // The names are far apart in the graph's file, so each comparison would wait for memory.
  void fetch_ahead() const;

  struct Waiting {
    std::vector<model::LayerId> layers;  // not yet assigned, the next one last
    std::size_t given_count = 0;
  };

  const model::PlanModel& model_;
  std::optional<std::int64_t> profile_;
  std::size_t expected_ = 0;
  std::size_t joined_count_ = 0;
  // Built when the order is broken.
  std::unordered_map<std::string_view, Waiting> waiting_;
  bool indexed_ = false;
};

}  // namespace planex::ingest
