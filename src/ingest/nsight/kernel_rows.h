// From launches that know their layer to rows of `kernels` and the layers' kernel times.
#pragma once

#include <cstddef>

#include "ingest/nsight/trace.h"
#include "model/builder.h"

namespace planex::ingest::nsight {

struct KernelRows {
  // Launches that found a layer.
  std::size_t joined = 0;
  // The layers had no times, and now have those of their kernels.
  bool gave_times = false;
  // Of the launches of layers in one inference, medians: the sum of their times, and the time in
  // which at least one ran. 0 without inferences.
  double sum_ms = 0, busy_ms = 0;
};

// A row is one place in the launches of a layer and one kernel there: the times of it in all
// inferences. Kernels without a layer are one row a name, those between the layers of an inference
// apart from those elsewhere; copies without a layer are no work of the engine and left out.
// Sorts the launches. Cost: O(launches · log launches).
KernelRows add_kernel_rows(Trace& trace, model::ModelBuilder& builder);

}  // namespace planex::ingest::nsight
