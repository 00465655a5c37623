// Connects what the builder tried with the engine's layers: which layer a choice is for, and which
// of its choices became the layer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "model/plan_model.h"

namespace planex::ingest::tensorrt {

// A tensor that a layer reads or writes next to a reformat that the builder inserted.
struct FormatAtBorder {
  std::string_view layer;
  std::int64_t version = 0;
  bool is_input = false;
  std::size_t index = 0;
  std::string_view format;
};

// Fills layer_id of `tactic_choices` and `tactics`, and is_used. A choice is used if the layer has
// its tactic, types and layouts, as far as the engine records them, and no other choice of the
// layer could be the layer's; null if several could, or the layer has no tactic to compare.
// Cost: O(choices + tactics + layers).
void join_tactics(std::span<const FormatAtBorder> borders, model::PlanModel& model);

}  // namespace planex::ingest::tensorrt
