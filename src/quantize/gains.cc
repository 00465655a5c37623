#include "quantize/gains.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
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
// INT8 products that a float one is compared with: few, so that they are of its size.
constexpr std::size_t kComparable = 5;

std::int64_t saved_read(const MeasuredLayer& layer) {
  return layer.float_read_bytes - layer.float_read_values;
}
std::int64_t saved_written(const MeasuredLayer& layer) {
  return layer.float_written_bytes - layer.float_written_values;
}

// Of an inference, what a measurement of it just tells apart: docs/reference/numbers.md.
constexpr double kNoticeableRatio = 0.01;
// Ends that are further apart than this don't say whether an edit is worth its work: what gains a
// tenth of an inference and what nobody notices would be the same answer.
constexpr double kUsableRatio = 10;

bool is_gone(LayerEffect effect) {
  return effect == LayerEffect::kGoes || effect == LayerEffect::kMayGo;
}

}  // namespace

std::string_view to_string(LayerEffect effect) {
  const auto place = static_cast<std::size_t>(effect);
  return place < kEffects.size() ? kEffects[place] : std::string_view();
}

std::size_t MeasuredEngine::float_layer_count() const {
  return static_cast<std::size_t>(std::ranges::count(layers, true, &MeasuredLayer::writes_float));
}

std::int64_t MeasuredEngine::written_bytes() const {
  return std::accumulate(
      layers.begin(), layers.end(), std::int64_t{0},
      [](std::int64_t sum, const MeasuredLayer& layer) { return sum + layer.written_bytes; });
}

