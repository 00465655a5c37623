// Chrome's Trace Event Format: one inference as slices on a time axis, for Perfetto's viewer and
// chrome://tracing.
//
// Format: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
#pragma once

#include <span>
#include <string_view>

#include "analyze/explain/memory_timeline.h"
#include "analyze/timing/kernel_timeline.h"
#include "analyze/timing/timeline.h"
#include "model/plan_model.h"
#include "planex/error.h"
#include "render/words/document_sink.h"

namespace planex::render {

struct TraceEngine {
  std::string_view label;
  const model::PlanModel* model = nullptr;
  analyze::Timeline timeline;
  // Becomes a counter if it has frames.
  analyze::MemoryTimeline memory;
  // Becomes threads of their own, one for each CUDA stream.
  analyze::KernelTimeline kernels;
};

// A process for each engine, a thread for each of its streams, a complete event ("X") for each
// layer that has a time; below them a thread for each CUDA stream of a trace of the device. `ts`
// and `dur` are in microseconds, written in full, so that durations of layers add up to Σ layers to
// the last digit. otherData (planex.trace/1) lists what was left out. Errors: those of `sink`.
// Cost: O(layers + kernels) time, O(1) memory.
Result<void> write_trace(std::span<const TraceEngine> engines, const DocumentSink& sink);

}  // namespace planex::render
