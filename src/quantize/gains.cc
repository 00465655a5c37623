#include "quantize/gains.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/quantities.h"
#include "base/text.h"
#include "onnx/node_names.h"
#include "quantize/flow.h"

namespace planex::quantize {
namespace {

using base::format;
using onnx::Index;
using onnx::kNoIndex;
using onnx::Reader;

constexpr std::array<std::string_view, 4> kEffects = {"goes", "may-go", "int8", "fewer-bytes"};

std::int64_t saved_read(const MeasuredLayer& layer) {
  return layer.float_read_bytes - layer.float_read_values;
}
std::int64_t saved_written(const MeasuredLayer& layer) {
  return layer.float_written_bytes - layer.float_written_values;
}

// The share of an inference that a measurement can just resolve: docs/reference/numbers.md.
constexpr double kNoticeableRatio = 0.01;
// A range wider than this does not say whether an edit is worth the work: gaining a tenth of an
// inference and gaining nothing noticeable would be the same answer.
constexpr double kUsableRatio = 10;
// As a share of an inference: who surely gains this much need not know the best case. The same
// limit from which lint reports conversions as a finding.
constexpr double kWorthRatio = 0.03;

// As a share of an addition that the layer before it fuses: the extra time of that layer was never
// more than the rest, in the networks of docs/design/0073.
constexpr double kTakenIn = 0.2;

// ONNX Runtime calls what it fuses "NODE/MatMulAddFusion": returns the node's name; else empty.
std::string_view before_fusion(std::string_view name) {
  constexpr std::string_view kFusion = "Fusion";
  if (name.ends_with('/')) name.remove_suffix(1);
  const std::size_t slash = name.rfind('/');
  return slash != name.npos && name.ends_with(kFusion) ? name.substr(0, slash) : std::string_view();
}

bool is_gone(LayerEffect effect) {
  return effect == LayerEffect::kGoes || effect == LayerEffect::kMayGo;
}

}  // namespace

std::string_view to_string(LayerEffect effect) {
  const auto place = static_cast<std::size_t>(effect);
  return place < kEffects.size() ? kEffects[place] : std::string_view();
}

Gains::Gains(const onnx::Model& model, const onnx::Links& links, const Existing& existing,
             const MeasuredEngine& engine, std::span<const Advice> advice)
    : model_(model),
      links_(links),
      existing_(existing),
      engine_(engine),
      advice_(advice),
      flow_(model, links),
      between_(flow_, existing, advice),
      times_(engine),
      layers_of_(model.nodes.size()) {
  const onnx::NodeNames names(model);
  double layers_ms = 0;
  for (std::size_t layer = 0; layer < engine.layers.size(); ++layer) {
    const MeasuredLayer& one = engine.layers[layer];
    for (const std::string& name : one.nodes) {
      Index node = names.find(name);
      if (node == kNoIndex) node = names.find(before_fusion(name));
      if (node != kNoIndex) layers_of_[node].insert(layer);
    }
    layers_ms += one.time_ms.value_or(0);
    some_product_writes_int8_ |= one.is_product && one.reads_quantized && !one.writes_float;
  }
  inference_ms_ = engine.end_to_end_ms.value_or(layers_ms);
  // For whole inferences even the fastest may have been disturbed.
  if (engine.undisturbed_ms) inference_ms_ = std::min(*engine.undisturbed_ms, layers_ms);
  for (const ExistingPair& pair : existing.pairs) {
    quantizers_.insert({pair.quantizer, pair.dequantizer});
    reads_[pair.dequantizer] = pair.readers;
    // A weight that is stored in float, with its pair.
    if (links.constant(pair.tensor) != kNoIndex) {
      for (const Reader& reader : pair.readers) has_int8_weight_.insert(reader.node);
      continue;
    }
    const Index maker = between_.computing(flow_.resolve(flow_.find(pair.tensor)));
    if (maker != kNoIndex) q_behind_[maker].insert(pair.quantizer);
  }
  for (const ExistingWeight& weight : existing.weights) {
    quantizers_.insert(weight.dequantizer);
    reads_[weight.dequantizer] = weight.readers;
    for (const Reader& reader : weight.readers) has_int8_weight_.insert(reader.node);
  }
}

std::set<std::size_t> Gains::layers_of(Index node) const {
  return node == kNoIndex ? std::set<std::size_t>() : layers_of_[node];
}

std::set<Index> Gains::nodes_of_pairs(const Advice& advice) const {
  std::set<Index> nodes;
  for (const std::size_t pair : advice.pairs) {
    nodes.insert({existing_.pairs[pair].quantizer, existing_.pairs[pair].dequantizer});
  }
  return nodes;
}

// One layer has one effect, the strongest; parts that bytes save add up.
void Gains::combine(LayerGain& with, const LayerGain& one) {
  if (one.effect < with.effect) {
    with = one;
  } else if (one.effect == with.effect && one.effect == LayerEffect::kFewerBytes) {
    with.low_ms += one.low_ms;
    with.high_ms += one.high_ms;
  }
}

void Gains::add(Gain& gain, LayerGain one) {
  const auto found = std::ranges::find(gain.layers, one.layer, &LayerGain::layer);
  if (found == gain.layers.end()) {
    gain.layers.push_back(one);
  } else {
    combine(*found, one);
  }
}

// The layer that makes the tensor computes in INT8, and products of this engine were seen to
// quantize their output.
bool Gains::writes_int8_itself(Index maker) const {
  return (engine_.products_quantize || some_product_writes_int8_) &&
         std::ranges::any_of(layers_of(maker), [&](std::size_t layer) {
           return engine_.layers[layer].is_product && engine_.layers[layer].reads_quantized;
         });
}

// Nothing reads the tensor's float afterwards.
bool Gains::is_wholly_int8(const Advice& advice) const {
  if (advice.action == Action::kRemove || advice.action == Action::kUnsigned) return false;
  const onnx::Link* link = links_.find(advice.tensor);
  if (link == nullptr || link->is_output || link->is_captured) return false;
  return std::ranges::all_of(link->readers, [&](const Reader& reader) {
    return quantizers_.contains(reader.node) ||
           std::ranges::any_of(advice.readers,
                               [&](const Reader& one) { return one.node == reader.node; });
  });
}

bool Gains::computes_int8(Index node) const {
  return std::ranges::any_of(
      layers_of(node), [&](std::size_t layer) { return engine_.layers[layer].reads_quantized; });
}

void Gains::add_by_bytes(Gain& gain, std::size_t layer, std::int64_t saved_bytes) const {
  const MeasuredLayer& one = engine_.layers[layer];
  if (saved_bytes <= 0) return;
  // Everything that it writes becomes INT8, and nothing that it reads changes.
  const bool is_all_written = saved_bytes == saved_written(one) && one.reads_quantized;
  const auto saved =
      is_all_written ? times_.writing_gain(one, saved_bytes) : times_.bytes_gain(one, saved_bytes);
  if (!saved) {
    gain.reason = format("{} has no time or size", base::quoted(one.name));
    return;
  }
  add(gain, {.layer = layer,
             .effect = LayerEffect::kFewerBytes,
             .low_ms = saved->low_ms,
             .high_ms = saved->high_ms});
}

void Gains::add_int8(Gain& gain, std::size_t layer) const {
  const MeasuredLayer& one = engine_.layers[layer];
  auto saved = times_.int8_gain(one);
  if (!saved) saved = LayerTimes::width_gain(one);
  if (!saved) {
    gain.reason = format("{} has no time", base::quoted(one.name));
    return;
  }
  add(gain, {.layer = layer,
             .effect = LayerEffect::kInt8,
             .low_ms = saved->low_ms,
             .high_ms = saved->high_ms});
}

void Gains::add_conversion(Gain& gain, std::size_t layer, bool goes) const {
  const MeasuredLayer& one = engine_.layers[layer];
  if (!one.is_conversion) return;
  if (!one.time_ms) {
    gain.reason = format("{} has no time", base::quoted(one.name));
    return;
  }
  add(gain, {.layer = layer,
             .effect = goes ? LayerEffect::kGoes : LayerEffect::kMayGo,
             .low_ms = goes ? *one.time_ms : 0,
             .high_ms = *one.time_ms});
}

// Conversions that come from the pairs that the edit touches.
void Gains::add_conversions(Gain& gain, const Advice& advice) const {
  std::set<std::size_t> layers;
  for (const Index node : nodes_of_pairs(advice)) layers.merge(layers_of(node));
  std::erase_if(layers, [&](std::size_t layer) { return !engine_.layers[layer].is_conversion; });
  const auto time = [&](std::size_t layer) { return engine_.layers[layer].time_ms.value_or(0); };
  const auto all_readers = [&] {
    const ExistingPair& pair = existing_.pairs[advice.pairs.front()];
    return pair.readers.size() == advice.readers.size();
  };
  const onnx::Link* link = links_.find(advice.tensor);
  const Index maker = link == nullptr ? kNoIndex : link->node;
  const bool is_inside = is_wholly_int8(advice) && writes_int8_itself(maker);
  const bool is_sure = (advice.action == Action::kRemove && all_readers()) ||
                       (advice.action == Action::kMove && writes_int8_itself(maker)) ||
                       (advice.action == Action::kAdd && is_inside) ||
                       advice.action == Action::kMerge;
  // One of several stays, where the layer before it does not quantize its output.
  const auto stays = advice.action == Action::kMerge && !is_inside
                         ? std::ranges::max_element(layers, {}, time)
                         : layers.end();
  for (auto at = layers.begin(); at != layers.end(); ++at) {
    add_conversion(gain, *at, is_sure && at != stays);
  }
}

// An addition that reads and writes quantized values fuses into the product before it. How much
// longer that one then takes is unknown.
void Gains::add_addition(Gain& gain, std::size_t layer, Index node) const {
  const double time = *engine_.layers[layer].time_ms;
  const bool is_taken_in = engine_.products_quantize && between_.has(node);
  if (is_taken_in) {
    const std::set<std::size_t>& pieces = between_.input_pieces_of(node);
    gain.needs.insert(gain.needs.end(), pieces.begin(), pieces.end());
  }
  add(gain, {.layer = layer,
             .effect = LayerEffect::kMayGo,
             .low_ms = is_taken_in ? kTakenIn * time : 0,
             .high_ms = time});
}

void Gains::add_reader(Gain& gain, const Advice& advice, const Reader& reader) const {
  const onnx::Node& node = model_.nodes[reader.node];
  for (const std::size_t layer : layers_of(reader.node)) {
    const MeasuredLayer& one = engine_.layers[layer];
    if (one.is_conversion) continue;
    if (!one.time_ms) {
      gain.reason = format("{} has no time", base::quoted(one.name));
    } else if (node.op_type == "Add" && one.is_pointwise) {
      add_addition(gain, layer, reader.node);
    } else if (one.is_product && !one.reads_quantized && reader.input == 0 &&
               has_int8_weight_.contains(reader.node)) {
      add_int8(gain, layer);
    } else {
      const bool writes_it_too = advice.action == Action::kMove && keeps_values(node.op_type);
      add_by_bytes(gain, layer, saved_read(one) + (writes_it_too ? saved_written(one) : 0));
    }
  }
}

// Number of values of the tensor, as the layers there have it; 0: unknown.
std::int64_t Gains::values_of(std::string_view tensor) const {
  const onnx::Link* link = links_.find(tensor);
  if (link == nullptr) return 0;
  std::int64_t values = 0;
  for (const std::size_t layer : layers_of(link->node)) {
    const MeasuredLayer& one = engine_.layers[layer];
    // A byte for each value where it writes INT8.
    values = std::max(values, one.writes_float ? one.float_written_values : one.written_bytes);
  }
  if (values > 0) return values;
  for (const Reader& reader : link->readers) {
    for (const std::size_t layer : layers_of(reader.node)) {
      values = std::max(values, engine_.layers[layer].float_read_values);
    }
  }
  return values;
}

// A pair without a layer of its own runs inside the one before it: it takes no longer than it would
// as a layer.
void Gains::add_inside(Gain& gain, const Advice& advice) const {
  const onnx::Link* link = links_.find(advice.tensor);
  if (link == nullptr) return;
  constexpr std::int64_t kBytesOfBoth = 5;  // a float and an INT8
  const auto most = times_.conversion_ms(kBytesOfBoth * values_of(advice.tensor));
  for (const std::size_t layer : layers_of(link->node)) {
    const MeasuredLayer& one = engine_.layers[layer];
    if (!one.is_product || !one.time_ms || !most) continue;
    add(gain, {.layer = layer, .effect = LayerEffect::kFewerBytes, .high_ms = *most});
  }
}

// A kernel that does not exist yet and moves this many bytes.
void Gains::add_kernel(Gain& gain, std::string_view tensor, std::int64_t bytes) const {
  if (bytes <= 0) return;
  const auto ms = times_.conversion_ms(bytes);
  if (!ms) return;
  auto& most = gain.added_ms[std::string(tensor)];
  most = std::max(most, *ms);
}

// The cost of a pair that no layer fuses.
void Gains::add_new_pair(Gain& gain, const Advice& advice) const {
  if (advice.action != Action::kAdd) return;
  const onnx::Link* link = links_.find(advice.tensor);
  if (link == nullptr) return;
  const bool has_pair = std::ranges::any_of(
      link->readers, [&](const Reader& reader) { return quantizers_.contains(reader.node); });
  if (has_pair) return;
  const auto takes_in = [&](Index node) {
    if (engine_.fuses_between_pairs) {
      return node != kNoIndex && (between_.has(node) || keeps_values(flow_.op(node)));
    }
    return std::ranges::any_of(layers_of(node), [&](std::size_t layer) {
      return engine_.layers[layer].is_product || engine_.layers[layer].is_pointwise;
    });
  };
  const Index maker = engine_.fuses_between_pairs
                          ? between_.computing(flow_.resolve(flow_.find(advice.tensor)))
                          : link->node;
  constexpr std::int64_t kBytesOfBoth = 5;  // a float and an INT8
  const std::int64_t bytes = kBytesOfBoth * values_of(advice.tensor);
  if (!takes_in(maker)) add_kernel(gain, format("{} quantized", advice.tensor), bytes);
  if (advice.takes_name || !std::ranges::all_of(advice.readers, [&](const Reader& reader) {
        return takes_in(reader.node);
      })) {
    add_kernel(gain, format("{} in float again", advice.tensor), bytes);
  }
}

// A node that will compute in INT8, with the layers around it.
void Gains::add_node(Gain& gain, Index node) const {
  const std::set<std::size_t> layers = layers_of(node);
  for (const std::size_t layer : layers) {
    const MeasuredLayer& one = engine_.layers[layer];
    if (one.is_product) {
      add_int8(gain, layer);
    } else {
      add_by_bytes(gain, layer, saved_read(one) + saved_written(one));
    }
  }
  const auto outputs = model_.outputs_of(model_.nodes[node]);
  if (layers.empty() && !outputs.empty()) {
    // Part of the layer before it, until now.
    std::int64_t values = 0;
    for (const std::string_view input : model_.inputs_of(model_.nodes[node])) {
      values = std::max(values, values_of(input));
    }
    constexpr std::int64_t kTensors = 3;
    add_kernel(gain, outputs.front(), kTensors * values);
  }
  const auto is_taken_in = [&](const Reader& reader) {
    return between_.has(reader.node) || keeps_values(flow_.op(reader.node));
  };
  for (const std::string_view input : model_.inputs_of(model_.nodes[node])) {
    const onnx::Link* link = input.empty() ? nullptr : links_.find(input);
    const auto found = link == nullptr ? reads_.end() : reads_.find(link->node);
    if (found == reads_.end()) continue;
    const bool goes = std::ranges::all_of(found->second, is_taken_in);
    for (const std::size_t layer : layers_of(found->first)) add_conversion(gain, layer, goes);
  }
  if (const auto found = q_behind_.find(node); found != q_behind_.end()) {
    for (const Index quantizer : found->second) {
      for (const std::size_t layer : layers_of(quantizer)) add_conversion(gain, layer, true);
    }
  }
}

// Whether the engine has layers of its nodes.
bool Gains::add_between_pairs(Gain& gain, std::size_t piece) const {
  bool is_mapped = false;
  std::set<std::size_t> needs;
  for (const Index node : between_.nodes_of(piece)) {
    is_mapped |= !layers_of(node).empty();
    if (!between_.has(node) || computes_int8(node)) continue;
    needs.insert(between_.pieces_of(node).begin(), between_.pieces_of(node).end());
    add_node(gain, node);
  }
  gain.needs.assign(needs.begin(), needs.end());
  return is_mapped;
}

// The gain in an engine that computes in INT8 whatever type the layer writes.
bool Gains::add_edges(Gain& gain, const Advice& advice) const {
  bool is_mapped = false;
  for (const Reader& reader : advice.readers) is_mapped |= !layers_of(reader.node).empty();
  if (advice.action == Action::kRemove || advice.action == Action::kShareScale) return is_mapped;
  for (const Reader& reader : advice.readers) add_reader(gain, advice, reader);
  const onnx::Link* link = links_.find(advice.tensor);
  for (const std::size_t layer : layers_of(link == nullptr ? kNoIndex : link->node)) {
    const MeasuredLayer& one = engine_.layers[layer];
    if (is_wholly_int8(advice) && one.writes_float) add_by_bytes(gain, layer, saved_written(one));
  }
  return is_mapped;
}

void Gains::settle(Gain& gain, double cost_ms) const {
  std::ranges::sort(gain.layers, {}, &LayerGain::layer);
  double low = -cost_ms, high = 0;
  for (const auto& [tensor, ms] : gain.added_ms) low -= ms;
  for (LayerGain& one : gain.layers) {
    const double time = engine_.layers[one.layer].time_ms.value_or(0);
    one.low_ms = std::min(one.low_ms, time);
    one.high_ms = std::min(one.high_ms, time);
    low += one.low_ms;
    high += one.high_ms;
  }
  if (!engine_.untimed_reason.empty()) gain.reason = engine_.untimed_reason;
  if (!gain.reason.empty()) return;
  gain.high_ms = high;
  // Below the noticeable limit it does not matter how small the low end is.
  const double noticed = std::max(low, kNoticeableRatio * inference_ms_);
  if (high > kUsableRatio * noticed && low < kWorthRatio * inference_ms_) {
    gain.reason = format("{} … {} ms is too wide to act on: only the high end is known",
                         base::ms_text(low), base::ms_text(high));
    return;
  }
  gain.low_ms = low;
}

Gain Gains::of(std::size_t piece) const {
  const Advice& advice = advice_[piece];
  Gain gain;
  if (advice.action == Action::kUnsigned && !engine_.fuses_between_pairs) {
    gain.low_ms = gain.high_ms = 0;
    return gain;
  }
  if (advice.action == Action::kSymmetric || advice.action == Action::kFloatBias) {
    gain.reason =
        "it decides whether the model builds and computes the same values, not how fast "
        "it runs";
    return gain;
  }
  const bool is_between = engine_.fuses_between_pairs && advice.action != Action::kRemove &&
                          advice.action != Action::kShareScale;
  const bool touches_pairs = !is_between || advice.action == Action::kMerge;
  if (touches_pairs && !advice.pairs.empty()) add_conversions(gain, advice);
  if (advice.action == Action::kRemove && gain.layers.empty()) add_inside(gain, advice);
  bool is_mapped = !gain.layers.empty();
  is_mapped |= is_between ? add_between_pairs(gain, piece) : add_edges(gain, advice);
  if (!is_mapped && gain.reason.empty()) {
    gain.reason = "no layer of the engine stems from these nodes";
  }
  add_new_pair(gain, advice);
  std::ranges::sort(gain.needs);
  const auto [same, end] = std::ranges::unique(gain.needs);
  gain.needs.erase(same, end);
  std::erase(gain.needs, piece);
  settle(gain);
  return gain;
}

Forecast Gains::of_all() const {
  Forecast forecast;
  std::map<std::size_t, LayerGain> all;
  std::set<std::size_t> writes_int8;
  std::size_t unknown_count = 0;
  for (std::size_t piece = 0; piece < advice_.size(); ++piece) {
    const Advice& one = advice_[piece];
    const Gain gain = of(piece);
    if (!gain.high_ms) ++unknown_count;
    for (const LayerGain& layer : gain.layers) {
      const auto [at, is_new] = all.emplace(layer.layer, layer);
      if (!is_new) combine(at->second, layer);
    }
    forecast.gain.added_ms.insert(gain.added_ms.begin(), gain.added_ms.end());
    if (!is_wholly_int8(one)) continue;
    const onnx::Link* link = links_.find(one.tensor);
    writes_int8.merge(layers_of(link->node));
    if (one.action != Action::kMove) continue;
    for (const Reader& reader : one.readers) {
      if (keeps_values(model_.nodes[reader.node].op_type))
        writes_int8.merge(layers_of(reader.node));
    }
  }
  for (std::size_t layer = 0; layer < engine_.layers.size(); ++layer) {
    const auto found = all.find(layer);
    if (found != all.end() && is_gone(found->second.effect)) continue;
    const MeasuredLayer& one = engine_.layers[layer];
    const bool changes = writes_int8.contains(layer);
    ++forecast.layer_count;
    if (one.writes_float && !changes) ++forecast.float_layer_count;
    forecast.written_bytes += one.written_bytes - (changes ? saved_written(one) : 0);
  }
  for (const auto& [layer, gain] : all) forecast.gain.layers.push_back(gain);
  if (unknown_count > 0) {
    forecast.gain.reason =
        format("{} of {} have no range", unknown_count,
               base::counted(advice_.size(), "piece of advice", "pieces of advice"));
  }
  settle(forecast.gain);
  return forecast;
}

Gains::WhatIf Gains::what_if(const std::set<Index>& block) const {
  WhatIf result;
  std::set<std::size_t> layers;
  for (const Index node : block) layers.merge(layers_of(node));
  if (layers.empty()) result.gain.reason = "no layer of the engine stems from these nodes";
  for (const std::size_t layer : layers) {
    const MeasuredLayer& one = engine_.layers[layer];
    if (!one.time_ms) {
      result.gain.reason = format("{} has no time", base::quoted(one.name));
    } else if (one.is_product && !one.reads_quantized) {
      const auto saved = times_.int8_gain(one);
      if (saved) {
        add(result.gain, {.layer = layer,
                          .effect = LayerEffect::kInt8,
                          .low_ms = saved->low_ms,
                          .high_ms = saved->high_ms});
      } else {
        result.gain.reason =
            format("the engine has no INT8 product comparable to {}", base::quoted(one.name));
      }
    } else {
      add_by_bytes(result.gain, layer, saved_read(one) + saved_written(one));
    }
  }
  // Bytes that converting a tensor at the block's edge moves, in the type of the layers there.
  double cost = 0;
  bool is_known = true;
  const auto convert = [&](std::string_view tensor, std::int64_t moved) {
    if (std::ranges::find(result.converted, tensor) != result.converted.end()) return;
    result.converted.emplace_back(tensor);
    const auto ms = moved > 0 ? times_.conversion_ms(moved) : std::nullopt;
    is_known = is_known && ms;
    cost += ms.value_or(0);
  };
  const auto largest = [&](Index node, std::int64_t MeasuredLayer::* bytes,
                           std::int64_t MeasuredLayer::* values) {
    std::int64_t moved = 0;
    for (const std::size_t layer : layers_of(node)) {
      moved = std::max(moved, engine_.layers[layer].*bytes + engine_.layers[layer].*values);
    }
    return moved;
  };
  for (const Index node : block) {
    for (const std::string_view input : model_.inputs_of(model_.nodes[node])) {
      const onnx::Link* link = input.empty() ? nullptr : links_.find(input);
      if (link == nullptr || links_.constant(input) != kNoIndex) continue;
      if (link->node != kNoIndex &&
          (block.contains(link->node) || quantizers_.contains(link->node)))
        continue;
      // A pair that other readers already have is shared.
      if (std::ranges::any_of(link->readers, [&](const Reader& reader) {
            return quantizers_.contains(reader.node);
          })) {
        continue;
      }
      convert(input,
              largest(node, &MeasuredLayer::float_read_bytes, &MeasuredLayer::float_read_values));
    }
    for (const std::string_view output : model_.outputs_of(model_.nodes[node])) {
      const onnx::Link* link = links_.find(output);
      if (link == nullptr) continue;
      const bool is_read_as_float =
          link->is_output || std::ranges::any_of(link->readers, [&](const Reader& reader) {
            return !block.contains(reader.node) && !quantizers_.contains(reader.node);
          });
      if (!is_read_as_float) continue;
      convert(output, largest(node, &MeasuredLayer::float_written_bytes,
                              &MeasuredLayer::float_written_values));
    }
  }
  if (is_known) {
    result.conversion_ms = cost;
  } else if (result.gain.reason.empty()) {
    result.gain.reason = "the engine has no conversion to estimate the cost from";
  }
  // At best the layers next to the block fuse the conversions.
  settle(result.gain, cost);
  return result;
}

}  // namespace planex::quantize
