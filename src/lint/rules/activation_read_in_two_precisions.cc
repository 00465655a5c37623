#include <algorithm>
#include <array>

#include "base/text.h"
#include "lint/advice.h"
#include "lint/layer_facts.h"
#include "lint/quantization.h"

namespace planex::lint::activation_read_in_two_precisions_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kLinks};

constexpr RuleInfo kInfo = {
    .id = "activation-read-in-two-precisions",
    .pack = Pack::kGeneric,
    .severity = Severity::kWarning,
    .summary =
        "an activation is needed both in float and quantized: a layer writes both, or one reader "
        "quantizes what another reads as float",
    .rationale =
        "The float copy costs the writer and its reader up to four times the bytes of the "
        "quantized one, and the quantizer can't be fused into the writer. The float reader is "
        "usually the addition at the end of a skip path. ONNX Runtime adds quantized values only "
        "if all inputs and the output are quantized; if they are not, the rule is silent",
    .fix =
        "Quantize the tensor once, right after the layer that writes it, and let all readers use "
        "the quantized form: put a Q/DQ pair on the skip path, with the same scale",
    .needs = kNeeds,
    .source =
        "Seen in ResNet-18 with OpenVINO 2026.4 and TensorRT 8.4; NVIDIA TensorRT "
        "Developer Guide, Q/DQ Layer-Placement Recommendations",
    .evidence =
        "the layer that writes the activation, type, shape and layout at both readers, and the "
        "times of the conversions between them",
    .estimate =
        "measured times of the conversions that one common type would make unnecessary; for "
        "memory-bound layers without weights, the float copy's share of their bytes",
    .depth = 2,
    .command = kAdviseCommand};

// ONNX Runtime computes an operation with several inputs in a quantized type only if all inputs and
// the output are quantized. For any other reader of floats, the fix would only add a dequantizer.
bool can_read_quantized(const Context& context, const Reach& reader) {
  if (producer_of(context) != Producer::kOnnxRuntime) return true;
  constexpr std::array<std::string_view, 3> kKinds = {"Add", "Mul", "Concat"};
  if (std::ranges::find(kKinds, context.type(reader.layer)) == kKinds.end()) return false;
  const auto is_small = [&](PortRow port) { return model::is_quantized(context.type_of(port)); };
  for (const PortRow port : context.inputs(reader.layer)) {
    if (context.tensor_of(port) == context.tensor_of(reader.port)) continue;
    const auto writers = context.writers(context.tensor_of(port));
    if (writers.size() != 1) return false;
    const auto in = context.inputs(context.layer_of(writers[0]));
    if (!context.is_conversion(context.layer_of(writers[0])) || in.empty() || !is_small(in[0])) {
      return false;
    }
  }
  // A Relu after it is absorbed by the quantizer.
  std::vector<PortRow> out = context.outputs(reader.layer);
  for (int hop = 0; hop < 2 && !out.empty(); ++hop) {
    const Walk walk = context.real_readers(context.tensor_of(out[0]));
    if (std::ranges::any_of(walk.reaches, [&](const Reach& next) { return is_small(next.port); })) {
      return true;
    }
    if (walk.reaches.size() != 1 || context.type(walk.reaches[0].layer) != "Relu") return false;
    out = context.outputs(walk.reaches[0].layer);
  }
  return false;
}

struct Needed {
  std::vector<Reach> as_float;
  std::vector<Reach> as_quantized;
};

Needed needed_forms(const Context& context, PortRow port) {
  Needed needed;
  const auto written = element_count(context.dims_of(port));
  // A single number is a scale, not an activation.
  if (written == 1) return needed;
  for (Reach& reach : context.real_readers(context.tensor_of(port)).reaches) {
    const DType dtype = context.type_of(reach.port);
    // A part of the tensor is a different tensor in the model, with its own Q/DQ pair and scale.
    if (element_count(context.dims_of(reach.port)) != written) continue;
    if (model::is_quantized(dtype)) {
      needed.as_quantized.push_back(std::move(reach));
    } else if (model::is_float(dtype)) {
      needed.as_float.push_back(std::move(reach));
    }
  }
  return needed;
}

// Operations that change a value only by adding, clamping or rounding. A layer of these that ends
// in a quantizer may also write the value that it quantizes. A layer that scales or normalizes as
// well writes the value from before that: the sum on a skip path, next to its normalization in a
// small type.
bool only_adds_and_clamps(const Context& context, LayerId layer) {
  constexpr std::array<std::string_view, 13> kPlain = {
      "Add",    "Relu",   "Clip",   "LeakyRelu", "PRelu",          "Conv",
      "Gemm",   "MatMul", "Concat", "Transpose", "QuantizeLinear", "DequantizeLinear",
      "MaxPool"};
  const model::PlanModel& model = context.model();
  const model::RowRange sources = model.sources_of(layer);
  for (std::size_t row = sources.first; row < sources.end(); ++row) {
    const std::string_view type = model.text(model.sources.op_type[row]);
    if (!type.empty() && std::ranges::find(kPlain, type) == kPlain.end()) return false;
  }
  return true;
}

