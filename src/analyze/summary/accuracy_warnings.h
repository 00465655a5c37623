// Warnings from the builder, as logged, that the engine computes something other than the model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/plan_model.h"

namespace planex::analyze {

struct AccuracyWarning {
  std::string_view code;         // of the diagnostic
  std::string_view cause, cure;  // the latter empty where no action is needed
  std::optional<std::int64_t> weight_count;
  // Nodes, layers and tensors that the log names, each once.
  std::vector<std::string> names;
  // Layers of the engine with these names, or that come from, read or write them. Ascending.
  std::vector<model::LayerId> layers;
};

// In the order of the log. O(layers + ports + rows of metadata).
std::vector<AccuracyWarning> find_accuracy_warnings(const model::PlanModel& model);

}  // namespace planex::analyze
