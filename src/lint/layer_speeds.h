// What fewer bytes would save a layer, from what the engine itself shows: the fastest traffic of
// any layer, and its other layers of the same work.
//
// Two measures, no device table and no fitted constants:
// - Twins. A matrix layer of as many multiply-accumulates that reads and writes the quantized type
//   and moves as many bytes: by the roofline both take the same time.
// - Bytes. A layer that moves its bytes nearly as fast as any layer of the engine does is bound by
//   memory, so its time follows its bytes; one that does not, hides them, and nothing is claimed.
//   Nor is it where no copy comes near the fastest: then that says nothing of the memory.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graph/data_flow.h"

namespace planex::lint {

// A layer at this part of the best bandwidth, or above, is bound by memory: at least that part of
// its time is traffic.
inline constexpr double kMemoryBoundRatio = 0.75;

class LayerSpeeds {
 public:
  // Cost: O((layers + ports) log layers).
  explicit LayerSpeeds(const graph::DataFlow& flow);

  // Bytes (inputs, outputs, weights) per ms, the most that a layer reaches: what the device's
  // memory can do at least. Mostly a pooling or a reformat. Null where no layer takes long enough
  // to tell.
  std::optional<double> best_bytes_per_ms() const { return best_bytes_per_ms_; }
  // The least time that a layer of the engine takes: no saving goes below it.
  std::optional<double> floor_ms() const { return floor_ms_; }
  bool is_memory_bound(model::LayerId layer) const;

  // The part of a layer's time that goes when the given ports move to a type of `bits` per element.
  // Null where it is not bound by memory, or a size or time is not known.
  std::optional<double> saved_by_bytes(model::LayerId layer, std::span<const graph::PortRow> ports,
                                       int bits) const;

  struct Twins {
    double time_ms = 0;  // what the layer would take: the median twin, and its own second inputs
    std::size_t count = 0;
  };
  // For a matrix layer that reads a quantized type and writes float: what it would take if it wrote
  // that type, too. Null where the engine has no such layer of the same work, or their times differ
  // so much that they are no measure of it.
  std::optional<Twins> quantized_twins(model::LayerId layer) const;

  // What quantizing one element costs by itself, in ms, by the fastest lone quantizer of the
  // engine. Null where there is none.
  std::optional<double> quantizing_ms_per_element() const { return quantizing_ms_per_element_; }

 private:
  struct Candidate {
    std::int64_t macs = 0;
    double bytes = 0;    // weights, first input and first output, in the narrow type
    double time_ms = 0;  // without its second inputs
  };

  // Without padding. Null where not known, or nothing.
  std::optional<double> port_bytes(graph::PortRow port) const;
  // Inputs, outputs and weights.
  std::optional<double> bytes_of(model::LayerId layer) const;
  // Of the first input, the outputs and the weights, as they were in `bits` per element.
  std::optional<double> narrow_bytes(model::LayerId layer, int bits) const;
  // Time that reading all inputs but the first takes, in `bits` per element.
  double second_inputs_ms(model::LayerId layer, int bits) const;
  void find_bandwidth();
  void find_candidates();

  const graph::DataFlow& flow_;
  std::optional<double> best_bytes_per_ms_, floor_ms_, quantizing_ms_per_element_;
  // The best bandwidth is one that a mere copy reaches, too.
  bool is_memory_limit_ = false;
  std::vector<Candidate> candidates_;  // by macs, then bytes
};

}  // namespace planex::lint
