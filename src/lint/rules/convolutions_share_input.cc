#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "base/text.h"
#include "lint/advice.h"
#include "lint/layer_facts.h"

namespace planex::lint::convolutions_share_input_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kDims, Need::kLinks};

constexpr RuleInfo kInfo = {
    .id = "convolutions-share-input",
    .pack = Pack::kGeneric,
    .severity = Severity::kInfo,
    .summary =
        "two or more convolutions with the same kernel, and with at most 16 output channels each, "
        "read the same tensor",
    .rationale =
        "Each reads the whole tensor and fills a small part of the device: a few output channels "
        "take nearly as long as 32 or 64. One convolution with the weights side by side reads the "
        "tensor once. Detector heads have such convolutions: class, box and score from one tensor. "
        "Readers of which one uses only a part of the tensor are left alone, because they share "
        "nothing (the output of TensorRT's merged convolutions is one tensor, too). TensorRT "
        "merges many such convolutions by itself; if it did not, it may have found the separate "
        "ones faster",
    .fix =
        "Merge them in the model: one Conv with concatenated weights, then a Split; the results "
        "stay "
        "the same",
    .needs = kNeeds,
    .source =
        "NVIDIA Deep Learning Performance Guide, Convolutional Layers: output channels fill tiles "
        "of "
        "32 and more",
    .evidence = "the convolutions with their times, and their shapes",
    .estimate =
        "not known: it depends on the kernels; docs/reference/evidence.md lists what was measured"};

constexpr std::int64_t kMaxChannels = 16;
constexpr std::size_t kMaxReaders = 64;  // real tensors have a few

struct SmallConvolution {
  LayerId layer;
  PortRow in = 0, out = 0;
};

// Rows of the model's operations, by name.
using Operations = std::map<std::string_view, std::size_t>;

Operations operations_of(const model::PlanModel& model) {
  Operations operations;
  for (std::size_t row = 0; row < model.operations.row_count(); ++row) {
    operations.emplace(model.text(model.operations.name[row]), row);
  }
  return operations;
}

std::vector<SmallConvolution> readers_of(const Context& context, TensorId tensor) {
  std::vector<SmallConvolution> list;
  for (const PortRow port : context.readers(tensor)) {
    const LayerId layer = context.layer_of(port);
    if (!context.works(layer) || context.family(layer) != Family::kConvolution) continue;
    if (!reads_whole(context, port)) continue;
    const auto in = context.inputs(layer), out = context.outputs(layer);
    // With a residual, or fused with more, it is a different kind of layer.
    if (in.size() != 1 || out.size() != 1) continue;
    const auto dims = context.dims_of(out[0]);
    if (dims.size() < 3 || dims[1] <= 0 || dims[1] > kMaxChannels) continue;
    list.push_back({layer, port, out[0]});
    if (list.size() == kMaxReaders) break;
  }
  return list;
}

// Size, stride and so on of the kernel as text, from the layer's own record or else from the
// operation of the model, and the weights per channel. Null if neither is recorded: kernels of
// which nothing is known can't be called the same.
std::optional<std::string> kernel_of(const Context& context, const SmallConvolution& one,
                                     const Operations& operations) {
  const model::PlanModel& model = context.model();
  std::string text;
  for (const std::string_view key : {"Kernel", "Stride", "Dilation", "Groups", "PrePadding"}) {
    const std::string_view value = model.attribute(one.layer, key);
    if (!value.empty()) text += format("{}={};", key, value);
  }
  if (!model.attribute(one.layer, "Kernel").empty()) return text;
  const auto found = operations.find(model.text(model.layers.name[one.layer.index()]));
  if (found == operations.end()) return std::nullopt;
  for (const std::string_view key : {"kernel_shape", "pads", "strides", "dilations", "group"}) {
    const std::string_view parameters = model.text(model.operations.parameters[found->second]);
    const std::size_t from = parameters.find(format("\"{}\":", key));
    if (from == parameters.npos) continue;
    const std::size_t list = parameters.find_first_of("[,}", from);
    const bool is_list = list != parameters.npos && parameters[list] == '[';
    const std::size_t end = is_list ? parameters.find(']', list) : list;
    text += parameters.substr(from, end == parameters.npos ? end : end - from);
    text += ';';
  }
  const auto weights = model.operations.weight_bytes[found->second];
  return format("{}{}", text, weights / context.dims_of(one.out)[1]);
}

bool same_output(const Context& context, const SmallConvolution& a, const SmallConvolution& b) {
  const auto from = context.dims_of(a.out), to = context.dims_of(b.out);
  if (from.size() != to.size() || context.type_of(a.out) != context.type_of(b.out)) return false;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (i != 1 && from[i] != to[i]) return false;
  }
  return true;
}

void report(const Context& context, TensorId tensor, std::vector<SmallConvolution> group,
            FindingSink& sink) {
  std::ranges::stable_sort(group, std::ranges::greater{}, [&](const SmallConvolution& one) {
    return context.time_ms(one.layer).value_or(0);
  });
  std::vector<std::string> names;
  std::int64_t channels = 0;
  // ONNX Runtime's blocked layout pads to whole vectors: for 4 channels it writes 16.
  const bool are_padded = producer_of(context) == Producer::kOnnxRuntime;
  FindingDraft draft;
  draft.layer = group.front().layer;
  draft.severity = Severity::kInfo;
  for (const SmallConvolution& one : group) {
    names.push_back(format("{} {}", context.name(one.layer), time_text(context, one.layer)));
    channels += context.dims_of(one.out)[1];
    draft.also_about.push_back(one.layer);
  }
  const std::string of_channels =
      are_padded ? std::string() : format(" of {} output channels", channels);
  draft.message =
      format("{} convolutions{} read {}", group.size(),
             are_padded ? " of few channels" : of_channels + " together", context.name(tensor));
  draft.evidence = format("{}; each reads {}", listed(names, 4), context.port_text(group[0].in));
  draft.estimate_method =
      "not known: together, so few channels usually take no longer; build both and compare";
  draft.fix = format(
      "Merge them in the model: one Conv{} with the weights side by side, and a Split after it",
      of_channels);
  sink.add(std::move(draft));
}

void run(const Context& context, FindingSink& sink) {
  std::optional<Operations> operations;  // computed when first needed
  for (std::size_t row = 0; row < context.model().tensors.row_count(); ++row) {
    std::vector<SmallConvolution> list = readers_of(context, TensorId(row));
    if (!list.empty()) sink.looked_at();
    while (list.size() > 1) {
      if (!operations) operations = operations_of(context.model());
      const SmallConvolution first = list.front();
      const auto kernel = kernel_of(context, first, *operations);
      // The first is like itself, so that the list gets shorter.
      const auto others =
          std::stable_partition(list.begin() + 1, list.end(), [&](const SmallConvolution& one) {
            return kernel && same_output(context, first, one) &&
                   kernel_of(context, one, *operations) == kernel;
          });
      std::vector<SmallConvolution> group(list.begin(), others);
      list.erase(list.begin(), others);
      if (group.size() > 1) report(context, TensorId(row), std::move(group), sink);
    }
  }
}

}  // namespace
}  // namespace planex::lint::convolutions_share_input_rule

PLANEX_LINT_RULE(convolutions_share_input)
