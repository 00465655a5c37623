// What fewer bytes would save a layer, from what the engine itself shows: the fastest traffic of
// any layer, and its other layers with the same work.
//
// Two measures, no device table and no fitted constants:
// - Twins. A matrix layer with as many multiply-accumulates that reads and writes the quantized
//   type and moves as many bytes: by the roofline, both take the same time.
// - Bytes. A layer that moves its bytes nearly as fast as any layer of the engine is memory-bound,
//   so its time is proportional to its bytes. One that is slower hides its bytes, and nothing is
//   claimed. Nor is anything claimed if no copy comes near the fastest layer: then that layer says
//   nothing about the memory.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graph/data_flow.h"

namespace planex::lint {

// A layer that reaches at least this share of the best bandwidth is memory-bound: at least that
// share of its time is traffic.
inline constexpr double kMemoryBoundRatio = 0.75;

class LayerSpeeds {
 public:
  // Cost: O((layers + ports) log layers).
  explicit LayerSpeeds(const graph::DataFlow& flow);

  // The most bytes (inputs, outputs, weights) per ms that any layer reaches: what the device's
  // memory can do at least. Usually a pooling or a reformat. Null if no layer takes long enough to
  // measure it.
  std::optional<double> best_bytes_per_ms() const { return best_bytes_per_ms_; }
  // The least time of any layer of the engine: no saving goes below it.
  std::optional<double> floor_ms() const { return floor_ms_; }
  bool is_memory_bound(model::LayerId layer) const;

  // The share of a layer's time that is saved when the given ports move to a type of `bits` per
  // element. Null if it is not memory-bound, or if a size or time is not known.
  std::optional<double> saved_by_bytes(model::LayerId layer, std::span<const graph::PortRow> ports,
                                       int bits) const;

  struct Twins {
    double time_ms = 0;  // what the layer would take: the median twin, plus its own second inputs
    std::size_t count = 0;
  };
  // For a matrix layer that reads a quantized type and writes float: its time if it wrote that
  // type, too. Null if the engine has no such layer with the same work, or if their times differ
  // too much to be used.
  std::optional<Twins> quantized_twins(model::LayerId layer) const;

  // The time to quantize one element by itself, in ms, from the fastest separate quantizer of the
  // engine. Null if there is none.
  std::optional<double> quantizing_ms_per_element() const { return quantizing_ms_per_element_; }

 private:
  struct Candidate {
    std::int64_t macs = 0;
    double bytes = 0;    // weights, first input and first output, in the narrow type
    double time_ms = 0;  // without its second inputs
  };

  // Without padding. Null if not known, or zero.
  std::optional<double> port_bytes(graph::PortRow port) const;
  // Inputs, outputs and weights.
  std::optional<double> bytes_of(model::LayerId layer) const;
  // Of the first input, the outputs and the weights, as if they had `bits` per element.
  std::optional<double> narrow_bytes(model::LayerId layer, int bits) const;
  // Time to read all inputs except the first, in `bits` per element.
  double second_inputs_ms(model::LayerId layer, int bits) const;
  void find_bandwidth();
  void find_candidates();

  const graph::DataFlow& flow_;
  std::optional<double> best_bytes_per_ms_, floor_ms_, quantizing_ms_per_element_;
  // A mere copy reaches the best bandwidth, too.
  bool is_memory_limit_ = false;
  std::vector<Candidate> candidates_;  // by macs, then bytes
};

}  // namespace planex::lint
