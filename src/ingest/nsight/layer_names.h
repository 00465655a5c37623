// What the text of a range that TensorRT marks means: a layer of the engine, one execution of a
// context, or neither.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/plan_model.h"

namespace planex::ingest::nsight {

// The number of a layer's name, or one of the two below.
using Meaning = std::uint32_t;
inline constexpr Meaning kOther = 0xFFFFFFFF;
inline constexpr Meaning kExecution = 0xFFFFFFFE;

class LayerNames {
 public:
  // Among layers that share a name, those of the profile that is shown come before others, and
  // working layers before book-keeping. Cost: O(layers).
  explicit LayerNames(const model::PlanModel& model);

  // TensorRT writes the name of the layer; with detailed profiling verbosity, facts about the layer
  // may follow or surround it. Cost: O(length).
  Meaning meaning_of(std::string_view text) const;

  std::size_t size() const { return firsts_.empty() ? 0 : firsts_.size() - 1; }
  // The layers of a name, in execution order; never empty.
  std::span<const model::LayerId> layers(Meaning name) const {
    return std::span(layers_).subspan(firsts_[name], firsts_[name + 1] - firsts_[name]);
  }

 private:
  Meaning find(std::string_view name) const;

  std::unordered_map<std::string_view, Meaning> names_;
  std::vector<std::uint32_t> firsts_;
  std::vector<model::LayerId> layers_;
};

}  // namespace planex::ingest::nsight
