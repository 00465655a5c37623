// Times of whole inferences without counters, and of layers with counters.
#pragma once

#include <cstdint>
#include <functional>
#include <openvino/runtime/core.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drive/openvino_driver/options.h"

namespace planex::drive {

// The current part of the run, and how much of it is done (0 to 1).
using Report = std::function<void(std::string_view phase, double done)>;

struct Iteration {
  double start_ms = 0;    // From the start of the first inference.
  double latency_ms = 0;  // Until the result was available.
};

// Totals over the timed inferences: if CPU time is below the wall time of one thread, or there are
// many involuntary switches, something else ran on the machine.
struct RunCosts {
  double wall_ms = 0;
  double cpu_ms = 0;  // Of all threads of this process, in user and system mode.
  std::int64_t involuntary_switches = 0;
};

// Of inferences that ran in parallel, one per stream.
struct Throughput {
  int requests = 0;
  std::int64_t count = 0;
  double wall_ms = 0;  // from the start of the first to the end of the last
};

struct Times {
  // CLOCK_MONOTONIC at the start of the first inference: aligns other events on the machine with
  // the times.
  std::int64_t origin_monotonic_ns = 0;
  std::vector<Iteration> warmup;
  std::vector<Iteration> timed;
  RunCosts costs;
  // Only with several streams.
  std::optional<Throughput> throughput;
};

struct LayerTimes {
  std::string name;
  std::string layer_type;
  std::vector<double> samples_ms;  // One per round: the mean of its inferences.
};

struct Profile {
  int rounds = 0;
  int warmup = 0;      // In each round.
  int iterations = 0;  // In each round.
  std::vector<LayerTimes> layers;
  // Operations that were fused into other layers.
  std::vector<LayerTimes> fused;
  std::vector<double> latencies_ms;  // Of the inferences that make up the samples.
  std::vector<double> import_ms;
};

// Whether planex can make random input of this type; not for strings and packed types.
bool can_fill(const ov::element::Type& type);

// One inference at a time, however many streams: the next begins when the result is available.
// Throws OpenVINO's exceptions.
Times measure_latency(ov::CompiledModel& compiled, const Options& options, const Report& report);

// Runs `requests` in parallel, each restarted when its result is available. Throws OpenVINO's
// exceptions.
Throughput measure_throughput(ov::CompiledModel& compiled, int requests, const Options& options,
                              const Report& report);

// The CPU device keeps a running mean per layer, in whole microseconds, from its first inference
// on; times of single inferences are not available. So each round imports the compiled model again,
// reads the means after the warm-up and at the end, and takes the difference.
Profile measure_layers(ov::Core& core, ov::CompiledModel& compiled, const ov::AnyMap& config,
                       double latency_ms, const Options& options, const Report& report);

double median_of(std::vector<double> values);

}  // namespace planex::drive
