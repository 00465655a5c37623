// Turns events into layers: which run an event belongs to, which loop or conditional contains it,
// and which events are the same node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ingest/onnxruntime/trace_events.h"

namespace planex::ingest::onnxruntime {

inline constexpr std::size_t kNoEvent = static_cast<std::size_t>(-1);

// One inference.
struct Run {
  double start_us = 0;
  double duration_us = 0;
};

// Time of one layer in one run: all its executions together.
struct LayerSample {
  std::size_t run = 0;
  double self_us = 0;   // without the nodes of its subgraphs
  double whole_us = 0;  // with them
};

struct TraceLayer {
  std::size_t first_event = 0;  // in the file's order
  std::size_t last_event = 0;
  std::size_t parent = kNoEvent;  // the layer whose subgraph contains it, an earlier one
  bool has_subgraph = false;
  bool has_kernels = false;  // on a device
  std::size_t event_count = 0;
  std::vector<LayerSample> samples;  // by run, only those in which it ran
};

struct TraceLayers {
  std::vector<Run> runs;
  // In the order of execution; the layers of a subgraph follow the one that holds it.
  std::vector<TraceLayer> layers;
  // By event: its layer, or kNoEvent if it is not a node or is outside all runs.
  std::vector<std::size_t> layer_of_event;
  std::size_t outside_count = 0;  // nodes outside all runs
  bool has_run_events = false;    // otherwise runs are executions of the main graph
};

// Kernels of a device count for the node before them; if a trace has some, the times of nodes on
// that device are those of their kernels.
// Cost: O(n log n) in events.
TraceLayers find_layers(std::span<const Event> events);

}  // namespace planex::ingest::onnxruntime
