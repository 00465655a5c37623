// Estimates what edits of a model's Q/DQ gain, from the layer times of an engine that was built
// from it and measured.
//
// A gain is a range, and both ends come from that engine alone: no device table, no constant. The
// low end counts what surely goes, the high end everything that may go. The formulas are in
// docs/reference/advise.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/links.h"
#include "onnx/model.h"
#include "quantize/advice.h"
#include "quantize/between_pairs.h"
#include "quantize/existing.h"
#include "quantize/flow.h"
#include "quantize/layer_times.h"
#include "quantize/measured_engine.h"

namespace planex::quantize {

// What an edit does to a layer, strongest effect first.
enum class LayerEffect : std::uint8_t {
  kGoes,       // it surely goes
  kMayGo,      // the layer next to it may fuse it
  kInt8,       // it computes in INT8 afterwards
  kFewerBytes  // it reads or writes INT8 instead of float
};
// "goes", "may-go", "int8", "fewer-bytes".
std::string_view to_string(LayerEffect effect);

struct LayerGain {
  std::size_t layer = 0;  // MeasuredEngine::layers
  LayerEffect effect = LayerEffect::kFewerBytes;
  double low_ms = 0, high_ms = 0;  // part of its time; low is negative where INT8 may be slower
};

// One edit, or all of them together.
struct Gain {
  std::vector<LayerGain> layers;  // each layer once, in execution order
  // Kernels that the edit adds: by tensor the maximum time of each.
  std::map<std::string, double, std::less<>> added_ms;
  // Pieces without which it gains nothing, ascending; the gain is of all of them together.
  std::vector<std::size_t> needs;
  // What an inference gains in time. Where the ends are too far apart to act on, only the high one
  // is kept, which no gain exceeds.
  std::optional<double> low_ms, high_ms;
  std::string reason;  // why an end is missing
};

// The engine after everything that may go has gone, and how much time that saves.
struct Forecast {
  std::size_t layer_count = 0, float_layer_count = 0;
  std::int64_t written_bytes = 0;
  Gain gain;
};

class Gains {
 public:
  // All must outlive this. Cost: O(layers and their nodes).
  Gains(const onnx::Model& model, const onnx::Links& links, const Existing& existing,
        const MeasuredEngine& engine, std::span<const Advice> advice);

  // For one piece of advice, applied alone or with those that it needs. No range where the engine
  // has no layer for its nodes, or one of these has no time or size.
  Gain of(std::size_t piece) const;

  // For all pieces. A layer counts once: parts of its time that several pieces save add up, to no
  // more than all of its time.
  Forecast of_all() const;

  // What a block of float nodes would gain in INT8.
  struct WhatIf {
    Gain gain;
    std::vector<std::string> converted;   // tensors at its edge that have to be converted
    std::optional<double> conversion_ms;  // maximum cost of that; null: unknown
  };
  // `block`: places in Model::nodes. Products are compared with the engine's INT8 products of
  // similar size; other layers by their bytes; conversions with the engine's own.
  WhatIf what_if(const std::set<onnx::Index>& block) const;

 private:
  static void combine(LayerGain& with, const LayerGain& one);
  static void add(Gain& gain, LayerGain one);
  std::set<onnx::Index> nodes_of_pairs(const Advice& advice) const;
  std::set<std::size_t> layers_of(onnx::Index node) const;
  bool writes_int8_itself(onnx::Index maker) const;
  bool is_wholly_int8(const Advice& advice) const;
  bool computes_int8(onnx::Index node) const;
  void add_by_bytes(Gain& gain, std::size_t layer, std::int64_t saved_bytes) const;
  void add_int8(Gain& gain, std::size_t layer) const;
  void add_conversion(Gain& gain, std::size_t layer, bool goes) const;
  void add_conversions(Gain& gain, const Advice& advice) const;
  void add_addition(Gain& gain, std::size_t layer, onnx::Index node) const;
  void add_reader(Gain& gain, const Advice& advice, const onnx::Reader& reader) const;
  bool add_edges(Gain& gain, const Advice& advice) const;
  bool add_between_pairs(Gain& gain, std::size_t piece) const;
  void add_node(Gain& gain, onnx::Index node) const;
  void add_new_pair(Gain& gain, const Advice& advice) const;
  void add_inside(Gain& gain, const Advice& advice) const;
  void add_kernel(Gain& gain, std::string_view tensor, std::int64_t bytes) const;
  std::int64_t values_of(std::string_view tensor) const;
  // Sums up the layers; `cost_ms` is subtracted from the low end.
  void settle(Gain& gain, double cost_ms = 0) const;

  const onnx::Model& model_;
  const onnx::Links& links_;
  const Existing& existing_;
  const MeasuredEngine& engine_;
  std::span<const Advice> advice_;
  Flow flow_;
  BetweenPairs between_;
  LayerTimes times_;
  std::vector<std::set<std::size_t>> layers_of_;            // by node
  std::set<onnx::Index> quantizers_;                        // Q and DQ of pairs
  std::set<onnx::Index> has_int8_weight_;                   // nodes
  std::map<onnx::Index, std::set<onnx::Index>> q_behind_;   // by node that computes: Q
  std::map<onnx::Index, std::vector<onnx::Reader>> reads_;  // by DQ: which nodes read what it
                                                            // writes
  bool some_product_writes_int8_ = false;
  double inference_ms_ = 0;  // end to end, or the sum of all layers where that is unknown
};

}  // namespace planex::quantize
