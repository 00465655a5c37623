// Assigns launches to layers: a launch belongs to the innermost layer range that its thread was in
// when it made the call.
#pragma once

#include <cstddef>
#include <vector>

#include "ingest/nsight/layer_names.h"
#include "ingest/nsight/trace.h"

namespace planex::ingest::nsight {

struct Attribution {
  // Executions of contexts in which ranges named layers of this engine, and those in which most
  // ranges named none: they belong to another engine.
  std::size_t executions = 0, other_executions = 0;
  // Ranges in executions of this engine that name none of its layers.
  std::size_t other_ranges = 0;
  // Kernels (no copies): with a layer, launched in an execution of this engine but outside any
  // layer's range, and all others.
  std::size_t kernels_of_layers = 0, kernels_between = 0, kernels_elsewhere = 0;
  // Kernels from CUDA graphs: those without a layer.
  std::size_t graph_kernels_without_layer = 0;
  // Inferences with at least one launch of a layer.
  std::size_t inferences = 0;
  // A name that several layers have, with more or fewer ranges in an inference than layers.
  Meaning ambiguous = kOther;
};

// Sets layer and inference of ranges and launches; inferences are numbered from 0 in the order of
// their threads and calls, including those without launches. Sorts both.
//
// An inference is one outermost range "ExecutionContext::..." of a thread. If a file has none, a
// layer that comes again begins the next inference; launches of a CUDA graph are one inference,
// unless they were made in such a range. Among layers that share a name, the k-th has the k-th
// range of an inference.
// Cost: O(ranges + launches) besides sorting.
Attribution attribute(Trace& trace, const LayerNames& names);

}  // namespace planex::ingest::nsight
