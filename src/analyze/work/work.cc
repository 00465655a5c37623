#include "analyze/work/work.h"

#include <algorithm>
#include <initializer_list>
#include <string>

#include "analyze/work/generated_kernels.h"
#include "analyze/work/shapes.h"
#include "base/checked.h"
#include "base/json_text.h"
#include "base/text.h"

namespace planex::analyze {
namespace {

using base::CheckedInt;
using model::Direction;
using model::Family;
using model::LayerId;
using model::PlanModel;

constexpr std::string_view kOpenVinoAttention = "ScaledDotProductAttention";

// Deconvolution, CaskDeconvolutionV2, deconv; ConvTranspose.
bool is_transposed_convolution(std::string_view type) {
  const std::string word = base::lower(type);
  return word.find("deconv") != std::string::npos || word.ends_with("convtranspose");
}

// Output size of a convolution from its parameters, for layers whose own output is already pooled.
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
    const char* const last = std::find_if(at, end, [](char c) {
      return std::string_view(", \n\t\r").find(c) != std::string_view::npos;
    });
    const auto number = base::integer_in(std::string_view(at, last));
    if (!number) return std::nullopt;
    result.push_back(*number);
    at = last;
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
      operation_count_(model.strings.find("NbOperations")),
      scale_(model.strings.find("Scale")),
      shift_(model.strings.find("Shift")),
      power_(model.strings.find("Power")) {}

WorkReader::Key WorkReader::key(std::string_view name) const {
  return {model_.strings.find(name), model_.strings.find("Conv" + std::string(name))};
}

std::string_view WorkReader::attribute(LayerId layer, Key key) const {
  const std::string_view value = model_.attribute(layer, key.plain);
  return value.empty() ? model_.attribute(layer, key.prefixed) : value;
}

std::optional<std::int64_t> macs_of(const ImplicitGemm& gemm) {
  return (CheckedInt(gemm.m) * gemm.n * gemm.k).value();
}

std::vector<std::int64_t> WorkReader::list(LayerId layer, Key key) const {
  return parse_int_list(attribute(layer, key)).value_or(std::vector<std::int64_t>{});
}

std::optional<ConvolutionParameters> WorkReader::kernel_parameters(LayerId layer) const {
  ConvolutionParameters parameters;
  parameters.kernel = list(layer, kernel_);
  const auto groups = base::integer_in(attribute(layer, groups_));
  const auto out_maps = base::integer_in(attribute(layer, out_maps_));
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

std::string_view WorkReader::type(LayerId layer) const {
  return model_.text(model_.layers.type[layer.index()]);
}

// Constants are those that the record lists as such, and inputs that no layer computes.
WorkReader::Operands WorkReader::operands(LayerId layer) const {
  Operands result;
  const model::RowRange rows = model_.ports_of(layer);
  for (std::size_t row = rows.first; row < rows.end(); ++row) {
    static constexpr std::int64_t kNotKnown[] = {-1};
    const Dims dims = model_.ports.dims.is_null(row) ? Dims(kNotKnown) : model_.ports.dims[row];
    const std::size_t tensor = model_.ports.tensor_id[row].index();
    switch (model_.ports.direction[row]) {
      case Direction::kInput:
        (model_.tensors.role[tensor] == model::TensorRole::kConstant ? result.constants
                                                                     : result.inputs)
            .push_back(dims);
        break;
      case Direction::kConstant:
        result.constants.push_back(dims);
        break;
      default:
        result.outputs.push_back(dims);
        break;
    }
  }
  return result;
}

std::optional<ImplicitGemm> WorkReader::implicit_gemm(LayerId layer) const {
  if (model_.layers.family[layer.index()] != Family::kConvolution) return std::nullopt;
  auto parameters = kernel_parameters(layer);
  if (!parameters || parameters->groups <= 0) return std::nullopt;
  std::optional<Dims> first_input, first_output;
  const model::RowRange rows = model_.ports_of(layer);
  for (std::size_t row = rows.first; row < rows.end(); ++row) {
    std::optional<Dims>& first =
        model_.ports.direction[row] == Direction::kOutput ? first_output : first_input;
    if (!first && model_.ports.direction[row] != Direction::kConstant) {
      first = model_.ports.dims[row];
    }
  }
  if (!first_input || !first_output) return std::nullopt;
  const Dims input = *first_input;
  if (input.size() <= kSpatialAxis || input[0] < 0 || input[1] < 0) return std::nullopt;
  const auto kernel = product(parameters->kernel);
  const std::int64_t channels = input[1];
  if (!kernel) return std::nullopt;
  const auto gemm = [](std::optional<std::int64_t> m, std::optional<std::int64_t> n,
                       std::optional<std::int64_t> k) -> std::optional<ImplicitGemm> {
    return m && n && k ? std::optional(ImplicitGemm{*m, *n, *k}) : std::nullopt;
  };

  if (is_transposed_convolution(type(layer))) {
    const auto spatial = product(input, kSpatialAxis);
    if (!spatial || parameters->out_maps < 0 || parameters->out_maps % parameters->groups != 0) {
      return std::nullopt;
    }
    return gemm((*spatial * input[0]).value(),
                (*kernel * (parameters->out_maps / parameters->groups)).value(), channels);
  }
  if (channels % parameters->groups != 0) return std::nullopt;
  std::vector<std::int64_t> convolved;
  Dims output = *first_output;
  if (type(layer) == "ConvActPool") {
    read_windows(layer, *parameters);
    const auto dims = convolved_dims(input, *parameters);
    if (!dims) return std::nullopt;
    convolved = *dims;
    output = convolved;
  }
  if (output.size() != input.size() || output[0] < 0 || output[1] < 0) return std::nullopt;
  const auto spatial = product(output, kSpatialAxis);
  if (!spatial) return std::nullopt;
  return gemm((*spatial * output[0]).value(), output[1],
              (*kernel * (channels / parameters->groups)).value());
}

// Product of two matrices by the operations on them: the reduced axis is the last of A, or the last
// but one when transposed.
std::optional<std::int64_t> WorkReader::multiply_macs(LayerId layer) const {
  const std::string_view operation = model_.attribute(layer, operation_a_);
  if (operation.empty()) return std::nullopt;
  const Operands ports = operands(layer);
  if (ports.inputs.size() + ports.constants.size() < 2 || ports.outputs.empty()) {
    return std::nullopt;
  }
  const Dims a = ports.inputs.empty() ? ports.constants.front() : ports.inputs.front();
  const bool transposed = operation.find("TRANSPOSE") != std::string_view::npos;
  const std::size_t from_end = transposed ? 2 : 1;
  if (a.size() < from_end || ports.outputs.front().empty()) return std::nullopt;
  const std::int64_t reduced = a[a.size() - from_end];
  const auto positions = product(ports.outputs.front());
  if (!positions || reduced < 0) return std::nullopt;
  return (*positions * reduced).value();
}

std::optional<std::int64_t> WorkReader::macs(LayerId layer) const {
  switch (model_.layers.family[layer.index()]) {
    case Family::kConvolution: {
      const auto gemm = implicit_gemm(layer);
      return gemm ? macs_of(*gemm) : std::nullopt;
    }
    case Family::kGemm:
      return multiply_macs(layer);
    default:
      return std::nullopt;
  }
}

namespace {

// The product of `a` with the first of the other operands that fits.
std::optional<std::int64_t> product_with_any(Dims a, std::span<const Dims> others, Dims out) {
  for (const Dims b : others) {
    if (const auto macs = matrix_macs(a, b, out)) return macs;
  }
  return std::nullopt;
}

bool is_any_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

// Weights among constants: the first pair among those that fit the input.
std::optional<std::int64_t> recurrent_macs_of(Dims input, std::span<const Dims> constants) {
  for (const Dims w : constants) {
    for (const Dims r : constants) {
      if (w.data() == r.data()) continue;
      if (const auto macs = recurrent_macs(input, w, r)) return macs;
    }
  }
  return std::nullopt;
}

// Q, K and V come first, but for a mask.
std::optional<std::int64_t> attention_macs_of(std::span<const Dims> inputs, Dims out) {
  if (inputs.size() < 3) return std::nullopt;
  const Dims q = inputs[0], k = inputs[1];
  for (std::size_t i = 2; i < inputs.size(); ++i) {
    const Dims v = inputs[i];
    const auto macs = attention_macs(q, k, v, out);
    if (!macs) continue;
    for (std::size_t other = 2; other < inputs.size(); ++other) {
      if (other != i && !fits_attention_mask(inputs[other], q, k)) return std::nullopt;
    }
    return macs;
  }
  return std::nullopt;
}

bool is_attention(std::string_view word) {
  return is_any_of(word, {"kgen_mha", "mha", "attention", "scaleddotproductattention"});
}

bool is_recurrent(std::string_view word) {
  return is_any_of(word, {"rnn", "lstm", "gru", "rnnseq", "rnnsequence", "lstmsequence",
                          "grusequence", "rnncell", "lstmcell", "grucell"});
}

}  // namespace

bool WorkReader::hides_products(LayerId layer) const {
  const std::string word = base::lower(type(layer));
  return is_attention(word) || is_recurrent(word) || word.find("attention") != std::string::npos ||
         named_product(model_.text(model_.layers.name[layer.index()])) == NamedProduct::kAttention;
}

NamedProduct WorkReader::product_of(LayerId layer) const {
  const Family family = model_.layers.family[layer.index()];
  if (family != Family::kConvolution && family != Family::kGemm && family != Family::kOpaque &&
      family != Family::kOther) {
    return NamedProduct::kNone;
  }
  const std::string word = base::lower(type(layer));
  // The record's type is more reliable than its name.
  if (family == Family::kConvolution) {
    return is_transposed_convolution(word) ? NamedProduct::kTransposedConvolution
                                           : NamedProduct::kConvolution;
  }
  if (is_any_of(word, {"gemm", "matmul", "matrixmultiply", "fullyconnected"})) {
    return NamedProduct::kMatrix;
  }
  if (is_attention(word)) return NamedProduct::kAttention;
  if (is_recurrent(word)) return NamedProduct::kRecurrent;
  if (family == Family::kGemm) return NamedProduct::kNone;  // their dims do not show it
  return named_product(model_.text(model_.layers.name[layer.index()]));
}

std::optional<std::int64_t> WorkReader::listed_matrix_macs(const Operands& ports) {
  if (ports.inputs.empty() || ports.outputs.empty()) return std::nullopt;
  std::vector<Dims> others = ports.constants;
  others.insert(others.end(), ports.inputs.begin() + 1, ports.inputs.end());
  return product_with_any(ports.inputs.front(), others, ports.outputs.front());
}

bool WorkReader::lists_its_operands(LayerId layer) const {
  switch (product_of(layer)) {
    case NamedProduct::kNone:
      return model_.layers.family[layer.index()] != Family::kGemm;
    case NamedProduct::kMatrix:
      return listed_matrix_macs(operands(layer)).has_value();
    case NamedProduct::kVector:
    case NamedProduct::kConvolution:
    case NamedProduct::kTransposedConvolution:
    case NamedProduct::kAttention:
    case NamedProduct::kRecurrent:
      return macs_of_shapes(layer).has_value();
    default:
      return false;
  }
}

std::optional<std::int64_t> WorkReader::macs_of_shapes(LayerId layer) const {
  const NamedProduct named = product_of(layer);
  if (named == NamedProduct::kNotGenerated || named == NamedProduct::kNone) return std::nullopt;
  const std::string word = base::lower(type(layer));
  const Operands ports = operands(layer);
  if (ports.inputs.empty() || ports.outputs.empty()) return std::nullopt;
  const Dims input = ports.inputs.front(), out = ports.outputs.front();
  std::vector<Dims> others = ports.constants;
  others.insert(others.end(), ports.inputs.begin() + 1, ports.inputs.end());
  // Products have few operands, and pairs of them are tried below.
  constexpr std::size_t kMaxOperands = 16;
  if (others.size() > kMaxOperands) return std::nullopt;
  switch (named) {
    case NamedProduct::kMatrix: {
      if (const auto macs = listed_matrix_macs(ports)) return macs;
      // Myelin before 11 mostly lists no weights, or only the factors of the product and the sum;
      // others that it lists must fit.
      const bool lists_none =
          std::ranges::all_of(ports.constants, [](Dims dims) { return element_count(dims) == 1; });
      const bool hidden = lists_none && ports.inputs.size() == 1 &&
                          is_any_of(word, {"gemm", "fusion", "runtime_fusion"});
      return hidden ? matrix_macs_of_left(input, out) : std::nullopt;
    }
    case NamedProduct::kVector:
      for (const Dims vector : others) {
        if (const auto macs = matrix_vector_macs(vector, input, out)) return macs;
        for (const Dims matrix : others) {
          if (const auto macs = matrix_vector_macs(vector, matrix, out)) return macs;
        }
        if (const auto macs = matrix_vector_macs(input, vector, out)) return macs;
      }
      return std::nullopt;
    case NamedProduct::kConvolution:
    case NamedProduct::kTransposedConvolution:
      // A bias or an addend has a kernel of one position and one group too many to fit.
      for (const Dims weights : ports.constants) {
        const auto macs = named == NamedProduct::kConvolution
                              ? convolution_macs(input, weights, out)
                              : transposed_convolution_macs(input, weights, out);
        if (macs) return macs;
      }
      return std::nullopt;
    case NamedProduct::kAttention:
      return attention_macs_of(ports.inputs, out);
    case NamedProduct::kRecurrent:
      return recurrent_macs_of(input, ports.constants);
    default:
      return std::nullopt;
  }
}

std::optional<ConvolutionParameters> WorkReader::convolution_of_weights(LayerId layer) const {
  const NamedProduct named = product_of(layer);
  const bool is_transposed = named == NamedProduct::kTransposedConvolution;
  if (named != NamedProduct::kConvolution && !is_transposed) return std::nullopt;
  const Operands ports = operands(layer);
  if (ports.inputs.empty() || ports.outputs.empty()) return std::nullopt;
  const Dims input = ports.inputs.front(), out = ports.outputs.front();
  for (const Dims weights : ports.constants) {
    const auto found = is_transposed ? transposed_convolution_kernel(input, weights, out)
                                     : convolution_kernel(input, weights, out);
    if (!found) continue;
    ConvolutionParameters parameters;
    parameters.kernel.assign(found->kernel.begin(), found->kernel.end());
    parameters.groups = found->groups;
    parameters.out_maps = out[1];
    return parameters;
  }
  return std::nullopt;
}

std::optional<ImplicitGemm> WorkReader::gemm_of_macs(LayerId layer) const {
  const auto& layers = model_.layers;
  const auto macs = layers.macs.get(layer.index());
  if (!macs || *macs <= 0) return std::nullopt;
  const NamedProduct named = product_of(layer);
  const Operands ports = operands(layer);
  if (ports.inputs.empty() || ports.outputs.empty()) return std::nullopt;
  const auto divided = [](std::int64_t whole,
                          std::optional<std::int64_t> part) -> std::optional<std::int64_t> {
    return part && *part > 0 && whole % *part == 0 ? std::optional(whole / *part) : std::nullopt;
  };
  const auto gemm = [&](Dims result, std::optional<std::int64_t> n) -> std::optional<ImplicitGemm> {
    const auto elements = element_count(result);
    const auto k = divided(*macs, elements);
    const auto m = elements ? divided(*elements, n) : std::nullopt;
    return k && m ? std::optional(ImplicitGemm{*m, *n, *k}) : std::nullopt;
  };
  const Dims input = ports.inputs.front(), out = ports.outputs.front();
  switch (named) {
    case NamedProduct::kMatrix:
      // A fusion can do more after the product than its own operations show.
      if (layers.family[layer.index()] != Family::kGemm &&
          model_.text(layers.work_evidence[layer.index()]) != "shapes") {
        return std::nullopt;
      }
      return out.empty() ? std::nullopt : gemm(out, out.back());
    case NamedProduct::kConvolution:
      // A result that is pooled afterwards has lost rows.
      if (base::lower(type(layer)).find("pool") != std::string::npos) return std::nullopt;
      if (out.size() <= kSpatialAxis) return std::nullopt;
      // ONNX Runtime pads results to whole blocks of channels; each filter is multiplied with their
      // contents, and the work shows how many filters belong to the model.
      for (const Dims filter : ports.constants) {
        if (filter.size() != out.size() || filter.front() != out[1]) continue;
        const auto depth = product(filter, 1);
        const auto k = depth ? depth->value() : std::nullopt;
        const auto elements = element_count(out);
        const auto m = elements ? divided(*elements, out[1]) : std::nullopt;
        const auto n = m && k ? divided(*macs / *m, k) : std::nullopt;
        if (n && *macs % *m == 0 && *n <= out[1]) return ImplicitGemm{*m, *n, *k};
      }
      return gemm(out, out[1]);
    case NamedProduct::kTransposedConvolution: {
      if (input.size() <= kSpatialAxis) return std::nullopt;
      // Rows and inner size are the input's: every element of it is multiplied with n weights.
      const auto elements = element_count(input);
      const auto m = elements ? divided(*elements, input[1]) : std::nullopt;
      const auto n = divided(*macs, elements);
      return m && n ? std::optional(ImplicitGemm{*m, *n, input[1]}) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

// {"Type": "Float", "Count": 64}, where only the count matters: an empty one is not a step.
std::optional<std::int64_t> WorkReader::scale_steps(LayerId layer) const {
  std::int64_t steps = 0;
  for (const base::StringId key : {scale_, shift_, power_}) {
    const std::string_view value = model_.attribute(layer, key);
    constexpr std::string_view kCount = "\"Count\"";
    const std::size_t at = value.find(kCount);
    if (at == std::string_view::npos) continue;
    const std::string_view rest = value.substr(at + kCount.size());
    const std::size_t digit = rest.find_first_of("123456789");
    if (digit != std::string_view::npos && digit == rest.find_first_not_of(": \t\r\n")) ++steps;
  }
  return steps > 0 ? std::optional(steps) : std::nullopt;
}

std::optional<WorkReader::PointwiseWork> WorkReader::pointwise_work(LayerId layer) const {
  const Family family = model_.layers.family[layer.index()];
  const bool scale = family == Family::kNorm && type(layer) == "Scale";
  if (family != Family::kPointwise && !scale) return std::nullopt;
  const auto steps =
      scale ? scale_steps(layer) : base::integer_in(model_.attribute(layer, operation_count_));
  if (scale && !steps) return std::nullopt;
  const model::RowRange rows = model_.ports_of(layer);
  for (std::size_t row = rows.first; row < rows.end(); ++row) {
    if (model_.ports.direction[row] != Direction::kOutput) continue;
    const auto elements =
        model_.ports.dims.is_null(row) ? std::nullopt : product(model_.ports.dims[row]);
    if (!elements) return std::nullopt;
    const auto flops = (*elements * std::max<std::int64_t>(1, steps.value_or(1))).value();
    if (!flops) return std::nullopt;
    return PointwiseWork{*flops, steps.has_value()};
  }
  return std::nullopt;
}

NamedProduct named_product(std::string_view layer_name) {
  // Myelin's and OpenVINO's name for the operation that became a kernel as a whole.
  if (layer_name.find("_mha") != std::string_view::npos ||
      layer_name.starts_with(kOpenVinoAttention)) {
    return NamedProduct::kAttention;
  }
  const auto words = kernel_words(layer_name);
  if (!words) return NamedProduct::kNotGenerated;
  NamedProduct found = NamedProduct::kNone;
  std::string_view before;
  for (const std::string_view word : *words) {
    NamedProduct product = NamedProduct::kNone;
    if (word == "Fc" || word == "Gemm") product = NamedProduct::kMatrix;
    if (word == "Corr") product = NamedProduct::kConvolution;
    if (word == "Deco") product = NamedProduct::kTransposedConvolution;
    if (word == "Sum" && before == "Mul") product = NamedProduct::kVector;
    if (product != NamedProduct::kNone) {
      found = found == NamedProduct::kNone ? product : NamedProduct::kSeveral;
    }
    before = word;
  }
  return found;
}

std::optional<ConvolutionParameters> convolution_parameters(const PlanModel& model, LayerId layer) {
  return WorkReader(model).convolution_parameters(layer);
}

}  // namespace planex::analyze
