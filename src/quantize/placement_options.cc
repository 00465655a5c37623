#include "quantize/placement_options.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/text.h"
#include "base/try.h"

namespace planex::quantize {
namespace {

using base::format;
using onnx::Index;
using onnx::kNoIndex;

constexpr std::array<std::string_view, 4> kQuantizable = {"Conv", "ConvTranspose", "Gemm",
                                                          "MatMul"};
constexpr std::array<std::string_view, 3> kNotTransposed = {"Conv", "Gemm", "MatMul"};
constexpr std::array<std::string_view, 2> kProducts = {"Gemm", "MatMul"};

// The rules products-only and transposed-convolution restrict INT4 and FP8 to these; the rule
// transposed-convolution-in-float says that ONNX Runtime has no ConvTranspose.
Result<void> check_op_types(const PlacementOptions& options) {
  if (options.format == NumberFormat::kInt8) {
    const bool is_lacking =
        options.target == Target::kOnnxruntime &&
        std::ranges::find(options.op_types, "ConvTranspose") != options.op_types.end();
    if (!is_lacking) return {};
    return fail(ErrorCode::kUsage, "onnxruntime does not support ConvTranspose in INT8",
                "it quantizes Conv, Gemm and MatMul");
  }
  for (const std::string& type : options.op_types) {
    const bool is_convolution = type == "Conv" && options.format == NumberFormat::kFp8;
    if (is_convolution || type == "Gemm" || type == "MatMul") continue;
    return fail(ErrorCode::kUsage,
                format("{} does not support {}", to_string(options.format), type),
                options.format == NumberFormat::kFp8 ? "fp8 applies to Conv, Gemm and MatMul"
                                                     : "int4 applies to the weights of Gemm and "
                                                       "MatMul");
  }
  return {};
}

}  // namespace

std::span<const std::string_view> default_operators(const PlacementOptions& options) {
  if (options.target == Target::kTensorrtRtx || options.format == NumberFormat::kInt4) {
    return kProducts;
  }
  if (options.format == NumberFormat::kFp8 || options.target == Target::kOnnxruntime) {
    return kNotTransposed;
  }
  return kQuantizable;
}

Result<Index> named_node(const onnx::Model& model, const onnx::NodeNames& names,
                         std::string_view name) {
  const Index count = model.graphs.front().nodes.count;
  const Index found = names.find(name);
  if (found < count) return found;
  if (found != kNoIndex) {
    return fail(ErrorCode::kBadInput,
                format("node {} is in the body of another node", base::quoted(name)),
                "nodes in bodies of If, Loop and Scan stay in float anyway");
  }
  if (name.starts_with('#') && base::are_digits(name.substr(1)) && name.size() < 11) {
    const std::uint64_t number = std::stoull(std::string(name.substr(1)));
    if (number < count) return static_cast<Index>(number);
    return fail(ErrorCode::kBadInput, format("the model has no node {}", base::quoted(name)),
                format("its nodes are #0 to #{}", count - 1));
  }
  std::vector<std::string_view> known;
  for (Index node = 0; node < count; ++node) {
    const std::string_view other = names.name_of(node);
    if (!other.empty()) known.push_back(other);
  }
  const auto nearest = base::nearest(name, known);
  return fail(ErrorCode::kBadInput, format("the model has no node {}", base::quoted(name)),
              nearest ? format("did you mean {}?", base::quoted(*nearest))
                      : "use a node's name in the model, or its number: #17");
}

std::string word_of_node(const onnx::NodeNames& names, Index node) {
  const std::string_view name = names.name_of(node);
  const bool is_plain = !name.empty() && !name.contains('\n') && !name.contains('\r') &&
                        !name.starts_with('@') && names.find(name) == node;
  return is_plain ? std::string(name) : base::format("#{}", node);
}

Result<void> check_format(const PlacementOptions& options) {
  if (!takes(options.target, options.format)) {
    return fail(
        ErrorCode::kUnsupported,
        format("{} does not support {} on a CPU", to_string(options.target),
               to_string(options.format)),
        "fp8 is for --target tensorrt and tensorrt-rtx; openvino and onnxruntime take int8 and "
        "int4");
  }
  PLANEX_TRY(check_op_types(options));
  if (options.format != NumberFormat::kInt4) return {};
  const auto sizes = block_sizes(options.target);
  const bool has_channels = takes_channel_blocks(options.target);
  const bool is_known = options.block_size == 0
                            ? has_channels
                            : std::ranges::find(sizes, options.block_size) != sizes.end();
  if (is_known) return {};
  std::string known;
  for (const int size : sizes) known += format("{}{}", known.empty() ? "" : ", ", size);
  return fail(ErrorCode::kUsage,
              options.block_size == 0 ? format("{} does not accept INT4 weights with a scale per "
                                               "channel",
                                               to_string(options.target))
                                      : format("{} does not accept INT4 weights in blocks of {}",
                                               to_string(options.target), options.block_size),
              format("it accepts blocks of {}{}", known, has_channels ? ", and channel" : ""));
}

}  // namespace planex::quantize
