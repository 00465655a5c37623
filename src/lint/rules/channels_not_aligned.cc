#include <array>
#include <string>

#include "base/text.h"
#include "lint/layer_facts.h"

namespace planex::lint::channels_not_aligned_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kDims};

constexpr RuleInfo kInfo = {
    .id = "channels-not-aligned",
    .pack = Pack::kTensorRt,
    .severity = Severity::kWarning,
    .summary =
        "a convolution (1-D, 2-D or 3-D) has input or output channels that do not fill "
        "whole vectors: multiples of 16 for INT8 and FP8, of 8 for FP16 and BF16, of 4 for "
        "FP32",
    .rationale =
        "Tensor Core kernels read 16 bytes of channels at a time. Other numbers of channels are "
        "padded, which computes and moves zeros, or go to slower kernels. The channels of the "
        "network's input (three colours) and of its results (as many as classes) are what they "
        "are: the rule is silent there, whatever lies between them and the edge",
    .fix =
        "Make the channels a multiple in the model, pruned or widened, before it is trained or "
        "exported",
    .needs = kNeeds,
    .source =
        "NVIDIA, Deep Learning Performance Guide: Convolutional Layers, Tensor Core "
        "requirements",
    .evidence =
        "types, shapes and layouts of input and output, the layer's time, and the share "
        "of padding in whole vectors",
    .estimate = "none: fewer channels save time, more make better use of it"};

std::int64_t alignment_of(DType dtype) {
  constexpr int kVectorBits = 16 * 8;
  const auto bits = model::bits_per_element(dtype);
  return bits ? kVectorBits / *bits : 1;
}

std::int64_t rounded_up(std::int64_t value, std::int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// "16 or 32", the multiples below and above; "4" where there is none below.
std::string whole_vectors(std::int64_t channels, std::int64_t alignment) {
  const std::int64_t below = channels - channels % alignment;
  const std::int64_t above = rounded_up(channels, alignment);
  return below > 0 ? format("{} or {}", below, above) : format("{}", above);
}

void judge(const Context& context, LayerId layer, PortRow in, PortRow out, FindingSink& sink) {
  const DType dtype = context.type_of(in);
  const std::int64_t alignment = alignment_of(dtype);
  const std::int64_t in_channels = context.dims_of(in)[1];
  const std::int64_t out_channels = context.dims_of(out)[1];
  const bool in_odd = in_channels % alignment != 0;
  const bool out_odd = out_channels % alignment != 0;
  if (!in_odd && !out_odd) return;

  // What is odd only where the network meets the outside can't be helped from inside.
  const bool asks_of_input = in_odd && !is_first_product(context, layer);
  const bool asks_of_output = out_odd && !is_last_product(context, layer);
  if (!asks_of_input && !asks_of_output) return;
  FindingDraft draft;
  draft.layer = layer;
  draft.message = format("{}{}{} channels of a convolution in {} are not a multiple of {}",
                         in_odd ? format("{} input", in_channels) : std::string(),
                         in_odd && out_odd ? " and " : "",
                         out_odd ? format("{} output", out_channels) : std::string(),
                         model::to_string(dtype), alignment);
  const std::int64_t padded_in = rounded_up(in_channels, alignment);
  const std::int64_t padded_out = rounded_up(out_channels, alignment);
  const double useful = static_cast<double>(in_channels) / static_cast<double>(padded_in) *
                        (static_cast<double>(out_channels) / static_cast<double>(padded_out));
  draft.evidence = format(
      "{} → {}, {}; padded to whole vectors, {:.0f} % of the work would be on "
      "zeros",
      context.port_text(in), context.port_text(out), time_text(context, layer), 100 * (1 - useful));
  if (asks_of_input) {
    draft.fix = format("Give {} {} channels in the model", context.name(context.tensor_of(in)),
                       whole_vectors(in_channels, alignment));
  }
  if (asks_of_output) {
    draft.fix += format("{} {} {} output channels", draft.fix.empty() ? "Give" : ", and",
                        context.name(layer), whole_vectors(out_channels, alignment));
  }
  draft.estimate_method = "not known: fewer channels save time, more make better use of it";
  sink.add(std::move(draft));
}

void run(const Context& context, FindingSink& sink) {
  constexpr std::size_t kMinRank = 3;  // N, C and one spatial dimension
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer) || context.family(layer) != Family::kConvolution) continue;
    const auto in = context.inputs(layer);
    const auto out = context.outputs(layer);
    if (in.empty() || out.empty()) continue;
    const auto in_dims = context.dims_of(in[0]);
    const auto out_dims = context.dims_of(out[0]);
    if (context.type_of(in[0]) == DType::kNull || in_dims.size() < kMinRank ||
        out_dims.size() < kMinRank || in_dims[1] <= 0 || out_dims[1] <= 0) {
      sink.could_not_judge("their type or number of channels is not known");
      continue;
    }
    sink.looked_at();
    judge(context, layer, in[0], out[0], sink);
  }
}

}  // namespace
}  // namespace planex::lint::channels_not_aligned_rule

PLANEX_LINT_RULE(channels_not_aligned)
