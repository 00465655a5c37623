// Weights: which of a layer's tensors they are, and how much a layer stores in total. Weights are
// never activations, and activations never weights.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "analyze/work/work.h"
#include "model/plan_model.h"

namespace planex::analyze {

// An input that contains weights: before TensorRT 11, Myelin's kernels list their weights among the
// inputs, and a layer lists the contents of a Constant record. Other producers' readers keep the
// two apart.
bool is_weight_input(const model::PlanModel& model, std::size_t port);

// Bytes of the layer's inputs of that kind, each tensor once; 0 where it has none, null where the
// size of one is not known.
std::optional<std::int64_t> weight_input_bytes(const model::PlanModel& model, model::LayerId layer);

class StoredWeights {
 public:
  explicit StoredWeights(const model::PlanModel& model);

  // Weights, biases and constants of the layer in their stored types: those that its record counts,
  // and those that it lists. Null where it may store some that are neither.
  std::optional<std::int64_t> bytes(model::LayerId layer);

 private:
  // For layers that list them as constants. If one layer of a type lists constants, that type
  // always lists them, so a layer that lists none has none. Not so in ONNX Runtime's traces, which
  // leave out packed weights: their reader knows when weight_bytes is known.
  std::optional<std::int64_t> constant_bytes(model::LayerId layer);

  const model::PlanModel& model_;
  WorkReader work_;
  bool is_counted_ = false;                  // by planex: the file is its own
  std::set<base::StringId> types_;           // few
  std::vector<model::LayerId> last_reader_;  // by tensor
};

}  // namespace planex::analyze
