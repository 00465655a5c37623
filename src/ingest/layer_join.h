// Finds the layer that a row of another file is about.
#ifndef PLANEX_INGEST_LAYER_JOIN_H_
#define PLANEX_INGEST_LAYER_JOIN_H_

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/builder.h"

namespace planex::ingest {

// Joins by name; among layers of one name the k-th row of that name belongs to the k-th layer. Rows
// mostly come in the layers' own order, which costs one comparison a row.
class LayerJoin {
 public:
  explicit LayerJoin(const model::PlanModel& model) : model_(model) {}

  // The layer of the next row with this name, or null.
  model::LayerId next(std::string_view name);

  std::size_t joined_count() const { return joined_count_; }

 private:
  void build_index();
  // The names lie far apart in the graph's file, so each comparison would wait for the memory.
  void fetch_ahead() const;

  const model::PlanModel& model_;
  std::size_t expected_ = 0;
  std::size_t joined_count_ = 0;
  // Built when the order is broken: name -> layers not yet given out, the next one last.
  std::unordered_map<std::string_view, std::vector<model::LayerId>> waiting_;
  bool indexed_ = false;
};

}  // namespace planex::ingest

#endif  // PLANEX_INGEST_LAYER_JOIN_H_
