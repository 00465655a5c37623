#include "quantize/fold.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/try.h"
#include "quantize/constants.h"

namespace planex::quantize {
namespace {

using onnx::Index;
using onnx::kNoIndex;

// Inputs of BatchNormalization.
constexpr std::size_t kScale = 1, kShift = 2, kMean = 3, kVariance = 4, kInputs = 5;

class Folder {
 public:
  Folder(const onnx::Model& model, const onnx::Links& links, onnx::Values& values,
         const Placement& placement)
      : model_(model), links_(links), values_(values) {
    for (const PlacedTensor& tensor : placement.tensors) placed_.insert(tensor.name);
  }

  // Null where the layer stays as it is.
  Result<std::optional<FoldedLayer>> fold(const PlacedWeight& weight) {
    const Index normalization = normalization_after(weight);
    if (normalization == kNoIndex) return std::nullopt;
    const onnx::Node& layer = model_.nodes[weight.layer];
    const auto inputs = model_.inputs_of(model_.nodes[normalization]);
    std::vector<std::vector<float>> parameters(kInputs);
    for (std::size_t i = kScale; i < kInputs; ++i) {
      PLANEX_ASSIGN(parameters[i], floats(inputs[i]));
      if (parameters[i].size() != parameters[kScale].size()) return std::nullopt;
    }
    const std::size_t channels = parameters[kScale].size();
    if (channels == 0) return std::nullopt;
    std::vector<float> bias(channels, 0.0F);
    if (layer.inputs.count > 2 && !model_.inputs_of(layer)[2].empty()) {
      PLANEX_ASSIGN(bias, floats(model_.inputs_of(layer)[2]));
      if (bias.size() != channels) return std::nullopt;
    }
    const double epsilon =
        static_cast<double>(float_attribute(model_, model_.nodes[normalization], "epsilon", 1e-5F));
    FoldedLayer folded{.normalization = normalization, .weight = weight.tensor};
    std::vector<double> factors;
    for (std::size_t i = 0; i < channels; ++i) {
      const auto of = [&](std::size_t parameter) {
        return static_cast<double>(parameters[parameter][i]);
      };
      const double factor = of(kScale) / std::sqrt(of(kVariance) + epsilon);
      factors.push_back(factor);
      folded.bias.push_back(
          static_cast<float>((static_cast<double>(bias[i]) - of(kMean)) * factor + of(kShift)));
    }
    PLANEX_ASSIGN(folded.weights, values_.floats(model_.tensors[weight.tensor]));
    if (!scale(layer, model_.dims_of(model_.tensors[weight.tensor]), factors, folded.weights)) {
      return std::nullopt;
    }
    return folded;
  }

 private:
  Result<std::vector<float>> floats(std::string_view name) {
    const Index tensor = links_.constant(name);
    if (tensor == kNoIndex) return std::vector<float>();
    return values_.floats(model_.tensors[tensor]);
  }

  bool is_placed(std::string_view tensor) const { return placed_.contains(tensor); }

  Index normalization_after(const PlacedWeight& weight) const {
    if (weight.layer == kNoIndex || weight.readers.size() != 1 ||
        weight.readers.front().input != 1) {
      return kNoIndex;
    }
    const onnx::Node& layer = model_.nodes[weight.layer];
    if (!layer.domain.empty() || layer.outputs.count != 1 || !has_plain_form(layer)) {
      return kNoIndex;
    }
    const onnx::Link* output = links_.find(model_.outputs_of(layer).front());
    if (output == nullptr || output->readers.size() != 1 || output->is_output ||
        output->is_captured || is_placed(output->name)) {
      return kNoIndex;
    }
    const onnx::Reader reader = output->readers.front();
    const onnx::Node& node = model_.nodes[reader.node];
    if (reader.input != 0 || !node.domain.empty() || node.op_type != "BatchNormalization" ||
        node.inputs.count != kInputs || int_attribute(model_, node, "training_mode", 0) != 0) {
      return kNoIndex;
    }
    const auto outputs = model_.outputs_of(node);
    if (outputs.empty()) return kNoIndex;
    for (const std::string_view more : outputs.subspan(1)) {
      if (!more.empty()) return kNoIndex;  // statistics, for training
    }
    for (const std::string_view input : model_.inputs_of(node).subspan(1)) {
      if (links_.constant(input) == kNoIndex) return kNoIndex;
    }
    return reader.node;
  }

  // The bias, if there is one, is constant, and the weight the second input.
  bool has_plain_form(const onnx::Node& layer) const {
    const auto inputs = model_.inputs_of(layer);
    if (inputs.size() < 2) return false;
    if (inputs.size() > 2 && !inputs[2].empty() && links_.constant(inputs[2]) == kNoIndex) {
      return false;
    }
    if (layer.op_type == "Conv" || layer.op_type == "ConvTranspose") return true;
    return layer.op_type == "Gemm" && float_attribute(model_, layer, "alpha", 1) == 1 &&
           float_attribute(model_, layer, "beta", 1) == 1;
  }

  // Multiplies each weight with the factor of its output channel; false where they don't fit.
  bool scale(const onnx::Node& layer, std::span<const std::int64_t> dims,
             std::span<const double> factors, std::vector<float>& weights) const {
    if (dims.size() < 2) return false;
    const auto size = [&](std::size_t i) { return static_cast<std::size_t>(dims[i]); };
    const auto multiply = [&](std::size_t i, std::size_t channel) {
      weights[i] = static_cast<float>(static_cast<double>(weights[i]) * factors[channel]);
    };
    if (layer.op_type == "ConvTranspose") {
      // [inputs, outputs of a group, ...]; the inputs of a group are adjacent.
      const auto groups = static_cast<std::size_t>(
          std::max<std::int64_t>(1, int_attribute(model_, layer, "group", 1)));
      if (size(0) == 0 || size(0) % groups != 0 || size(1) * groups != factors.size()) return false;
      const std::size_t row = weights.size() / size(0), inner = row / size(1);
      for (std::size_t i = 0; i < weights.size(); ++i) {
        const std::size_t group = i / row / (size(0) / groups);
        multiply(i, group * size(1) + i % row / inner);
      }
      return true;
    }
    const bool is_last = layer.op_type == "Gemm" && int_attribute(model_, layer, "transB", 0) == 0;
    if (size(is_last ? 1 : 0) != factors.size()) return false;
    const std::size_t inner = is_last ? 1 : weights.size() / factors.size();
    for (std::size_t i = 0; i < weights.size(); ++i) multiply(i, i / inner % factors.size());
    return true;
  }

  const onnx::Model& model_;
  const onnx::Links& links_;
  onnx::Values& values_;
  std::unordered_set<std::string_view> placed_;
};

}  // namespace

Result<std::map<Index, FoldedLayer>> fold_normalizations(const onnx::Model& model,
                                                         const onnx::Links& links,
                                                         onnx::Values& values,
                                                         const Placement& placement) {
  std::map<Index, FoldedLayer> folded;
  Folder folder(model, links, values, placement);
  for (const PlacedWeight& weight : placement.weights) {
    PLANEX_ASSIGN(std::optional<FoldedLayer> layer, folder.fold(weight));
    if (layer) folded.emplace(weight.layer, std::move(*layer));
  }
  return folded;
}

}  // namespace planex::quantize
