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
  if (input.size() != rank + kSpatialAxis || p.stride.size() != rank || p.dilation.size() != rank ||
      p.pre_padding.size() != rank || p.post_padding.size() != rank) {
    return std::nullopt;
  }
  std::vector<std::int64_t> output = {input[0], p.out_maps};
  for (std::size_t i = 0; i < rank; ++i) {
    const auto padded =
        (CheckedInt(input[i + kSpatialAxis]) + p.pre_padding[i] + p.post_padding[i]).value();
    const auto window = (CheckedInt(p.dilation[i]) * (CheckedInt(p.kernel[i]) + -1) + 1).value();
    if (!padded || !window || *window < 1 || p.stride[i] <= 0 || *padded < *window) {
      return std::nullopt;
    }
    output.push_back((*padded - *window) / p.stride[i] + 1);
  }
  return output;
}

}  // namespace

std::optional<std::vector<std::int64_t>> parse_int_list(std::string_view text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return std::nullopt;
  const char* at = text.data() + 1;
  const char* const end = text.data() + text.size() - 1;
  const auto skip_blanks = [&] {
    while (at != end && (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')) ++at;
  };
  std::vector<std::int64_t> result;
  skip_blanks();
  while (at != end) {
    skip_blanks();
    const auto parsed = std::from_chars(at, end, result.emplace_back());
    if (parsed.ec != std::errc()) return std::nullopt;
    at = parsed.ptr;
    skip_blanks();
    if (at == end) break;
    if (*at++ != ',') return std::nullopt;
  }
  return result;
}

WorkReader::WorkReader(const PlanModel& model)
    : model_(model),
      kernel_(key("Kernel")),
      stride_(key("Stride")),
      dilation_(key("Dilation")),
      pre_padding_(key("PrePadding")),
      post_padding_(key("PostPadding")),
      groups_(key("Groups")),
      out_maps_(key("OutMaps")),
      operation_a_(model.strings.find("MatrixOpA")),
      operation_count_(model.strings.find("NbOperations")) {}

WorkReader::Key WorkReader::key(std::string_view name) const {
  return {model_.strings.find(name), model_.strings.find("Conv" + std::string(name))};
}

std::string_view WorkReader::attribute(LayerId layer, Key key) const {
  const std::string_view value = model_.attribute(layer, key.plain);
  return value.empty() ? model_.attribute(layer, key.prefixed) : value;
}

std::vector<std::int64_t> WorkReader::list(LayerId layer, Key key) const {
  return parse_int_list(attribute(layer, key)).value_or(std::vector<std::int64_t>{});
}

std::optional<ConvolutionParameters> WorkReader::kernel_parameters(LayerId layer) const {
  ConvolutionParameters parameters;
  parameters.kernel = list(layer, kernel_);
  const auto groups = parse_int(attribute(layer, groups_));
  const auto out_maps = parse_int(attribute(layer, out_maps_));
  if (parameters.kernel.empty() || !groups || !out_maps) return std::nullopt;
  parameters.groups = *groups;
  parameters.out_maps = *out_maps;
  return parameters;
}

void WorkReader::read_windows(LayerId layer, ConvolutionParameters& parameters) const {
  parameters.stride = list(layer, stride_);
  parameters.dilation = list(layer, dilation_);
  parameters.pre_padding = list(layer, pre_padding_);
  parameters.post_padding = list(layer, post_padding_);
}

std::optional<ConvolutionParameters> WorkReader::convolution_parameters(LayerId layer) const {
  auto parameters = kernel_parameters(layer);
  if (parameters) read_windows(layer, *parameters);
  return parameters;
}

std::optional<std::int64_t> WorkReader::convolution_macs(LayerId layer) const {
  auto parameters = kernel_parameters(layer);
  if (!parameters) return std::nullopt;
  const auto inputs = port_dims(model_, layer, Direction::kInput);
  const auto outputs = port_dims(model_, layer, Direction::kOutput);
  if (inputs.empty() || outputs.empty()) return std::nullopt;
  const Dims input = inputs.front();
  if (input.size() <= kSpatialAxis || parameters->groups <= 0) return std::nullopt;
  const auto kernel = product(parameters->kernel);
  const std::int64_t channels = input[1];
  if (!kernel || channels < 0) return std::nullopt;

  const std::string_view type = model_.text(model_.layers.type[layer.index()]);
  if (type == "Deconvolution") {
    const auto spatial = product(input, kSpatialAxis);
    if (!spatial || input[0] < 0 || parameters->out_maps < 0 ||
        parameters->out_maps % parameters->groups != 0) {
      return std::nullopt;
    }
    return (*spatial * input[0] * channels * (parameters->out_maps / parameters->groups) * *kernel)
        .value();
  }
  if (channels % parameters->groups != 0) return std::nullopt;
  std::vector<std::int64_t> convolved;
  Dims output = outputs.front();
  if (type == "ConvActPool") {
    read_windows(layer, *parameters);
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
std::optional<std::int64_t> WorkReader::matrix_macs(LayerId layer) const {
  const auto inputs = port_dims(model_, layer, Direction::kInput);
  const auto outputs = port_dims(model_, layer, Direction::kOutput);
  if (inputs.size() < 2 || outputs.empty()) return std::nullopt;
  const Dims a = inputs[0];
  if (a.size() < 2 || outputs.front().empty()) return std::nullopt;
  const std::string_view operation = model_.attribute(layer, operation_a_);
  const bool transposed = operation.find("TRANSPOSE") != std::string_view::npos;
  const std::int64_t reduced = a[a.size() - (transposed ? 2 : 1)];
  const auto positions = product(outputs.front());
  if (!positions || reduced < 0) return std::nullopt;
  return (*positions * reduced).value();
}

std::optional<std::int64_t> WorkReader::macs(LayerId layer) const {
  switch (model_.layers.family[layer.index()]) {
    case Family::kConvolution:
      return convolution_macs(layer);
    case Family::kGemm:
      return matrix_macs(layer);
    default:
      return std::nullopt;
  }
}

std::optional<std::int64_t> WorkReader::pointwise_flops(LayerId layer) const {
  if (model_.layers.family[layer.index()] != Family::kPointwise) return std::nullopt;
  const auto outputs = port_dims(model_, layer, Direction::kOutput);
  if (outputs.empty()) return std::nullopt;
  const auto elements = product(outputs.front());
  if (!elements) return std::nullopt;
  const auto operations = parse_int(model_.attribute(layer, operation_count_));
  return (*elements * std::max<std::int64_t>(1, operations.value_or(1))).value();
}

std::optional<ConvolutionParameters> convolution_parameters(const PlanModel& model, LayerId layer) {
  return WorkReader(model).convolution_parameters(layer);
}

}  // namespace planex::analyze
