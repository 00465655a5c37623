// What an engine holds and moves, in bytes: weights, tensors, the peak of activations.
#pragma once

#include <cstdint>
#include <optional>

#include "analyze/memory/live_ranges.h"
#include "model/plan_model.h"

namespace planex::analyze {

// Of the shown profile. Sums are over what is known, null where nothing is; the counts tell what is
// missing.
struct MemorySummary {
  // Weights, biases and constants in their stored types; a constant that several layers read
  // counts once.
  std::optional<std::int64_t> weight_bytes;
  // Tensors that layers which do work read or write, each once, at its largest view: its elements
  // alone, and in memory.
  std::optional<std::int64_t> distinct_data_bytes, distinct_bytes;
  std::int64_t distinct_count = 0;
  // The same tensors once per use: layers.io_bytes.
  std::optional<std::int64_t> traffic_bytes;
  // Memory of the engine's inputs and outputs, which is the caller's.
  std::optional<std::int64_t> input_bytes, output_bytes;
  LivePeak peak;
  // The greatest scratch memory that one layer reserves, as the layers tell.
  std::optional<std::int64_t> scratch_bytes;
  // As the builder reports them. Activation memory has scratch memory in it; what is persistent is
  // held beside it for as long as an execution context lives.
  std::optional<std::int64_t> reported_weight_bytes, reported_activation_bytes,
      reported_scratch_bytes, reported_device_persistent_bytes, reported_host_persistent_bytes;
  // Of the distinct ones: no size at all; no layout told, so that their memory is taken to be their
  // elements alone.
  std::int64_t tensors_without_size = 0, tensors_without_layout = 0;
  // Layers that may have weights and do not list them: weight_bytes is then a lower bound.
  std::int64_t layers_without_weights = 0;
};

// Fills tensors.bytes, first_layer_id and last_layer_id, the latter two from the layers of the
// shown profile. Sizes of ports must be filled. Cost: O(ports).
void complete_tensors(model::PlanModel& model);

// `model` must be completed. Cost: O(layers + ports), times the streams.
MemorySummary summarize_memory(const model::PlanModel& model);

}  // namespace planex::analyze
