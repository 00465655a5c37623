#include "ingest/layer_join.h"

namespace planex::ingest {

void LayerJoin::skip_others() {
  while (expected_ < model_.layers.row_count() && !is_candidate(expected_)) ++expected_;
}

void LayerJoin::build_index() {
  // Layers before expected_ are already assigned.
  for (std::size_t row = model_.layers.row_count(); row-- > expected_;) {
    if (!is_candidate(row)) continue;
    waiting_[model_.text(model_.layers.name[row])].layers.push_back(model::LayerId(row));
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
    if (profile_) skip_others();
    if (expected_ < model_.layers.row_count() &&
        model_.text(model_.layers.name[expected_]) == name) {
      ++joined_count_;
      return model::LayerId(expected_++);
    }
    build_index();
  }
  const auto found = waiting_.find(name);
  if (found == waiting_.end() || found->second.layers.empty()) return {};
  const model::LayerId layer = found->second.layers.back();
  found->second.layers.pop_back();
  ++found->second.given_count;
  ++joined_count_;
  return layer;
}

std::size_t LayerJoin::candidate_count() const {
  if (!profile_) return model_.layers.row_count();
  std::size_t count = 0;
  for (std::size_t row = 0; row < model_.layers.row_count(); ++row) {
    count += is_candidate(row) ? 1u : 0u;
  }
  return count;
}

std::string_view LayerJoin::ambiguous_name() const {
  // The first one in the engine's own order, regardless of the order of the index.
  model::LayerId first;
  for (const auto& [name, waiting] : waiting_) {
    if (waiting.given_count == 0 || waiting.layers.empty()) continue;
    if (first.is_null() || waiting.layers.back() < first) first = waiting.layers.back();
  }
  return first.is_null() ? std::string_view{} : model_.text(model_.layers.name[first.index()]);
}

}  // namespace planex::ingest
