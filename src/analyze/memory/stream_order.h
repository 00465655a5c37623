// Which layers of one stream certainly run before or after a layer of another.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/plan_model.h"

namespace planex::analyze {

// The records of the shown profile by stream. A record without a stream is on stream 0.
class StreamOrder {
 public:
  using Position = std::uint32_t;

  // Determines no order where the engine has more streams than `most`.
  StreamOrder(const model::PlanModel& model, std::size_t most);

  bool is_known() const { return is_known_; }
  std::size_t stream_count() const { return layers_.size(); }
  std::span<const std::uint32_t> layers_of(std::size_t stream) const { return layers_[stream]; }
  std::size_t stream_of(std::size_t layer) const { return stream_[layer]; }
  // Position of the layer among those of its stream.
  Position position_of(std::size_t layer) const { return position_[layer]; }

  // Layers of `stream` that have certainly ended when `layer` starts: those at positions below.
  // Ascends along the layer's own stream.
  Position ended_before(std::size_t layer, std::size_t stream) const {
    return stream == stream_[layer] ? position_[layer] : ended_[layer * layers_.size() + stream];
  }
  // The first position of `stream` whose layer certainly starts after `layer` has ended, or the
  // length of the stream. Ascends along the layer's own stream. O(log layers).
  Position starts_after(std::size_t layer, std::size_t stream) const;

 private:
  void assign_streams(const model::PlanModel& model, std::size_t most);
  void order(const model::PlanModel& model);

  bool is_known_ = false;
  std::vector<std::vector<std::uint32_t>> layers_;
  std::vector<std::uint32_t> stream_;
  std::vector<Position> position_;
  std::vector<Position> ended_;  // by layer, then stream; empty for one stream
};

}  // namespace planex::analyze
