// What an engine stores and moves, in bytes: weights, tensors, the peak of activations.
#pragma once

#include <cstdint>
#include <optional>

#include "analyze/memory/live_ranges.h"
#include "model/plan_model.h"

namespace planex::analyze {

// For the shown profile. Sums are over what is known, null where nothing is; the counts show what
// is missing.
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
  // Memory of the engine's inputs and outputs, which belongs to the caller.
  std::optional<std::int64_t> input_bytes, output_bytes;
  LivePeak peak;
  // The largest scratch memory that one layer reserves, as the layers record it.
  std::optional<std::int64_t> scratch_bytes;
  // As the builder reports them. Activation memory includes scratch memory; persistent memory is
  // held in addition for the lifetime of an execution context.
  std::optional<std::int64_t> reported_weight_bytes, reported_activation_bytes,
      reported_scratch_bytes, reported_device_persistent_bytes, reported_host_persistent_bytes;
  // Of the distinct ones: without any size; without a layout, so that their memory is assumed to be
  // their elements only.
  std::int64_t tensors_without_size = 0, tensors_without_layout = 0;
  // Layers that may have weights but do not list them: weight_bytes is then a lower bound.
  std::int64_t layers_without_weights = 0;

  // Weights, and activations at their peak: what an engine keeps. Null: one of them is not known.
  std::optional<std::int64_t> kept_bytes() const {
    if (!weight_bytes || !peak.bytes) return std::nullopt;
    return *weight_bytes + *peak.bytes;
  }
};

// Fills tensors.bytes, first_layer_id and last_layer_id, the latter two from the layers of the
// shown profile. Sizes of ports must be filled. Cost: O(ports).
void complete_tensors(model::PlanModel& model);

// `model` must be completed. Cost: O(layers + ports), times the streams.
MemorySummary summarize_memory(const model::PlanModel& model);

}  // namespace planex::analyze
