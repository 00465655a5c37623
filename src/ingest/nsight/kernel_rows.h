// Turns launches with known layers into rows of `kernels` and the layers' kernel times.
#pragma once

#include <cstddef>

#include "ingest/nsight/trace.h"
#include "model/builder.h"

namespace planex::ingest::nsight {

struct KernelRows {
  // Launches that were assigned to a layer.
  std::size_t joined = 0;
  // The layers had no times, and now have the times of their kernels.
  bool gave_times = false;
  // Over the launches of layers in one inference, medians: the sum of their times, and the time in
  // which at least one ran. 0 without inferences.
  double sum_ms = 0, busy_ms = 0;
};

// A row is one position among the launches of a layer and one kernel there: its times over all
// inferences. Kernels without a layer get one row per name, with separate rows for those between
// the layers of an inference and those elsewhere; copies without a layer are not the engine's work
// and are left out. Sorts the launches. Cost: O(launches · log launches).
KernelRows add_kernel_rows(Trace& trace, model::ModelBuilder& builder);

}  // namespace planex::ingest::nsight
