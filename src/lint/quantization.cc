#include "lint/quantization.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "lint/advice.h"

namespace planex::lint {
namespace {

using base::format;

bool writes_quantized(const Context& context, LayerId layer) {
  return std::ranges::any_of(context.outputs(layer), [&](PortRow port) {
    return model::is_quantized(context.type_of(port));
  });
}

// If the file does not say what a layer was made from, it can be anything.
bool may_add(const Context& context, LayerId layer) {
  return context.adds(layer) || context.model().sources_of(layer).count == 0;
}

// OpenVINO fuses an addition into the convolution before it, and moves values in any type; other
// elementwise computation (HardSigmoid, a gate) reads floats, with or without Q/DQ before it.
bool reads_floats_anyway(const Context& context, LayerId layer) {
  if (producer_of(context) != Producer::kOpenVino) return false;
  const bool is_pointwise = context.family(layer) == Family::kPointwise ||
                            context.type(layer) == "Subgraph" || context.type(layer) == "Eltwise";
  return is_pointwise && !may_add(context, layer);
}

// Conversions between the float and a quantized type; those between two floats on the way
// disappear, too.
void add_path(FloatOutput& output, const Reach& reach) {
  append_unique(output.conversions, reach.conversions);
  append_unique(output.pools, reach.pools);
  output.is_requantized = true;
}

// For a float layer after the output that has no weights, such as a separate addition: is its
// result quantized?
void look_behind(const Context& context, const Reach& reach, FloatOutput& output) {
  for (const PortRow port : context.outputs(reach.layer)) {
    const Walk walk = context.real_readers(context.tensor_of(port), Through::kConversionsAndPools);
    for (const Reach& next : walk.reaches) {
      if (model::is_quantized(context.type_of(next.port))) add_path(output, next);
    }
  }
}

void add_other_sides(const Context& context, const Reach& reach, FloatOutput& output) {
  for (const PortRow port : context.inputs(reach.layer)) {
    const bool is_own = context.tensor_of(port) == context.tensor_of(reach.port);
    if (!is_own && model::is_float(context.type_of(port))) output.other_sides.push_back(port);
  }
}

void follow(const Context& context, FloatOutput& output) {
  const Walk walk =
      context.real_readers(context.tensor_of(output.port), Through::kConversionsAndPools);
  output.is_head = walk.reaches.empty();
  for (const Reach& reach : walk.reaches) {
    if (model::is_quantized(context.type_of(reach.port))) {
      add_path(output, reach);
      continue;
    }
    if (context.is_matrix_layer(reach.layer)) {
      output.float_readers.push_back(reach);
      continue;
    }
    if (!reach.pools.empty()) {
      // What is added after the pooling is a different matter: the pooling comes first.
      append_unique(output.pools, reach.pools);
      output.float_readers.push_back(reach);
      output.is_requantized = output.is_requantized || writes_quantized(context, reach.layer);
      continue;
    }
    if (reads_floats_anyway(context, reach.layer)) {
      output.float_readers.push_back(reach);
      continue;
    }
    if (writes_quantized(context, reach.layer)) {
      append_unique(output.quantizing_readers, std::span(&reach.layer, 1));
      add_other_sides(context, reach, output);
      output.is_requantized = true;
      continue;
    }
    output.float_readers.push_back(reach);
    add_other_sides(context, reach, output);
    look_behind(context, reach, output);
  }
}

std::string writer_name(const Context& context, TensorId tensor) {
  const Walk walk = context.real_writers(tensor);
  return walk.reaches.empty() ? "the engine's input" : context.name(walk.reaches[0].layer);
}

// By the type of pooling if the file records it, else by its names: "maxpool", "MaxPool_12".
bool takes_maximum(const Context& context, LayerId pool) {
  const std::string_view type = context.model().attribute(pool, "PoolingType");
  if (!type.empty()) return base::contains_ignoring_case(type, "max");
  const auto& layers = context.model().layers;
  for (const base::StringId text : {layers.name[pool.index()], layers.type[pool.index()],
                                    layers.raw_type[pool.index()], layers.tactic[pool.index()]}) {
    if (base::contains_ignoring_case(context.model().text(text), "max")) return true;
  }
  return false;
}

// "X (FP16, written by Y)".
std::string described(const Context& context, PortRow port) {
  return format("{} ({}, written by {})", context.name(context.tensor_of(port)),
                model::to_string(context.type_of(port)),
                writer_name(context, context.tensor_of(port)));
}

// The first layer at the end of a walk that runs in float because of a rule of the engine.
std::optional<FallbackCause> fallback_in(const Context& context, const Walk& walk) {
  for (const Reach& reach : walk.reaches) {
    const auto fallback = context.fallback(reach.layer);
    if (!fallback) continue;
    const auto* const rule = engines::find_engine_rule(fallback->rule);
    if (rule != nullptr) return FallbackCause{reach.layer, rule, fallback->is_likely};
  }
  return std::nullopt;
}

}  // namespace

std::optional<WeightKernel> weight_kernel_before(const Context& context, PortRow input) {
  const auto writers = context.writers(context.tensor_of(input));
  if (writers.size() != 1) return std::nullopt;
  const PortRow out = writers[0];
  const LayerId layer = context.layer_of(out);
  if (!context.works(layer) || !context.inputs(layer).empty() ||
      !model::is_float(context.type_of(out))) {
    return std::nullopt;
  }
  const model::RowRange ports = context.model().ports_of(layer);
  for (PortRow port = ports.first; port < ports.end(); ++port) {
    if (context.model().ports.direction[port] != model::Direction::kOutput &&
        model::is_quantized(context.type_of(port))) {
      return WeightKernel{layer, port, out};
    }
  }
  return std::nullopt;
}

std::optional<FallbackCause> fallback_beside(const Context& context, TensorId before,
                                             TensorId behind, DType small) {
  // If the engine has no products in the type, neither has anything next to a conversion to it.
  if (small == DType::kFp8) {
    const auto* const rule = context.engine_rule(engines::Condition::kFp8Products);
    if (rule != nullptr) return FallbackCause{LayerId(), rule};
  }
  // The reader of the pair is why it is there; else the layer that wrote the float before it.
  if (auto cause = fallback_in(context, context.real_readers(behind))) return cause;
  return fallback_in(context, context.real_writers(before));
}

std::string because_text(const Context& context, const FallbackCause& cause) {
  if (cause.layer.is_null()) return format("because {}", cause.rule->because);
  return format("{}because {} runs in float: {}", cause.is_likely ? "likely " : "",
                context.name(cause.layer), cause.rule->because);
}

std::string calibrated_fix(const Context& context, LayerId layer, DType small) {
  bool any_half = false;
  for (std::size_t row = 0; row < context.layer_count() && !any_half; ++row) {
    const LayerId other(row);
    const DType type = context.first_data_type(other);
    any_half = context.works(other) && context.is_matrix_layer(other) &&
               (type == DType::kFp16 || type == DType::kBf16);
  }
  if (!any_half) {
    return std::string(kAllowHalfFix);
  }
  if (context.is_generated(layer)) {
    // Myelin's kernels are not layers of the network: their types can't be requested by name.
    return std::string(kBuilderChose) +
           ": quantize the model explicitly, or keep the layers next to this conversion in FP16 "
           "(--layerPrecisions=NAME:fp16 --precisionConstraints=obey) and check whether it is "
           "faster";
  }
  return format(
      "{}: request {} in {} (--layerPrecisions={}:{} --precisionConstraints=obey) and check "
      "whether it is faster, or quantize the model explicitly",
      kBuilderChose, context.name(layer), model::to_string(small),
      context.model().text(context.model().layers.name[layer.index()]),
      base::lower(model::to_string(small)));
}

void append_unique(std::vector<LayerId>& layers, std::span<const LayerId> more) {
  for (const LayerId layer : more) {
    if (std::ranges::find(layers, layer) == layers.end()) layers.push_back(layer);
  }
}

std::vector<FloatOutput> float_outputs(const Context& context, LayerId layer) {
  if (!context.works(layer) || !context.is_matrix_layer(layer)) return {};
  const auto in = context.inputs(layer);
  if (in.empty() || !model::is_quantized(context.type_of(in[0]))) return {};
  std::vector<FloatOutput> result;
  for (const PortRow port : context.outputs(layer)) {
    if (!model::is_float(context.type_of(port))) continue;
    FloatOutput output;
    output.port = port;
    for (std::size_t i = 1; i < in.size(); ++i) {
      if (!model::is_float(context.type_of(in[i]))) continue;
      output.residuals.push_back(in[i]);
      // A dequantizer before the residual that is there only because the residual is read as float.
      for (const std::uint32_t writer :
           graph::first_few(context.writers(context.tensor_of(in[i])))) {
        const LayerId from = context.layer_of(writer);
        const auto from_in = context.inputs(from);
        if (context.is_conversion(from) && !from_in.empty() &&
            model::is_quantized(context.type_of(from_in[0]))) {
          append_unique(output.conversions, std::span(&from, 1));
        }
      }
    }
    follow(context, output);
    result.push_back(std::move(output));
  }
  return result;
}

std::optional<TensorId> quantized_copy(const Context& context, TensorId tensor) {
  for (const std::uint32_t reader : context.readers(tensor)) {
    const LayerId layer = context.layer_of(reader);
    if (!context.is_conversion(layer)) continue;
    for (const PortRow port : context.outputs(layer)) {
      if (model::is_quantized(context.type_of(port))) return context.tensor_of(port);
    }
  }
  return std::nullopt;
}

std::string placement_fix(const Context& context, LayerId layer, const FloatOutput& output) {
  const std::string own = context.name(context.tensor_of(output.port));
  if (context.is_calibrated()) return calibrated_fix(context, layer, DType::kInt8);
  std::vector<std::string> parts;
  for (const PortRow port : output.residuals) {
    const auto copy = quantized_copy(context, context.tensor_of(port));
    std::string part = format("quantize {} for {}: one Q/DQ pair on the skip path, from {}",
                              context.name(context.tensor_of(port)), context.reader_name(layer),
                              writer_name(context, context.tensor_of(port)));
    if (copy) part += format(", shared with the one that writes {}", context.name(*copy));
    parts.push_back(std::move(part));
  }
  for (const LayerId reader : output.quantizing_readers) {
    std::vector<std::string> tensors = {own};
    for (const PortRow port : output.other_sides) {
      if (context.layer_of(port) == reader) {
        tensors.push_back(context.name(context.tensor_of(port)));
      }
    }
    parts.push_back(
        format("put Q/DQ on {} before {}, so that it can run inside {} and read and "
               "write the small type",
               listed(tensors), context.addition_name(reader), context.name(layer)));
  }
  for (const LayerId pool : output.pools) {
    const auto in = context.inputs(pool);
    parts.push_back(
        pool_fix(context, pool, in.empty() ? own : context.name(context.tensor_of(in[0]))));
  }
  if (parts.empty()) {
    for (const Reach& reader : output.float_readers) {
      if (context.is_matrix_layer(reader.layer)) {
        parts.push_back(format("put a Q/DQ pair on {} where {} reads it", own,
                               context.reader_name(reader.layer)));
      } else {
        parts.push_back(
            format("put a Q/DQ pair on {} and let {} run in the small type, with Q/DQ on "
                   "all of its inputs",
                   own, context.name(reader.layer)));
      }
    }
  }
  if (parts.empty() && output.is_requantized) {
    parts.push_back(format("put the Q/DQ right after {}, on {}, with no other reader left in float",
                           context.name(layer), own));
  }
  std::string text = format("{}", fmt::join(parts, "; "));
  if (!text.empty() && text[0] == 'p') text[0] = 'P';
  if (!text.empty() && text[0] == 'q') text[0] = 'Q';
  return text;
}

std::vector<TensorId> tensors_to_quantize(const Context& context, const FloatOutput& output) {
  std::vector<TensorId> tensors;
  for (const PortRow port : output.residuals) tensors.push_back(context.tensor_of(port));
  if (!output.quantizing_readers.empty()) {
    tensors.push_back(context.tensor_of(output.port));
    for (const PortRow port : output.other_sides) tensors.push_back(context.tensor_of(port));
  }
  for (const LayerId pool : output.pools) {
    const auto in = context.inputs(pool);
    tensors.push_back(context.tensor_of(in.empty() ? output.port : in[0]));
  }
  if (tensors.empty()) tensors.push_back(context.tensor_of(output.port));
  std::ranges::sort(tensors);
  const auto rest = std::ranges::unique(tensors);
  tensors.erase(rest.begin(), rest.end());
  return tensors;
}

std::string cause(const Context& context, const FloatOutput& output) {
  if (output.is_head) return "; it is a head of the network";
  if (!output.residuals.empty()) {
    const PortRow port = output.residuals[0];
    return format("; its residual input {} is {}", context.name(context.tensor_of(port)),
                  model::to_string(context.type_of(port)));
  }
  if (!output.pools.empty()) {
    return format("; the pooling {} after it runs in float", context.name(output.pools[0]));
  }
  if (!output.other_sides.empty()) {
    const PortRow port = output.other_sides[0];
    return format("; {} reads it together with {}, which is {}",
                  context.reader_name(context.layer_of(port)),
                  context.name(context.tensor_of(port)), model::to_string(context.type_of(port)));
  }
  if (!output.float_readers.empty()) {
    return format("; {} reads it in float", context.name(output.float_readers[0].layer));
  }
  return {};
}

std::string quantizer_fix(const Context& context, PortRow in, DType small) {
  const std::string tensor = context.name(context.tensor_of(in));
  const std::string_view type = model::to_string(small);
  const Walk writers = context.real_writers(context.tensor_of(in));
  if (writers.reaches.empty()) return {};
  const LayerId writer = writers.reaches[0].layer;
  if (context.is_calibrated()) return calibrated_fix(context, writer, small);
  if (context.family(writer) == Family::kPool) {
    const auto pool_in = context.inputs(writer);
    return format(
        "Move the Q/DQ pair of {} before the pooling {}{}, so that it reads and writes {}", tensor,
        context.name(writer),
        pool_in.empty() ? std::string()
                        : format(", onto {}", context.name(context.tensor_of(pool_in[0]))),
        type);
  }
  std::vector<std::string> float_inputs;
  for (const PortRow port : context.inputs(writer)) {
    if (model::is_float(context.type_of(port))) {
      float_inputs.push_back(context.name(context.tensor_of(port)));
    }
  }
  // Such a convolution writes float whatever follows it.
  if (context.family(writer) == Family::kConvolution &&
      context.engine_rule(engines::Condition::kWrittenType) != nullptr) {
    return {};
  }
  if (float_inputs.empty()) {
    return format("Put the Q/DQ of {} right after {}, with no other reader of {} left in float",
                  tensor, context.name(writer), tensor);
  }
  return format("Put Q/DQ on {} too, so that {} can write {} in {}", listed(float_inputs, 2),
                context.name(writer), tensor, type);
}

std::string caller_quantizes_fix(const Context& context, PortRow in, DType small) {
  return format(
      "Let the caller quantize {} with the scale of this quantizer and pass it as {}: the model "
      "then begins with the dequantizer",
      context.name(context.tensor_of(in)), model::to_string(small));
}

std::string pool_fix(const Context& context, LayerId pool, const std::string& tensor) {
  const bool averages = context.family(pool) == Family::kPool && !takes_maximum(context, pool);
  return format("put Q/DQ before {}, on {}, and {} the one after it", context.name(pool), tensor,
                averages ? "keep" : "drop");
}

std::string dequantizer_fix(const Context& context, PortRow out, DType small) {
  const Walk readers = context.real_readers(context.tensor_of(out));
  if (readers.reaches.empty()) return {};
  const LayerId reader = readers.reaches[0].layer;
  if (context.is_calibrated()) return calibrated_fix(context, reader, small);
  const std::string_view type = model::to_string(small);
  std::vector<std::string> others;
  for (const PortRow port : context.inputs(reader)) {
    if (model::is_float(context.type_of(port)) &&
        context.tensor_of(port) != context.tensor_of(out)) {
      others.push_back(context.name(context.tensor_of(port)));
    }
  }
  // A layer that adds the tensor to its own product reads it in the type that it writes.
  std::string outputs;
  for (const PortRow port : context.outputs(reader)) {
    if (model::is_float(context.type_of(port))) {
      outputs = format(" and on what it writes, {}", context.name(context.tensor_of(port)));
    }
  }
  if (others.empty() && outputs.empty()) {
    return format("Let {} read {} in {}", context.name(reader),
                  context.name(context.tensor_of(out)), type);
  }
  return format("Let {} read {} in {}: Q/DQ{}{}", context.name(reader),
                context.name(context.tensor_of(out)), type,
                others.empty() ? std::string() : format(" on {} too", listed(others, 2)), outputs);
}

void add_float_conversion_fix(const Context& context, PortRow in, PortRow out,
                              FindingDraft& draft) {
  const DType from = context.type_of(in);
  const DType to = context.type_of(out);
  const bool narrows =
      model::bits_per_element(to).value_or(0) < model::bits_per_element(from).value_or(0);
  const Walk walk = narrows ? context.real_writers(context.tensor_of(in))
                            : context.real_readers(context.tensor_of(out));
  if (walk.reaches.empty()) return;
  const std::string neighbor = context.name(walk.reaches[0].layer);
  if (producer_of(context) == Producer::kOnnxRuntime && !has_half_kernels(context)) {
    draft.fix = format("Keep the model in {} at {}: the CPU provider computes in no smaller type",
                       model::to_string(narrows ? from : to), neighbor);
    return;
  }
  draft.action = ActionKind::kOption;
  draft.fix =
      format("Let {} run in {}: allow the type for the build, or set that layer's precision",
             neighbor, model::to_string(narrows ? to : from));
}

std::string listed_with_times(const Context& context, std::span<const LayerId> layers) {
  std::vector<std::string> texts;
  for (const LayerId layer : layers) {
    texts.push_back(format("{} {}", context.name(layer), time_text(context, layer)));
  }
  return listed(texts);
}

std::string consequences(const Context& context, const FloatOutput& output) {
  std::string text;
  for (const PortRow port : output.residuals) {
    text += format("; residual input {}", described(context, port));
  }
  for (const PortRow port : output.other_sides) {
    text += format("; {} also reads {}", context.addition_name(context.layer_of(port)),
                   described(context, port));
  }
  std::vector<std::string> readers;
  for (const Reach& reader : output.float_readers) readers.push_back(context.name(reader.layer));
  if (!readers.empty()) text += format("; read in float by {}", listed(readers, 2));
  if (!output.quantizing_readers.empty()) {
    text += format("; quantized by {}", listed_with_times(context, output.quantizing_readers));
  }
  if (!output.conversions.empty()) {
    text += format("; conversions: {}", listed_with_times(context, output.conversions));
  }
  return text;
}

void add_own_saving(const Context& context, LayerId layer, std::span<const PortRow> ports, int bits,
                    FindingDraft& draft) {
  const auto time = context.time_ms(layer);
  if (!time || !(*time > 0)) return;
  if (const auto twins = context.speeds().quantized_twins(layer)) {
    const double part = 1 - twins->time_ms / *time;
    // Twins that take longer than the layer say nothing about it: their times were disturbed, or it
    // is already fast.
    if (!(part > 0)) return;
    draft.savings.push_back({layer, part});
    draft.evidence +=
        format("; it would take {}, like {} with the same work that {} the quantized type",
               microseconds(twins->time_ms), base::counted(twins->count, "layer"),
               twins->count == 1 ? "writes" : "write");
    return;
  }
  if (const auto part = context.speeds().saved_by_bytes(layer, ports, bits)) {
    draft.savings.push_back({layer, *part});
    draft.evidence +=
        format("; it is memory-bound, and {:.0f} % of its bytes disappear", 100 * *part);
  }
}

void add_traffic_saving(const Context& context, LayerId layer, std::span<const PortRow> ports,
                        int bits, FindingDraft& draft) {
  if (const auto part = context.speeds().saved_by_bytes(layer, ports, bits)) {
    draft.savings.push_back({layer, *part});
  }
}

void add_pool_savings(const Context& context, const FloatOutput& output, int bits,
                      FindingDraft& draft) {
  for (const LayerId pool : output.pools) {
    const auto in = context.inputs(pool), out = context.outputs(pool);
    if (in.empty() || out.empty()) continue;
    const std::array ports = {in[0], out[0]};
    add_traffic_saving(context, pool, ports, bits, draft);
  }
}

}  // namespace planex::lint
