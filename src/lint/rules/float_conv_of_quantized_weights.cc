#include <array>

#include "base/text.h"
#include "lint/layer_facts.h"
#include "lint/quantization.h"
#include "lint/unique_list.h"

namespace planex::lint::float_conv_of_quantized_weights_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kLinks};

constexpr RuleInfo kInfo = {
    .id = "float-conv-of-quantized-weights",
    .pack = Pack::kTensorRtRtx,
    .severity = Severity::kWarning,
    .summary =
        "convolutions compute in float, and kernels dequantize their quantized weights in every "
        "inference; one finding per engine",
    .rationale =
        "A convolution stays float if the engine does not support its quantized form. TensorRT-RTX "
        "1.7 computes convolutions in INT8 if the scales of activations are scalars, and in float "
        "if they are lists of one value. The weights are stored small, but each inference writes "
        "them out as floats before it reads them, and the input is rounded without becoming "
        "smaller: the cost of quantization without its gain",
    .fix =
        "Write the scales and zero points of activations as scalars (shape []): planex advise does "
        "it, and planex explain quantization names the cause for each layer",
    .needs = kNeeds,
    .source =
        "Both forms built with TensorRT-RTX 1.7.1: eight convolutions of one model are float with "
        "lists of one value, and INT8 with scalars",
    .evidence =
        "the convolutions, the kernels that dequantize their weights with the bytes they read and "
        "write in every inference, and the kernels that compute the Q/DQ pairs before them",
    .estimate = "those kernels' measured times",
    .command = kAdviseCommand};

// Sums over the convolutions of an engine. A byte count is null once one part is unknown.
struct Found {
  std::vector<LayerId> convolutions;
  UniqueList<std::string> data_types, weight_types;
  UniqueList<LayerId> kernels;  // dequantize weights
  UniqueList<LayerId> pairs;    // compute Q/DQ pairs at the convolutions' inputs
  UniqueList<LayerId> behind;   // only quantize what a convolution writes
  std::optional<double> read_bytes = 0, written_bytes = 0;
};

void add(std::optional<double>& sum, std::optional<double> part) {
  sum = sum && part ? std::optional(*sum + *part) : std::nullopt;
}

// Kernels that only compute a quantizer or its dequantizer, before the convolution and before
// pooling on the way: without the pair they have nothing to do.
void add_pairs(const Context& context, PortRow data, UniqueList<LayerId>& pairs) {
  constexpr std::array<std::string_view, 2> kPair = {"QuantizeLinear", "DequantizeLinear"};
  constexpr std::size_t kMaxSteps = 4;
  TensorId tensor = context.tensor_of(data);
  for (std::size_t step = 0; step < kMaxSteps; ++step) {
    const auto writers = context.writers(tensor);
    if (writers.size() != 1) return;
    const LayerId writer = context.layer_of(writers[0]);
    const auto in = context.inputs(writer);
    const bool is_pair = has_only_sources(context, writer, kPair);
    if (in.size() != 1 || (!is_pair && context.family(writer) != Family::kPool)) return;
    if (is_pair) pairs.add(writer);
    tensor = context.tensor_of(in[0]);
  }
}

// An INT8 convolution is followed by a kernel that scales its sums, and that absorbs the quantizer.
void add_quantizers_behind(const Context& context, LayerId convolution,
                           UniqueList<LayerId>& behind) {
  constexpr std::array<std::string_view, 1> kQuantizer = {"QuantizeLinear"};
  for (const PortRow out : context.outputs(convolution)) {
    for (const PortRow reader : context.readers(context.tensor_of(out))) {
      const LayerId layer = context.layer_of(reader);
      if (has_only_sources(context, layer, kQuantizer)) behind.add(layer);
    }
  }
}

void add_convolution(const Context& context, LayerId layer, const WeightKernel& kernel,
                     PortRow data, Found& found) {
  found.convolutions.push_back(layer);
  found.data_types.add(std::string(model::to_string(context.type_of(data))));
  found.weight_types.add(std::string(model::to_string(context.type_of(kernel.constant))));
  found.kernels.add(kernel.layer);
  // A residual may have its own pair.
  for (const PortRow input : context.inputs(layer)) add_pairs(context, input, found.pairs);
  add_quantizers_behind(context, layer, found.behind);
  add(found.read_bytes, port_bytes(context, kernel.constant));
  add(found.written_bytes, port_bytes(context, kernel.out));
}

void report(const Context& context, const Found& found, FindingSink& sink) {
  const std::size_t count = found.convolutions.size();
  const std::string types = listed(found.data_types.items());
  const std::string small = listed(found.weight_types.items());
  const std::vector<LayerId>&kernels = found.kernels.items(), &pairs = found.pairs.items();
  std::vector<std::string> names;
  for (const LayerId layer : found.convolutions) names.push_back(context.name(layer));
  FindingDraft draft;
  draft.layer = found.convolutions.front();
  draft.also_about = found.convolutions;
  draft.message =
      count == 1
          ? format("the convolution computes in {} although the model has its weights in {}", types,
                   small)
          : format("{} convolutions compute in {} although the model has their weights in {}",
                   count, types, small);
  draft.evidence = format("{}; weights converted to {} by {}", listed(names), types,
                          listed_with_times(context, kernels));
  if (found.read_bytes && found.written_bytes) {
    draft.evidence += format(", {} read and {} written in every inference",
                             bytes_text(*found.read_bytes), bytes_text(*found.written_bytes));
  }
  if (!pairs.empty()) {
    draft.evidence +=
        format("; Q/DQ pairs before them computed by {}", listed_with_times(context, pairs));
  }
  UniqueList<LayerId> saved;
  for (const auto* part : {&found.kernels, &found.pairs, &found.behind}) {
    for (const LayerId kernel : part->items()) saved.add(kernel);
  }
  for (const LayerId kernel : saved.items()) draft.savings.push_back({kernel});
  draft.estimate_method =
      "measured times of the kernels that dequantize weights and of those that compute Q/DQ next "
      "to the convolutions; what a convolution in FP16 saves beyond that is not known";
  draft.fix = format(
      "Write the scales and zero points of the activations of {} as scalars (shape []) where they "
      "are lists of one value: TensorRT-RTX 1.7 has INT8 convolutions only for scalars; planex "
      "explain quantization names the cause for each layer",
      count == 1 ? names.front() : format("the {} convolutions", count));
  sink.add(std::move(draft));
}

void run(const Context& context, FindingSink& sink) {
  Found found;
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer) || context.family(layer) != Family::kConvolution) continue;
    const auto ends = typed_ends(context, layer, sink);
    if (!ends || !model::is_float(context.type_of(ends->in[0]))) continue;
    for (const PortRow input : ends->in) {
      if (const auto kernel = weight_kernel_before(context, input)) {
        const PortRow data =
            input == ends->in[0] && ends->in.size() > 1 ? ends->in[1] : ends->in[0];
        add_convolution(context, layer, *kernel, data, found);
        break;
      }
    }
  }
  if (!found.convolutions.empty()) report(context, found, sink);
}

}  // namespace
}  // namespace planex::lint::float_conv_of_quantized_weights_rule

PLANEX_LINT_RULE(float_conv_of_quantized_weights)
