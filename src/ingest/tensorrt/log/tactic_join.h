// Ties what the builder tried to the layers that the engine has: which layer a choice is of, and
// which of its choices became the layer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "model/plan_model.h"

namespace planex::ingest::tensorrt {

// What a layer reads or writes beside a reformat that the builder put in.
struct FormatAtBorder {
  std::string_view layer;
  std::int64_t version = 0;
  bool is_input = false;
  std::size_t index = 0;
  std::string_view format;
};

// Fills layer_id of `tactic_choices` and `tactics`, and is_used. A choice is used where the layer
// has its tactic, types and layouts, as far as the engine tells them, and no other choice of the
// layer could be the layer's; null where several could, or the layer has no tactic to compare.
// Cost: O(choices + tactics + layers).
void join_tactics(std::span<const FormatAtBorder> borders, model::PlanModel& model);

}  // namespace planex::ingest::tensorrt
