#include "analyze/work.h"

#include <charconv>
#include <string>

#include "base/checked.h"

namespace planex::analyze {
namespace {

using base::CheckedInt;
using model::Direction;
using model::Family;
using model::LayerId;
using model::PlanModel;
using Dims = std::span<const std::int64_t>;

std::optional<std::int64_t> parse_int(std::string_view text) {
  std::int64_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

std::vector<Dims> port_dims(const PlanModel& model, LayerId layer, Direction direction) {
  std::vector<Dims> result;
  const model::RowRange rows = model.ports_of(layer);
  for (std::size_t row = rows.first; row < rows.end(); ++row) {
    if (model.ports.direction[row] == direction) result.push_back(model.ports.dims[row]);
  }
  return result;
}

// Product of `dims` from `first` on; invalid where one is dynamic.
std::optional<CheckedInt> product(Dims dims, std::size_t first = 0) {
  CheckedInt result = 1;
  for (std::size_t i = first; i < dims.size(); ++i) {
    if (dims[i] < 0) return std::nullopt;
    result *= dims[i];
  }
  return result;
}

constexpr std::size_t kSpatialAxis = 2;  // N, C, then the spatial dimensions

// Output size of a convolution by its parameters, for layers whose own output is already pooled.
std::optional<std::vector<std::int64_t>> convolved_dims(Dims input,
                                                        const ConvolutionParameters& p) {
  const std::size_t rank = p.kernel.size();
  if (input.size() != rank + kSpatialAxis || p.stride.size() != rank ||
      p.dilation.size() != rank || p.pre_padding.size() != rank || p.post_padding.size() != rank) {
    return std::nullopt;
  }
  std::vector<std::int64_t> output = {input[0], p.out_maps};
  for (std::size_t i = 0; i < rank; ++i) {
    const auto padded =
        (CheckedInt(input[i + kSpatialAxis]) + p.pre_padding[i] + p.post_padding[i]).value();
    const auto window = (CheckedInt(p.dilation[i]) * (p.kernel[i] - 1) + 1).value();
    if (!padded || !window || p.stride[i] <= 0 || *padded < *window) return std::nullopt;
    output.push_back((*padded - *window) / p.stride[i] + 1);
  }
  return output;
}

std::optional<std::int64_t> convolution_macs(const PlanModel& model, LayerId layer) {
  const auto parameters = convolution_parameters(model, layer);
  if (!parameters) return std::nullopt;
  const auto inputs = port_dims(model, layer, Direction::kInput);
  const auto outputs = port_dims(model, layer, Direction::kOutput);
  if (inputs.empty() || outputs.empty()) return std::nullopt;
  const Dims input = inputs.front();
  if (input.size() <= kSpatialAxis || parameters->groups <= 0) return std::nullopt;
  const auto kernel = product(parameters->kernel);
  const std::int64_t channels = input[1];
  if (!kernel || channels < 0) return std::nullopt;

  const std::string_view type = model.text(model.layers.type[layer.index()]);
  if (type == "Deconvolution") {
    const auto spatial = product(input, kSpatialAxis);
    if (!spatial || input[0] < 0 || parameters->out_maps % parameters->groups != 0) {
      return std::nullopt;
    }
    return (*spatial * input[0] * channels * (parameters->out_maps / parameters->groups) * *kernel)
        .value();
  }
  if (channels % parameters->groups != 0) return std::nullopt;
  std::vector<std::int64_t> convolved;
  Dims output = outputs.front();
  if (type == "ConvActPool") {
    const auto dims = convolved_dims(input, *parameters);
    if (!dims) return std::nullopt;
    convolved = *dims;
    output = convolved;
  }
  const auto positions = product(output);
  if (!positions || output.size() != input.size()) return std::nullopt;
  return (*positions * (channels / parameters->groups) * *kernel).value();
}

// Product of two matrices: the reduced axis is the last of A, or the last but one when transposed.
std::optional<std::int64_t> matrix_macs(const PlanModel& model, LayerId layer) {
  const auto inputs = port_dims(model, layer, Direction::kInput);
  const auto outputs = port_dims(model, layer, Direction::kOutput);
  if (inputs.size() < 2 || outputs.empty()) return std::nullopt;
  const Dims a = inputs[0];
  if (a.size() < 2 || outputs.front().empty()) return std::nullopt;
  const std::string_view operation = model.attribute(layer, "MatrixOpA");
  const bool transposed = operation.find("TRANSPOSE") != std::string_view::npos;
  const std::int64_t reduced = a[a.size() - (transposed ? 2 : 1)];
  const auto positions = product(outputs.front());
  if (!positions || reduced < 0) return std::nullopt;
  return (*positions * reduced).value();
}

}  // namespace

std::optional<std::vector<std::int64_t>> parse_int_list(std::string_view text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return std::nullopt;
  std::vector<std::int64_t> result;
  text = text.substr(1, text.size() - 2);
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    std::string_view part = text.substr(0, comma);
    while (!part.empty() && (part.front() == ' ' || part.front() == '\n')) part.remove_prefix(1);
    while (!part.empty() && (part.back() == ' ' || part.back() == '\n')) part.remove_suffix(1);
    const auto number = parse_int(part);
    if (!number) return std::nullopt;
    result.push_back(*number);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return result;
}

std::optional<ConvolutionParameters> convolution_parameters(const PlanModel& model,
                                                            LayerId layer) {
  const auto attribute = [&](std::string_view key) {
    const std::string_view value = model.attribute(layer, key);
    return value.empty() ? model.attribute(layer, "Conv" + std::string(key)) : value;
  };
  const auto list = [&](std::string_view key) {
    return parse_int_list(attribute(key)).value_or(std::vector<std::int64_t>{});
  };
  ConvolutionParameters parameters;
  parameters.kernel = list("Kernel");
  const auto groups = parse_int(attribute("Groups"));
  const auto out_maps = parse_int(attribute("OutMaps"));
  if (parameters.kernel.empty() || !groups || !out_maps) return std::nullopt;
  parameters.groups = *groups;
  parameters.out_maps = *out_maps;
  parameters.stride = list("Stride");
  parameters.dilation = list("Dilation");
  parameters.pre_padding = list("PrePadding");
  parameters.post_padding = list("PostPadding");
  return parameters;
}

std::optional<std::int64_t> layer_macs(const PlanModel& model, LayerId layer) {
  switch (model.layers.family[layer.index()]) {
    case Family::kConvolution:
      return convolution_macs(model, layer);
    case Family::kGemm:
      return matrix_macs(model, layer);
    default:
      return std::nullopt;
  }
}

std::optional<std::int64_t> pointwise_flops(const PlanModel& model, LayerId layer) {
  if (model.layers.family[layer.index()] != Family::kPointwise) return std::nullopt;
  const auto outputs = port_dims(model, layer, Direction::kOutput);
  if (outputs.empty()) return std::nullopt;
  const auto elements = product(outputs.front());
  if (!elements) return std::nullopt;
  const auto operations = parse_int(model.attribute(layer, "NbOperations"));
  return (*elements * std::max<std::int64_t>(1, operations.value_or(1))).value();
}

}  // namespace planex::analyze
