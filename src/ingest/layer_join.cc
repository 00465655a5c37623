#include "ingest/layer_join.h"

namespace planex::ingest {

void LayerJoin::build_index() {
  // Layers before expected_ are given out already.
  for (std::size_t row = model_.layers.row_count(); row-- > expected_;) {
    waiting_[model_.text(model_.layers.name[row])].push_back(model::LayerId(row));
  }
  indexed_ = true;
}

void LayerJoin::fetch_ahead() const {
  constexpr std::size_t kRows = 4;
  if (expected_ + kRows >= model_.layers.row_count()) return;
  __builtin_prefetch(model_.text(model_.layers.name[expected_ + kRows]).data());
}

model::LayerId LayerJoin::next(std::string_view name) {
  if (!indexed_) {
    fetch_ahead();
    if (expected_ < model_.layers.row_count() &&
        model_.text(model_.layers.name[expected_]) == name) {
      ++joined_count_;
      return model::LayerId(expected_++);
    }
    build_index();
  }
  const auto found = waiting_.find(name);
  if (found == waiting_.end() || found->second.empty()) return {};
  const model::LayerId layer = found->second.back();
  found->second.pop_back();
  ++joined_count_;
  return layer;
}

}  // namespace planex::ingest
