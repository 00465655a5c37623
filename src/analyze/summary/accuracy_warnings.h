// Warnings of the builder that the engine computes something else than the model, as a log has
// them.
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
  std::string_view cause, cure;  // the latter empty where nothing is to be done
  std::optional<std::int64_t> weight_count;
  // Nodes, layers and tensors that the log names, each once.
  std::vector<std::string> names;
  // Layers of the engine that they are, come from, or are read or written by. Ascending.
  std::vector<model::LayerId> layers;
};

// In the order of the log. O(layers + ports + rows of metadata).
std::vector<AccuracyWarning> find_accuracy_warnings(const model::PlanModel& model);

}  // namespace planex::analyze