Gains::Gains(const onnx::Model& model, const onnx::Links& links, const Existing& existing,
             const MeasuredEngine& engine)
    : model_(model),
      links_(links),
      existing_(existing),
      engine_(engine),
      nodes_of_(engine.layers.size()),
      layers_of_(model.nodes.size()) {
  const onnx::NodeNames names(model);
  double layers_ms = 0;
  for (std::size_t layer = 0; layer < engine.layers.size(); ++layer) {
    const MeasuredLayer& one = engine.layers[layer];
    for (const std::string& name : one.nodes) {
      const Index node = names.find(name);
      if (node == kNoIndex) continue;
      nodes_of_[layer].insert(node);
      layers_of_[node].insert(layer);
    }
    layers_ms += one.time_ms.value_or(0);
    some_product_writes_int8_ |= one.is_product && one.reads_quantized && !one.writes_float;
  }
  inference_ms_ = engine.end_to_end_ms.value_or(layers_ms);
  for (const ExistingPair& pair : existing.pairs) {
    quantizers_.insert({pair.quantizer, pair.dequantizer});
    // A weight that is stored in float, with its pair.
    if (links.constant(pair.tensor) == kNoIndex) continue;
    for (const Reader& reader : pair.readers) has_int8_weight_.insert(reader.node);
  }
  for (const ExistingWeight& weight : existing.weights) {
    quantizers_.insert(weight.dequantizer);
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
void Gains::add(Gain& gain, LayerGain one) {
  const auto found = std::ranges::find(gain.layers, one.layer, &LayerGain::layer);
  if (found == gain.layers.end()) {
    gain.layers.push_back(one);
  } else if (found->effect == one.effect && one.effect == LayerEffect::kFewerBytes) {
    found->low_ms += one.low_ms;
    found->high_ms += one.high_ms;
  } else if (one.effect < found->effect) {
    *found = one;
  }
}

// The layer that makes the tensor computes in INT8, and products of this engine are seen to
// quantize what they write.
bool Gains::writes_int8_itself(Index maker) const {
  return some_product_writes_int8_ && std::ranges::any_of(layers_of(maker), [&](std::size_t layer) {
           return engine_.layers[layer].is_product && engine_.layers[layer].reads_quantized;
         });
}

// Nobody reads the tensor's float afterwards.
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

std::optional<Gains::Range> Gains::int8_range(const MeasuredLayer& layer) const {
  if (!layer.time_ms || !layer.macs || *layer.macs <= 0) return std::nullopt;
  struct Other {
    double distance = 0, ms_per_mac = 0;
  };
  std::vector<Other> others;
  for (const MeasuredLayer& other : engine_.layers) {
    if (!other.is_product || !other.reads_quantized || !other.time_ms) continue;
    if (!other.macs || *other.macs <= 0) continue;
    const auto macs = static_cast<double>(*other.macs);
    others.push_back({.distance = std::abs(std::log(macs / static_cast<double>(*layer.macs))),
                      .ms_per_mac = *other.time_ms / macs});
  }
  if (others.empty()) return std::nullopt;
  std::ranges::stable_sort(others, {}, &Other::distance);
  if (others.size() > kComparable) others.resize(kComparable);
  const auto [fast, slow] = std::ranges::minmax(others, {}, &Other::ms_per_mac);
  const auto macs = static_cast<double>(*layer.macs);
  return Range{*layer.time_ms - macs * slow.ms_per_mac,
               std::max(0.0, *layer.time_ms - macs * fast.ms_per_mac)};
}

void Gains::add_by_bytes(Gain& gain, std::size_t layer, std::int64_t saved_bytes) const {
  const MeasuredLayer& one = engine_.layers[layer];
  if (saved_bytes <= 0) return;
  if (!one.time_ms || !one.moved_bytes || *one.moved_bytes <= 0) {
    gain.reason = format("{} has no time or size", base::quoted(one.name));
    return;
  }
  const double part = static_cast<double>(saved_bytes) / static_cast<double>(*one.moved_bytes);
  add(gain, {.layer = layer,
             .effect = LayerEffect::kFewerBytes,
             .low_ms = 0,
             .high_ms = *one.time_ms * std::min(part, 1.0)});
}

void Gains::add_int8(Gain& gain, std::size_t layer) const {
  const auto range = int8_range(engine_.layers[layer]);
  if (!range) {
    gain.reason = format("the engine has no INT8 product to compare {} with",
                         base::quoted(engine_.layers[layer].name));
    return;
  }
  add(gain, {.layer = layer,
             .effect = LayerEffect::kInt8,
             .low_ms = range->low_ms,
             .high_ms = range->high_ms});
}

// Conversions that stem from the pairs that the edit touches.
void Gains::add_conversions(Gain& gain, const Advice& advice) const {
  const std::set<Index> nodes = nodes_of_pairs(advice);
  std::vector<std::size_t> layers;
  for (std::size_t layer = 0; layer < engine_.layers.size(); ++layer) {
    const MeasuredLayer& one = engine_.layers[layer];
    if (!one.is_conversion) continue;
    if (std::ranges::none_of(nodes_of_[layer], [&](Index node) { return nodes.contains(node); })) {
      continue;
    }
    if (one.time_ms) {
      layers.push_back(layer);
    } else {
      gain.reason = format("{} has no time", base::quoted(one.name));
    }
  }
  const auto time = [&](std::size_t layer) { return *engine_.layers[layer].time_ms; };
  const auto all_readers = [&] {
    const ExistingPair& pair = existing_.pairs[advice.pairs.front()];
    return pair.readers.size() == advice.readers.size();
  };
  const onnx::Link* link = links_.find(advice.tensor);
  const Index maker = link == nullptr ? kNoIndex : link->node;
  const bool is_sure = (advice.action == Action::kRemove && all_readers()) ||
                       (advice.action == Action::kMove && writes_int8_itself(maker)) ||
                       advice.action == Action::kMerge;
  // One of several stays.
  const auto stays =
      advice.action == Action::kMerge ? std::ranges::max_element(layers, {}, time) : layers.end();
  for (auto at = layers.begin(); at != layers.end(); ++at) {
    const bool goes = is_sure && at != stays;
    add(gain, {.layer = *at,
               .effect = goes ? LayerEffect::kGoes : LayerEffect::kMayGo,
               .low_ms = goes ? time(*at) : 0,
               .high_ms = time(*at)});
  }
}

void Gains::add_reader(Gain& gain, const Advice& advice, const Reader& reader) const {
  const onnx::Node& node = model_.nodes[reader.node];
  for (const std::size_t layer : layers_of(reader.node)) {
    const MeasuredLayer& one = engine_.layers[layer];
    if (one.is_conversion) continue;
    if (!one.time_ms) {
      gain.reason = format("{} has no time", base::quoted(one.name));
    } else if (node.op_type == "Add" && one.is_pointwise) {
      add(gain, {.layer = layer, .effect = LayerEffect::kMayGo, .high_ms = *one.time_ms});
    } else if (one.is_product && !one.reads_quantized && reader.input == 0 &&
               has_int8_weight_.contains(reader.node)) {
      add_int8(gain, layer);
    } else {
      const bool writes_it_too = advice.action == Action::kMove && keeps_values(node.op_type);
      add_by_bytes(gain, layer, saved_read(one) + (writes_it_too ? saved_written(one) : 0));
    }
  }
}

void Gains::settle(Gain& gain, double cost_ms) const {
  std::ranges::sort(gain.layers, {}, &LayerGain::layer);
  double low = -cost_ms, high = 0;
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
  // Below what is noticed it does not matter how small the low end is.
  const double noticed = std::max(low, kNoticeableRatio * inference_ms_);
  if (high > kUsableRatio * noticed) {
    gain.reason = format("{} … {} ms is too wide to act on: only the most is known",
                         base::ms_text(low), base::ms_text(high));
    return;
  }
  gain.low_ms = low;
}

Gain Gains::of(const Advice& advice) const {
  Gain gain;
  if (advice.action == Action::kUnsigned) {
    gain.low_ms = gain.high_ms = 0;
    return gain;
  }
  if (advice.action == Action::kSymmetric || advice.action == Action::kFloatBias) {
    gain.reason = "it is about whether the model builds, and to the same values";
    return gain;
  }
  if (!advice.pairs.empty()) add_conversions(gain, advice);
  bool is_mapped = !gain.layers.empty();
  if (advice.action != Action::kRemove && advice.action != Action::kShareScale) {
    for (const Reader& reader : advice.readers) {
      is_mapped |= !layers_of(reader.node).empty();
      add_reader(gain, advice, reader);
    }
    const onnx::Link* link = links_.find(advice.tensor);
    for (const std::size_t layer : layers_of(link == nullptr ? kNoIndex : link->node)) {
      const MeasuredLayer& one = engine_.layers[layer];
      if (is_wholly_int8(advice) && one.writes_float) add_by_bytes(gain, layer, saved_written(one));
    }
  } else {
    for (const Reader& reader : advice.readers) is_mapped |= !layers_of(reader.node).empty();
  }
  if (!is_mapped && gain.reason.empty()) {
    gain.reason = "no layer of the engine stems from these nodes";
  }
  settle(gain);
  return gain;
}

Forecast Gains::of_all(std::span<const Advice> advice) const {
  Forecast forecast;
  std::map<std::size_t, LayerGain> all;
  std::set<std::size_t> writes_int8;
  std::size_t unknown_count = 0;
  for (const Advice& one : advice) {
    const Gain gain = of(one);
    if (!gain.high_ms) ++unknown_count;
    for (const LayerGain& layer : gain.layers) {
      const auto [at, is_new] = all.emplace(layer.layer, layer);
      if (is_new) continue;
      at->second.effect = std::min(at->second.effect, layer.effect);
      at->second.low_ms += layer.low_ms;
      at->second.high_ms += layer.high_ms;
    }
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
               base::counted(advice.size(), "piece of advice", "pieces of advice"));
  }
  settle(forecast.gain);
  return forecast;
}

// What a conversion of so many bytes costs: as long as that of the engine whose size is nearest,
// and longer where it is larger than that.
std::optional<double> Gains::conversion_ms(std::int64_t moved_bytes) const {
  std::optional<double> best, found;
  for (const MeasuredLayer& layer : engine_.layers) {
    if (!layer.is_conversion || !layer.time_ms || !layer.moved_bytes) continue;
    if (*layer.moved_bytes <= 0) continue;
    const double ratio = static_cast<double>(moved_bytes) / static_cast<double>(*layer.moved_bytes);
    const double distance = std::abs(std::log(std::max(ratio, 1e-12)));
    if (best && *best <= distance) continue;
    best = distance;
    found = *layer.time_ms * std::max(ratio, 1.0);
  }
  return found;
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
      add_int8(result.gain, layer);
    } else {
      add_by_bytes(result.gain, layer, saved_read(one) + saved_written(one));
    }
  }
  // Bytes that converting a tensor at the block's edge moves, as a layer there has them.
  double cost = 0;
  bool is_known = true;
  const auto convert = [&](std::string_view tensor, std::int64_t moved) {
    if (std::ranges::find(result.converted, tensor) != result.converted.end()) return;
    result.converted.emplace_back(tensor);
    const auto ms = moved > 0 ? conversion_ms(moved) : std::nullopt;
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
      // A pair that others have already is shared.
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
    result.gain.reason = "the engine has no conversion to take the cost of one from";
  }
  // At best the layers beside the block take the conversions in.
  settle(result.gain, cost);
  return result;
}

}  // namespace planex::quantize
