#include <array>
#include <map>
#include <string>
#include <utility>

#include "base/text.h"
#include "lint/layer_facts.h"
#include "lint/quantization.h"
#include "lint/unique_list.h"

namespace planex::lint::channels_not_aligned_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kDims, Need::kLinks, Need::kTimes};

constexpr RuleInfo kInfo = {
    .id = "channels-not-aligned",
    .pack = Pack::kTensorRt,
    .severity = Severity::kInfo,
    .summary =
        "a convolution (1-D, 2-D or 3-D) has input or output channels that do not fill whole "
        "vectors (multiples of 16 for INT8 and FP8, of 8 for FP16 and BF16, of 4 for FP32), and "
        "the convolutions with that channel count take 5 % of the layer time; one note per channel "
        "count",
    .rationale =
        "Tensor Core kernels read 16 bytes of channels at a time. Other channel counts are padded, "
        "which computes and moves zeros, or run on slower kernels. The channels of the network's "
        "input (three colors) and of its results (one per class) are fixed: the rule is silent "
        "there, whatever is between them and the edge",
    .fix =
        "Make the channel count a multiple in the model, by pruning or widening, before it is "
        "trained or exported",
    .needs = kNeeds,
    .source =
        "NVIDIA, Deep Learning Performance Guide: Convolutional Layers, Tensor Core "
        "requirements",
    .evidence = "the convolutions and their times, and the share of padding in whole vectors",
    .estimate = "none: fewer channels save time, more channels use it better"};

std::int64_t alignment_of(DType dtype) {
  constexpr int kVectorBits = 16 * 8;
  const auto bits = model::bits_per_element(dtype);
  return bits ? kVectorBits / *bits : 1;
}

std::int64_t rounded_up(std::int64_t value, std::int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// "16 or 32": the multiples below and above; "4" if there is none below.
std::string whole_vectors(std::int64_t channels, std::int64_t alignment) {
  const std::int64_t below = channels - channels % alignment;
  const std::int64_t above = rounded_up(channels, alignment);
  return below > 0 ? format("{} or {}", below, above) : format("{}", above);
}

// One channel count of the model, wherever it occurs: one decision, so one finding.
struct Width {
  DType dtype = DType::kNull;
  std::int64_t channels = 0;
  UniqueList<LayerId> layers;
  UniqueList<std::string> tensors;
};

class Widths {
 public:
  explicit Widths(const Context& context) : context_(context) {}

  void add(LayerId layer, DType dtype, PortRow port) {
    const std::int64_t channels = context_.dims_of(port)[1];
    const auto [place, is_new] = place_of_.try_emplace({dtype, channels}, widths_.size());
    if (is_new) widths_.push_back({.dtype = dtype, .channels = channels});
    Width& width = widths_[place->second];
    width.layers.add(layer);
    width.tensors.add(context_.name(context_.model_tensor(context_.tensor_of(port))));
  }
  const std::vector<Width>& list() const { return widths_; }

 private:
  const Context& context_;
  std::vector<Width> widths_;  // in the order in which the network meets them
  std::map<std::pair<DType, std::int64_t>, std::size_t> place_of_;
};

void judge(const Context& context, LayerId layer, PortRow in, PortRow out, Widths& widths) {
  const DType dtype = context.type_of(in);
  const std::int64_t alignment = alignment_of(dtype);
  // A count that is odd only at the network's edge can't be changed from inside.
  if (context.dims_of(in)[1] % alignment != 0 && !is_first_product(context, layer)) {
    widths.add(layer, dtype, in);
  }
  if (context.dims_of(out)[1] % alignment != 0 && !is_last_product(context, layer)) {
    widths.add(layer, dtype, out);
  }
}

// Share of the layer time: less is not worth retraining a model.
constexpr double kWorthANewModel = 0.05;

void report(const Context& context, const Width& width, FindingSink& sink) {
  const std::int64_t alignment = alignment_of(width.dtype);
  const auto padded = static_cast<double>(rounded_up(width.channels, alignment));
  const std::vector<LayerId>& layers = width.layers.items();
  double ms = 0;
  for (const LayerId layer : layers) ms += context.time_ms(layer).value_or(0);
  if (ms < kWorthANewModel * context.total_ms().value_or(0)) return;
  FindingDraft draft;
  draft.layer = layers.front();
  draft.severity = Severity::kInfo;
  draft.message =
      format("{} channels are not a multiple of {}, in {} in {}", width.channels, alignment,
             base::counted(layers.size(), "convolution"), model::to_string(width.dtype));
  draft.evidence = format("{}; padded to whole vectors, such a tensor is {:.0f} % zeros",
                          listed_with_times(context, layers),
                          100 * (1 - static_cast<double>(width.channels) / padded));
  if (ms > 0) draft.evidence += format("; together {}", share_text(context, ms));
  draft.fix = format("When you retrain, give {} {} channels", listed(width.tensors.items()),
                     whole_vectors(width.channels, alignment));
  draft.estimate_method = "not known: fewer channels save time, more channels use it better";
  sink.add(std::move(draft));
}

void run(const Context& context, FindingSink& sink) {
  Widths widths(context);
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
    judge(context, layer, in[0], out[0], widths);
  }
  for (const Width& width : widths.list()) report(context, width, sink);
}

}  // namespace
}  // namespace planex::lint::channels_not_aligned_rule

PLANEX_LINT_RULE(channels_not_aligned)
