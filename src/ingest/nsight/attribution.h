// Ties launches to layers: a launch belongs to the innermost range of a layer that its thread was
// in when it made the call.
#pragma once

#include <cstddef>
#include <vector>

#include "ingest/nsight/layer_names.h"
#include "ingest/nsight/trace.h"

namespace planex::ingest::nsight {

struct Attribution {
  // Executions of contexts in which ranges named layers of this engine, and those in which most
  // named none: of another engine.
  std::size_t executions = 0, other_executions = 0;
  // Ranges of executions of this engine that name none of its layers.
  std::size_t other_ranges = 0;
  // Kernels (no copies) with a layer, those launched in an execution of this engine but in no
  // layer's range, and all others.
  std::size_t kernels_of_layers = 0, kernels_between = 0, kernels_elsewhere = 0;
  // Of kernels from CUDA graphs: those with no layer.
  std::size_t graph_kernels_without_layer = 0;
  // Inferences with at least one launch of a layer.
  std::size_t inferences = 0;
  // A name that several layers have, which its ranges named more often or seldomer in an inference.
  Meaning ambiguous = kOther;
};

// Sets layer and inference of ranges and launches; inferences are numbered from 0 in the order of
// their threads and calls, and those without launches have a number too. Sorts both.
//
// An inference is one outermost range "ExecutionContext::..." of a thread; where a file has none, a
// layer that comes again begins the next one; launches of a CUDA graph are one inference, unless
// they were made in such a range. Of layers that share a name, the k-th has the k-th range of an
// inference.
// Cost: O(ranges + launches) besides sorting.
Attribution attribute(Trace& trace, const LayerNames& names);

}  // namespace planex::ingest::nsight