// The name of a generated kernel spells its operations, four letters each: a product after a sum
// scales it; a reduction or a root normalizes.
bool spells_another_value(std::string_view name) {
  constexpr std::string_view kPrefix = "__myl_";
  constexpr std::array<std::string_view, 9> kOther = {"Mean", "Sqrt", "Exp",  "Sigm", "Silu",
                                                      "Div",  "Tanh", "Gelu", "Erf"};
  if (!name.starts_with(kPrefix)) return false;
  std::string_view spelled = name.substr(kPrefix.size());
  // A quantizer at the end is spelled Mul, Min, Max, Roun and Cast.
  spelled = spelled.substr(0, std::min(spelled.rfind("MulMinMax"), spelled.find('_')));
  const std::size_t sum = spelled.find("Add");
  return std::ranges::any_of(kOther,
                             [&](std::string_view word) { return spelled.contains(word); }) ||
         (sum != std::string_view::npos && spelled.find("Mul", sum) != std::string_view::npos);
}

// The other output of the layer with the same value in a quantized type.
std::optional<PortRow> quantized_twin(const Context& context, LayerId layer, PortRow port) {
  const model::PlanModel& model = context.model();
  // A single number is a scale or a zero point, not an activation.
  if (element_count(context.dims_of(port)) <= 1 || !only_adds_and_clamps(context, layer) ||
      spells_another_value(model.text(model.layers.name[layer.index()]))) {
    return std::nullopt;
  }
  for (const PortRow other : context.outputs(layer)) {
    if (model::is_quantized(context.type_of(other)) &&
        std::ranges::equal(context.dims_of(other), context.dims_of(port))) {
      return other;
    }
  }
  return std::nullopt;
}

// The time of memory-bound layers is proportional to their bytes.
void add_reader_savings(const Context& context, std::span<const Reach> readers, int bits,
                        FindingDraft& draft) {
  for (const Reach& reach : readers) {
    if (context.is_matrix_layer(reach.layer)) continue;
    const PortRow port = reach.port;
    add_traffic_saving(context, reach.layer, std::span(&port, 1), bits, draft);
  }
}

void judge(const Context& context, LayerId layer, PortRow port, std::optional<PortRow> twin,
           const Needed& needed, FindingSink& sink) {
  const TensorId tensor = context.tensor_of(port);
  const DType small = twin ? context.type_of(*twin) : context.type_of(needed.as_quantized[0].port);
  const int bits = model::bits_per_element(small).value_or(8);
  std::vector<std::string> float_readers, quantized_readers;
  for (const Reach& reach : needed.as_float) {
    float_readers.push_back(context.reader_name(reach.layer));
  }
  if (twin) {
    for (const Reach& reach : context.real_readers(context.tensor_of(*twin)).reaches) {
      quantized_readers.push_back(context.name(reach.layer));
    }
  }
  std::vector<LayerId> quantizers;
  for (const Reach& reach : needed.as_quantized) {
    quantized_readers.push_back(context.name(reach.layer));
    append_unique(quantizers, reach.conversions);
  }

  // A reformat in between may have changed the float type; what counts is the type that the reader
  // reads.
  const DType wide = context.type_of(needed.as_float.empty() ? port : needed.as_float[0].port);
  FindingDraft draft;
  draft.layer = layer;
  draft.message = format("{} is needed as {} by {} and as {} by {}", context.name(tensor),
                         model::to_string(wide), listed(float_readers, 2), model::to_string(small),
                         listed(quantized_readers, 2));
  draft.evidence = format("written by {} as {}, {}", context.name(layer), context.port_text(port),
                          time_text(context, layer));
  const std::optional<TensorId> copy =
      twin ? std::optional(context.tensor_of(*twin)) : quantized_copy(context, tensor);
  if (twin) {
    draft.evidence += format(" and as {}", context.port_text(*twin));
    // Then the float copy is not written at all.
    if (!context.is_matrix_layer(layer)) {
      add_traffic_saving(context, layer, std::span(&port, 1), 0, draft);
    }
  }
  if (!quantizers.empty()) {
    draft.evidence += format("; converted by {}", listed_with_times(context, quantizers));
    for (const LayerId quantizer : quantizers) draft.savings.push_back({quantizer});
  }
  add_reader_savings(context, needed.as_float, bits, draft);
  draft.estimate_method = draft.savings.empty()
                              ? "not known: the fix alone removes no conversion, and no layer is "
                                "known to be memory-bound"
                              : "measured times of the conversions, and the float copy's share of "
                                "the time of memory-bound layers without weights";
  draft.fix = format("Put one Q/DQ pair on {} for all its readers", context.name(tensor));
  if (copy) {
    draft.fix =
        format("Let {} read {} instead of {}: put a Q/DQ pair with the same scale on the skip path",
               listed(float_readers, 2), context.name(*copy), context.name(tensor));
  }
  if (context.is_calibrated()) draft.fix = calibrated_fix(context, layer, small);
  sink.add(std::move(draft));
}

void run(const Context& context, FindingSink& sink) {
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer) || context.is_conversion(layer)) continue;
    for (const PortRow port : context.outputs(layer)) {
      if (context.type_of(port) == DType::kNull) {
        sink.could_not_judge("their output types are not known");
        continue;
      }
      sink.looked_at();
      if (!model::is_float(context.type_of(port))) continue;
      const auto twin = quantized_twin(context, layer, port);
      const Needed needed = needed_forms(context, port);
      if (needed.as_float.empty() || (!twin && needed.as_quantized.empty())) continue;
      if (!std::ranges::all_of(needed.as_float, [&](const Reach& reader) {
            return can_read_quantized(context, reader);
          })) {
        continue;
      }
      judge(context, layer, port, twin, needed, sink);
    }
  }
}

}  // namespace
}  // namespace planex::lint::activation_read_in_two_precisions_rule

PLANEX_LINT_RULE(activation_read_in_two_precisions)
