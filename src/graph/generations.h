// Uses of tensors' memory, in execution order: which ports write it, and which read what was
// written.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/plan_graph.h"
#include "model/plan_model.h"

namespace planex::graph {

// A port that touches a tensor, or a binding that a no-op would have filled.
struct Access {
  model::LayerId layer;  // null: a binding
  std::uint32_t port = kNoRow;
  std::uint32_t binding = kNoRow;
};

// All writes before the first read after them, and all reads up to the next write. The first
// generation can lack either.
struct Generation {
  model::TensorId tensor;
  std::uint32_t index = 0;  // among the tensor's generations
  std::uint32_t count = 1;  // of the tensor's generations
  std::uint32_t first_write = 0, first_read = 0, end = 0;
};

struct Generations {
  std::vector<Access> accesses;
  std::vector<Generation> list;  // by tensor, then index
  // No-ops that were not folded, by layer.
  std::vector<bool> kept_no_op;

  std::span<const Access> writes(const Generation& generation) const {
    return std::span(accesses).subspan(generation.first_write,
                                       generation.first_read - generation.first_write);
  }
  std::span<const Access> reads(const Generation& generation) const {
    return std::span(accesses).subspan(generation.first_read,
                                       generation.end - generation.first_read);
  }
};

// For the records that take part in the requested graph. Cost: O(ports), as a no-op that joins many
// tensors for many readers is not folded. A binding that only a folded no-op fills becomes the
// tensor that it passes on.
Generations find_generations(const model::PlanModel& model, const GraphOptions& options,
                             std::vector<model::TensorId>& tensors_of_bindings);

}  // namespace planex::graph
