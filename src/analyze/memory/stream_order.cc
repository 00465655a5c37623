#include "analyze/memory/stream_order.h"

#include <algorithm>
#include <unordered_map>

namespace planex::analyze {

using model::Direction;
using model::LayerId;
using model::PlanModel;

StreamOrder::StreamOrder(const PlanModel& model, std::size_t most) {
  assign_streams(model, most);
  if (is_known_ && layers_.size() > 1) order(model);
}

void StreamOrder::assign_streams(const PlanModel& model, std::size_t most) {
  const std::size_t count = model.layers.row_count();
  stream_.assign(count, 0);
  position_.assign(count, 0);
  std::unordered_map<std::int64_t, std::uint32_t> index_of;
  std::int64_t last_number = 0;
  std::uint32_t last_index = 0;
  for (std::size_t row = 0; row < count; ++row) {
    if (!model.is_shown(LayerId(row))) continue;
    const std::int64_t number = model.layers.stream.get(row).value_or(0);
    if (index_of.empty() || number != last_number) {
      last_number = number;
      last_index =
          index_of.emplace(number, static_cast<std::uint32_t>(index_of.size())).first->second;
      if (index_of.size() > most) return;
      layers_.resize(index_of.size());
    }
    stream_[row] = last_index;
    position_[row] = static_cast<Position>(layers_[last_index].size());
    layers_[last_index].push_back(static_cast<std::uint32_t>(row));
  }
  is_known_ = true;
}

// One clock per stream, as in a distributed system: how far each stream has certainly come.
void StreamOrder::order(const PlanModel& model) {
  const std::size_t streams = layers_.size();
  ended_.assign(model.layers.row_count() * streams, 0);
  std::vector<Position> now(streams * streams, 0);
  std::unordered_map<std::int64_t, std::vector<Position>> signalled;

  std::vector<std::uint32_t> events(model.events.row_count());
  for (std::size_t row = 0; row < events.size(); ++row)
    events[row] = static_cast<std::uint32_t>(row);
  std::ranges::stable_sort(events, {},
                           [&](std::uint32_t row) { return model.events.layer_id[row].index(); });
  const base::StringId signal = model.strings.find("signal"), wait = model.strings.find("wait");
  const auto is_kind = [&](std::uint32_t row, base::StringId kind) {
    return !kind.is_null() && model.events.kind[row] == kind && !model.events.event_id.is_null(row);
  };
  std::vector<std::uint32_t> writer(model.tensors.row_count(), 0);  // layer + 1; 0: none yet

  auto event = events.begin();
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    const bool shown = model.is_shown(LayerId(row));
    const std::size_t own = stream_[row];
    Position* clock = now.data() + own * streams;
    const auto learn = [&](std::span<const Position> other) {
      for (std::size_t i = 0; i < streams; ++i) clock[i] = std::max(clock[i], other[i]);
    };
    const auto first_event = event;
    while (event != events.end() && model.events.layer_id[*event].index() == row) ++event;
    if (!shown) continue;
    for (auto at = first_event; at != event; ++at) {
      if (!is_kind(*at, wait)) continue;
      const auto found = signalled.find(model.events.event_id[*at]);
      if (found != signalled.end()) learn(found->second);
    }
    // An engine that reads what another stream writes has to wait for it, whether the files say so
    // or not.
    const model::RowRange ports = model.ports_of(LayerId(row));
    for (std::size_t port = ports.first; port < ports.end(); ++port) {
      if (model.ports.direction[port] != Direction::kInput) continue;
      const std::uint32_t from = writer[model.ports.tensor_id[port].index()];
      if (from == 0 || stream_[from - 1] == own) continue;
      learn(std::span(ended_).subspan((from - 1) * streams, streams));
      clock[stream_[from - 1]] = std::max(clock[stream_[from - 1]], position_[from - 1] + 1);
    }
    clock[own] = position_[row];
    std::copy_n(clock, streams, ended_.begin() + static_cast<std::ptrdiff_t>(row * streams));
    clock[own] = position_[row] + 1;
    for (std::size_t port = ports.first; port < ports.end(); ++port) {
      if (model.ports.direction[port] != Direction::kOutput) continue;
      writer[model.ports.tensor_id[port].index()] = static_cast<std::uint32_t>(row + 1);
    }
    for (auto at = first_event; at != event; ++at) {
      if (!is_kind(*at, signal)) continue;
      signalled[model.events.event_id[*at]].assign(clock, clock + streams);
    }
  }
}

StreamOrder::Position StreamOrder::starts_after(std::size_t layer, std::size_t stream) const {
  if (stream == stream_[layer]) return position_[layer] + 1;
  const auto& others = layers_[stream];
  const auto found = std::ranges::partition_point(others, [&](std::uint32_t other) {
    return ended_before(other, stream_[layer]) <= position_[layer];
  });
  return static_cast<Position>(found - others.begin());
}

}  // namespace planex::analyze
