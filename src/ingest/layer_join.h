// Finds the layer that a row of another file is about.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/builder.h"

namespace planex::ingest {

// Joins by name; among layers of one name the k-th row of that name belongs to the k-th layer. Rows
// mostly come in the layers' own order, which costs one comparison a row.
class LayerJoin {
 public:
  // With a profile, only layers of that optimization profile, or of all profiles, are joined.
  explicit LayerJoin(const model::PlanModel& model,
                     std::optional<std::int64_t> profile = std::nullopt)
      : model_(model), profile_(profile) {}

  // The layer of the next row with this name, or null.
  model::LayerId next(std::string_view name);

  std::size_t joined_count() const { return joined_count_; }

  // Layers that could be joined.
  std::size_t candidate_count() const;

  // A name that several layers have, of which rows were found for some only: which of them is a
  // guess. Empty where there is none. Cost: O(layers) where the order was broken, else O(1).
  std::string_view ambiguous_name() const;

 private:
  bool is_candidate(std::size_t row) const {
    return !profile_ || model_.layers.profile_index.is_null(row) ||
           model_.layers.profile_index[row] == *profile_;
  }
  void skip_others();
  void build_index();
  // The names lie far apart in the graph's file, so each comparison would wait for the memory.
  void fetch_ahead() const;

  struct Waiting {
    std::vector<model::LayerId> layers;  // not yet given out, the next one last
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
