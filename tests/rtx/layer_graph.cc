#include "rtx/layer_graph.h"

#include <algorithm>
#include <string_view>

namespace planex::test {

using model::Direction;
using model::LayerId;
using model::PlanModel;

LayerGraph::LayerGraph(const PlanModel& model)
    : after_(model.layers.row_count()), whole_bytes_(model.tensors.row_count(), -1) {
  for (std::size_t port = 0; port < model.ports.row_count(); ++port) {
    std::int64_t& bytes = whole_bytes_[model.ports.tensor_id[port].index()];
    bytes = std::max(bytes, model.ports.data_bytes.get(port).value_or(-1));
  }
  follow_program(model);
  add_decisions(model);
}

const std::set<std::size_t>& LayerGraph::readers_of(model::TensorId input) const {
  static const std::set<std::size_t> kNobody;
  const auto found = readers_of_input_.find(input.index());
  return found == readers_of_input_.end() ? kNobody : found->second;
}

std::vector<bool> LayerGraph::reached_from(const std::set<std::size_t>& starts) const {
  std::vector<bool> reached(after_.size(), false);
  std::vector<std::size_t> open(starts.begin(), starts.end());
  for (const std::size_t layer : open) reached[layer] = true;
  while (!open.empty()) {
    const std::size_t layer = open.back();
    open.pop_back();
    for (const std::size_t next : after_[layer]) {
      if (reached[next]) continue;
      reached[next] = true;
      open.push_back(next);
    }
  }
  return reached;
}

// Reaching definitions: passes over the program until jumps back bring nothing new.
void LayerGraph::follow_program(const PlanModel& model) {
  const std::size_t count = model.layers.row_count();
  std::map<std::size_t, std::set<std::size_t>> targets;    // by layer that jumps
  std::map<std::size_t, std::optional<Writers>> arriving;  // by target
  for (std::size_t row = 0; row < model.events.row_count(); ++row) {
    if (!model.text(model.events.kind[row]).starts_with("jump")) continue;
    if (model.events.target_layer_id.is_null(row)) continue;
    const std::size_t target = model.events.target_layer_id[row].index();
    targets[model.events.layer_id[row].index()].insert(target);
    arriving[target] = std::nullopt;
  }
  Writers at_start(model.tensors.row_count());
  for (std::size_t tensor = 0; tensor < at_start.size(); ++tensor) {
    if (model.tensors.role[tensor] == model::TensorRole::kInput) at_start[tensor].insert(count);
  }
  for (bool again = true; again;) {
    again = false;
    unwritten_.clear();
    std::optional<Writers> writers = at_start;
    for (std::size_t layer = 0; layer < count; ++layer) {
      const auto jumped = arriving.find(layer);
      if (jumped != arriving.end() && jumped->second) merge(*jumped->second, writers);
      if (!writers) continue;  // not reached yet
      run(model, layer, *writers);
      const auto found = targets.find(layer);
      if (found == targets.end()) continue;
      // All ways on are listed, so nothing falls through.
      for (const std::size_t target : found->second) {
        const bool is_new = merge(*writers, arriving[target]);
        again = again || (is_new && target <= layer);
      }
      writers.reset();
    }
  }
}

// Adds what `from` knows; whether that was news.
bool LayerGraph::merge(const Writers& from, std::optional<Writers>& into) {
  if (!into) {
    into = from;
    return true;
  }
  bool is_new = false;
  for (std::size_t tensor = 0; tensor < from.size(); ++tensor) {
    for (const std::size_t writer : from[tensor]) {
      is_new = (*into)[tensor].insert(writer).second || is_new;
    }
  }
  return is_new;
}

void LayerGraph::run(const PlanModel& model, std::size_t layer, Writers& writers) {
  const model::RowRange ports = model.ports_of(LayerId(layer));
  const std::size_t caller = after_.size();
  for (std::size_t port = ports.first; port < ports.end(); ++port) {
    const model::TensorId id = model.ports.tensor_id[port];
    const std::size_t tensor = id.index();
    if (model.ports.direction[port] == Direction::kInput) {
      if (writers[tensor].empty()) unwritten_.push_back({layer, id});
      for (const std::size_t writer : writers[tensor]) {
        (writer == caller ? readers_of_input_[tensor] : after_[writer]).insert(layer);
      }
    } else if (model.ports.direction[port] == Direction::kOutput) {
      if (writes_all(model, port)) writers[tensor].clear();
      writers[tensor].insert(layer);
    }
  }
}

bool LayerGraph::writes_all(const PlanModel& model, std::size_t port) const {
  const auto bytes = model.ports.data_bytes.get(port);
  return bytes && *bytes == whole_bytes_[model.ports.tensor_id[port].index()];
}

// A conditional jump decides on the layers of its block, and of the blocks in it.
void LayerGraph::add_decisions(const PlanModel& model) {
  for (std::size_t row = 0; row < model.events.row_count(); ++row) {
    if (model.text(model.events.kind[row]) != "jump-then") continue;
    const std::size_t jump = model.events.layer_id[row].index();
    const model::BlockId block = model.layers.block_id[jump];
    if (block.is_null()) continue;
    for (std::size_t layer = 0; layer < model.layers.row_count(); ++layer) {
      const model::BlockId own = model.layers.block_id[layer];
      if (own.is_null() || layer == jump) continue;
      if (own == block || model.blocks.parent_id[own.index()] == block) after_[jump].insert(layer);
    }
  }
}

}  // namespace planex::test
