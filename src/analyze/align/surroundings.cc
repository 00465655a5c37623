#include "analyze/align/surroundings.h"

#include <algorithm>

#include "analyze/align/lists.h"

namespace planex::analyze::matching {
namespace {

using model::Direction;
using model::PlanModel;

// Calls take(direction, tensor) for each input and output that carries data.
template <typename Take>
void for_each_port(const Side& side, Spot spot, Take take) {
  const PlanModel& model = *side.model;
  const model::RowRange ports = model.ports_of(side.layers[spot]);
  for (std::size_t port = ports.first; port < ports.end(); ++port) {
    const model::TensorId tensor = model.ports.tensor_id[port];
    const Direction direction = model.ports.direction[port];
    if (tensor.is_null() || direction == Direction::kConstant) continue;
    take(direction, tensor.index());
  }
}

// Sums of the hashes of all writers of a flow, and of all its readers.
struct Ends {
  std::vector<Key> writers, readers;
};

}  // namespace

Key outline(const Traits& traits, Detail detail, const Places& places) {
  Key key = mixed(traits.moves_only ? 1 : 2, places.common(traits.place));
  key = mixed(key, traits.product);
  switch (detail) {
    case Detail::kAll:
      return mixed(mixed(key, traits.type), traits.dims);
    case Detail::kOutline:
      return mixed(mixed(mixed(key, static_cast<Key>(traits.family)), traits.in), traits.out);
    case Detail::kResult:
      break;
  }
  return mixed(mixed(key, static_cast<Key>(traits.family)), traits.out);
}

std::vector<std::vector<Key>> surroundings(const Side& side, std::span<const GroupId> groups,
                                           const Places& places, Detail detail, int radius) {
  const PlanModel& model = *side.model;
  constexpr Key kMatched = 0x4D61746368ULL;
  std::vector<std::vector<Key>> keys(1);
  keys[0].resize(side.size());
  for (Spot spot = 0; spot < side.size(); ++spot) {
    keys[0][spot] = groups[spot] == kNoGroup ? outline(side.traits[spot], detail, places)
                                             : mixed(kMatched, groups[spot]);
  }

  // Where the engine's own inputs and outputs end.
  const std::size_t tensors = model.tensors.row_count();
  Ends far_ends{std::vector<Key>(tensors), std::vector<Key>(tensors)};
  std::vector<Key> near_readers(tensors);
  for (std::size_t tensor = 0; tensor < tensors; ++tensor) {
    const model::TensorRole role = model.tensors.role[tensor];
    if (role == model::TensorRole::kInput) far_ends.writers[side.far_flow[tensor]] += 0x11;
    if (role == model::TensorRole::kOutput) {
      far_ends.readers[side.far_flow[tensor]] += 0x22;
      near_readers[side.flow[tensor]] += 0x22;
    }
  }
  const Ends borders = far_ends;
  const std::vector<Key> near_borders = near_readers;

  for (int step = 1; step <= radius; ++step) {
    const std::vector<Key>& last = keys.back();
    far_ends = borders;
    near_readers = near_borders;
    for (Spot spot = 0; spot < side.size(); ++spot) {
      const bool moves_only = side.traits[spot].moves_only;
      for_each_port(side, spot, [&](Direction direction, std::size_t tensor) {
        if (direction == Direction::kInput) {
          const Key key = mixed(last[spot], 0x33);
          near_readers[side.flow[tensor]] += key;
          if (!moves_only) far_ends.readers[side.far_flow[tensor]] += key;
        } else if (!moves_only) {
          far_ends.writers[side.far_flow[tensor]] += mixed(last[spot], 0x44);
        }
      });
    }
    std::vector<Key> next(side.size());
    for (Spot spot = 0; spot < side.size(); ++spot) {
      if (groups[spot] != kNoGroup) {
        next[spot] = last[spot];
        continue;
      }
      // A layer that only moves data is between one writer and one of many readers.
      const bool moves_only = side.traits[spot].moves_only;
      Key around = 0;
      for_each_port(side, spot, [&](Direction direction, std::size_t tensor) {
        if (direction == Direction::kInput) {
          around += mixed(far_ends.writers[side.far_flow[tensor]], 0x55);
        } else {
          around += mixed(moves_only ? near_readers[side.flow[tensor]]
                                     : far_ends.readers[side.far_flow[tensor]],
                          0x66);
        }
      });
      next[spot] = mixed(keys[0][spot], around);
    }
    keys.push_back(std::move(next));
  }
  return keys;
}

NearMatches::NearMatches(const Side& side, std::span<const GroupId> groups) {
  const std::size_t tensors = side.model->tensors.row_count();
  // The first few matched writers and readers of each flow.
  std::vector<std::pair<std::uint32_t, GroupId>> writers, far_readers, near_readers;
  for (Spot spot = 0; spot < side.size(); ++spot) {
    const GroupId group = groups[spot];
    if (group == kNoGroup) continue;
    const bool moves_only = side.traits[spot].moves_only;
    for_each_port(side, spot, [&](Direction direction, std::size_t tensor) {
      if (direction == Direction::kInput) {
        near_readers.emplace_back(side.flow[tensor], group);
        if (!moves_only) far_readers.emplace_back(side.far_flow[tensor], group);
      } else if (!moves_only) {
        writers.emplace_back(side.far_flow[tensor], group);
      }
    });
  }
  const Lists writers_of = grouped(writers, tensors);
  const Lists far_readers_of = grouped(far_readers, tensors);
  const Lists near_readers_of = grouped(near_readers, tensors);

  first_.reserve(side.size() + 1);
  first_.push_back(0);
  std::vector<NearMatch> found;
  for (Spot spot = 0; spot < side.size(); ++spot) {
    found.clear();
    if (groups[spot] == kNoGroup) {
      const bool moves_only = side.traits[spot].moves_only;
      const auto add = [&found](std::span<const GroupId> some, bool reads) {
        for (const GroupId group : some.first(std::min(some.size(), kMax))) {
          if (found.size() < 2 * kMax) found.push_back({group, reads});
        }
      };
      for_each_port(side, spot, [&](Direction direction, std::size_t tensor) {
        if (direction == Direction::kInput) {
          add(writers_of[side.far_flow[tensor]], false);
        } else {
          add(moves_only ? near_readers_of[side.flow[tensor]]
                         : far_readers_of[side.far_flow[tensor]],
              true);
        }
      });
      std::ranges::sort(found);
      found.erase(std::ranges::unique(found).begin(), found.end());
    }
    items_.insert(items_.end(), found.begin(), found.end());
    first_.push_back(static_cast<std::uint32_t>(items_.size()));
  }
}

FlowMatches::FlowMatches(const Side& side, std::span<const GroupId> groups)
    : writer_(side.size(), kNoGroup), reader_(side.size(), kNoGroup) {
  struct Flow {
    Spot writer = kNoSpot, reader = kNoSpot;
    std::uint32_t writers = 0, readers = 0;
  };
  std::vector<Flow> flows(side.model->tensors.row_count());
  for (Spot spot = 0; spot < side.size(); ++spot) {
    if (side.traits[spot].moves_only) continue;
    for_each_port(side, spot, [&](Direction direction, std::size_t tensor) {
      Flow& flow = flows[side.far_flow[tensor]];
      if (direction == Direction::kInput) {
        flow.readers += flow.reader != spot;
        flow.reader = spot;
      } else {
        flow.writers += flow.writer != spot;
        flow.writer = spot;
      }
    });
  }
  for (Spot spot = 0; spot < side.size(); ++spot) {
    bool has_in = false, has_out = false;
    for_each_port(side, spot, [&](Direction direction, std::size_t tensor) {
      const Flow& flow = flows[side.far_flow[tensor]];
      const bool is_single = flow.writers == 1 && flow.readers == 1;
      bool& has = direction == Direction::kInput ? has_in : has_out;
      if (!has && is_single) {
        if (direction == Direction::kInput) writer_[spot] = groups[flow.writer];
        if (direction == Direction::kOutput) reader_[spot] = groups[flow.reader];
      }
      has = true;
    });
  }
}

}  // namespace planex::analyze::matching
