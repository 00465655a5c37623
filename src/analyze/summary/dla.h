// Which parts of an engine run on a DLA, which were meant to but run on the GPU, and why.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyze/timing/reconcile.h"
#include "model/plan_model.h"

namespace planex::analyze {

// Layers of the model that were meant for the DLA and fell back, of one type and for one reason.
struct DlaFallbacks {
  // Empty where the log does not say.
  std::string type, reason;
  std::vector<std::string> layers;
};

struct DlaReport {
  // Layers: the parts that run on the DLA, and those that run on the GPU and do work.
  std::int64_t part_count = 0, gpu_layer_count = 0;
  // Rows of a profile for the copies between the memories of both.
  std::int64_t transfer_count = 0;
  // Tensors that one side writes and the other reads; null where no tensors of a part are known.
  std::optional<std::int64_t> shared_tensor_count;
  // Sums of times, and their shares of Σ layers. For a part, TensorRT times its start, so the time
  // of the DLA is in the rows that wait for it. Null where no such row has a time.
  std::optional<double> part_ms, wait_ms, transfer_ms;
  std::optional<double> wait_share;
  std::int64_t fallback_count = 0;
  // By number, then in the order of the log.
  std::vector<DlaFallbacks> fallbacks;
};

// Null where nothing in the files is about a DLA. O(layers + ports + rows of metadata).
std::optional<DlaReport> find_dla(const model::PlanModel& model, const Reconciliation& time);

}  // namespace planex::analyze
