// What edits of a model's Q/DQ are worth, by the times of an engine that was measured of it.
//
// A gain is a range of which both ends are taken from that engine alone: no device table, no
// constant. The low end counts what surely goes, the high end all that may go. The formulas are in
// docs/reference/advise.md.
#ifndef PLANEX_QUANTIZE_GAINS_H_
#define PLANEX_QUANTIZE_GAINS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/links.h"
#include "onnx/model.h"
#include "quantize/advice.h"
#include "quantize/existing.h"

namespace planex::quantize {

// A layer of an engine, as far as gains need it.
struct MeasuredLayer {
  std::string name;
  std::vector<std::string> nodes;  // of the model that it stems from, as the engine calls them
  std::optional<double> time_ms;   // of one inference
  bool is_conversion = false;      // computes nothing: changes type or layout, quantizes
  bool is_product = false;         // a convolution or matrix product
  bool is_pointwise = false;       // no product, no pooling: additions, activations, quantizers
  bool reads_quantized = false;    // its first data input
  bool writes_float = false;       // its first output
  // Float activations, in bytes and in values: INT8 has a byte for each value.
  std::int64_t float_read_bytes = 0, float_read_values = 0;
  std::int64_t float_written_bytes = 0, float_written_values = 0;
  std::int64_t written_bytes = 0;  // all activations that it writes

  // Of activations and weights; null where a size is not known.
  std::optional<std::int64_t> moved_bytes, macs;
  std::vector<std::string> findings;  // ids of the lint rules that fire on it
};

struct MeasuredEngine {
  std::string path, producer;
  std::vector<MeasuredLayer> layers;  // that do work, in execution order
  std::optional<double> end_to_end_ms;
  // Why no layer has a time though the files have some; empty otherwise.
  std::string untimed_reason;

  std::size_t float_layer_count() const;  // that write float
  std::int64_t written_bytes() const;
};

// What an edit does to a layer, the most first.
enum class LayerEffect : std::uint8_t {
  kGoes,       // it surely goes
  kMayGo,      // the layer beside it may take it in
  kInt8,       // it computes in INT8 afterwards
  kFewerBytes  // it reads or writes INT8 instead of float
};
// "goes", "may-go", "int8", "fewer-bytes".
std::string_view to_string(LayerEffect effect);

struct LayerGain {
  std::size_t layer = 0;  // MeasuredEngine::layers
  LayerEffect effect = LayerEffect::kFewerBytes;
  double low_ms = 0, high_ms = 0;  // of its time; low is negative where INT8 may be slower
};

// One edit, or all of them together.
struct Gain {
  std::vector<LayerGain> layers;  // each layer once, in execution order
  // What an inference gets faster by. Ends that are too far apart to act on leave the high one
  // alone, which no gain exceeds.
  std::optional<double> low_ms, high_ms;
  std::string reason;  // why an end is missing
};

// What the engine is like when all that may go has gone, and what that takes off its time.
struct Forecast {
  std::size_t layer_count = 0, float_layer_count = 0;
  std::int64_t written_bytes = 0;
  Gain gain;
};

class Gains {
 public:
  // All must outlive this. Cost: O(layers and their nodes).
  Gains(const onnx::Model& model, const onnx::Links& links, const Existing& existing,
        const MeasuredEngine& engine);

  // Of one piece of advice, done alone. No range where the engine has no layer of its nodes, or one
  // of these has no time or size.
  Gain of(const Advice& advice) const;

  // Of all pieces. A layer counts once: parts of its time that several pieces save add up, to no
  // more than all of it.
  Forecast of_all(std::span<const Advice> advice) const;

  // What a block of float nodes would gain in INT8.
  struct WhatIf {
    Gain gain;
    std::vector<std::string> converted;   // tensors at its edge that have to be converted
    std::optional<double> conversion_ms;  // what that costs at most; null: not known
  };
  // `block`: places in Model::nodes. Products are compared with the engine's INT8 products of like
  // size; other layers by their bytes; conversions with those that the engine has.
  WhatIf what_if(const std::set<onnx::Index>& block) const;

 private:
  struct Range {
    double low_ms = 0, high_ms = 0;
  };

  static void add(Gain& gain, LayerGain one);
  std::set<onnx::Index> nodes_of_pairs(const Advice& advice) const;
  std::set<std::size_t> layers_of(onnx::Index node) const;
  bool writes_int8_itself(onnx::Index maker) const;
  bool is_wholly_int8(const Advice& advice) const;
  std::optional<Range> int8_range(const MeasuredLayer& layer) const;
  void add_by_bytes(Gain& gain, std::size_t layer, std::int64_t saved_bytes) const;
  void add_int8(Gain& gain, std::size_t layer) const;
  void add_conversions(Gain& gain, const Advice& advice) const;
  void add_reader(Gain& gain, const Advice& advice, const onnx::Reader& reader) const;
  std::optional<double> conversion_ms(std::int64_t moved_bytes) const;
  // Sums up the layers; `cost_ms` is taken off the low end.
  void settle(Gain& gain, double cost_ms = 0) const;

  const onnx::Model& model_;
  const onnx::Links& links_;
  const Existing& existing_;
  const MeasuredEngine& engine_;
  std::vector<std::set<onnx::Index>> nodes_of_;   // by layer
  std::vector<std::set<std::size_t>> layers_of_;  // by node
  std::set<onnx::Index> quantizers_;              // Q and DQ of pairs
  std::set<onnx::Index> has_int8_weight_;         // nodes
  bool some_product_writes_int8_ = false;
  double inference_ms_ = 0;  // end to end, or all layers where that is not known
};

}  // namespace planex::quantize

#endif  // PLANEX_QUANTIZE_GAINS_H_
