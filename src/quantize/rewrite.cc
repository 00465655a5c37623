#include "quantize/rewrite.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "onnx/small_floats.h"
#include "onnx/upgrade.h"
#include "quantize/constants.h"
#include "quantize/fold.h"
#include "quantize/weights.h"

namespace planex::quantize {
namespace {

using base::format;
using onnx::DataType;
using onnx::Index;
using onnx::kNoIndex;

constexpr std::int64_t kOpsetOfAxes = 13;
constexpr std::int64_t kOpsetOfHalfScales = 19;
constexpr std::int64_t kOpsetOfFloat8 = 19;
constexpr std::int64_t kOpsetOfBlocks = 21;

std::string bytes_of(std::span<const float> scales, DataType type) {
  std::string bytes;
  for (const float scale : scales) {
    if (type == DataType::kFloat) {
      bytes.append(reinterpret_cast<const char*>(&scale), sizeof(scale));
      continue;
    }
    const std::uint16_t half =
        type == DataType::kFloat16 ? onnx::to_half(scale) : onnx::to_bfloat16(scale);
    bytes.append(reinterpret_cast<const char*>(&half), sizeof(half));
  }
  return bytes;
}

class Rewriter {
 public:
  Rewriter(const onnx::Model& model, const onnx::Links& links, onnx::Values& values,
           const Placement& placement, const RewriteOptions& options, onnx::Edit& edit)
      : model_(model),
        links_(links),
        values_(values),
        placement_(placement),
        options_(options),
        edit_(edit),
        uses_(model, links, edit) {}

  Result<std::vector<WeightScales>> run() {
    PLANEX_TRY(check());
    PLANEX_TRY(raise_opset());
    names_.emplace(model_, edit_);
    PLANEX_ASSIGN(const auto folded, fold_normalizations(model_, links_, values_, placement_));
    std::vector<WeightScales> scales;
    for (const PlacedWeight& weight : placement_.weights) {
      const auto found = folded.find(weight.layer);
      PLANEX_ASSIGN(WeightScales written,
                    write_weight(weight, found == folded.end() ? nullptr : &found->second));
      scales.push_back(std::move(written));
    }
    for (const auto& [layer, fold] : folded) write_fold(layer, fold);
    write_pairs(folded);
    return scales;
  }

 private:
  Result<void> check() const {
    if (options_.scales.size() != placement_.tensors.size()) {
      return fail(ErrorCode::kInternal, format("got {} scales for {} tensors",
                                               options_.scales.size(), placement_.tensors.size()));
    }
    if (!options_.zero_points.empty() && options_.zero_points.size() != placement_.tensors.size()) {
      return fail(ErrorCode::kInternal,
                  format("got {} zero points for {} tensors", options_.zero_points.size(),
                         placement_.tensors.size()));
    }
    for (std::size_t i = 0; i < options_.scales.size(); ++i) {
      const float scale = options_.scales[i];
      if (std::isfinite(scale) && scale > 0) continue;
      return fail(ErrorCode::kBadInput,
                  format("the scale of tensor {} is {}, but must be a positive number",
                         base::quoted(placement_.tensors[i].name), scale));
    }
    return {};
  }

  Result<void> raise_opset() {
    const std::int64_t opset = model_.graphs.front().opset;
    std::int64_t wanted = std::max({opset, options_.opset, kOpsetOfAxes});
    if (options_.format == NumberFormat::kFp8) wanted = std::max(wanted, kOpsetOfFloat8);
    if (options_.format == NumberFormat::kInt4) wanted = std::max(wanted, kOpsetOfBlocks);
    for (const PlacedWeight& weight : placement_.weights) {
      if (model_.tensors[weight.tensor].type != DataType::kFloat) {
        wanted = std::max(wanted, kOpsetOfHalfScales);
      }
    }
    if (wanted == opset) return {};
    return onnx::upgrade(model_, links_, values_, wanted, edit_);
  }

  // Scales have the type of what they scale.
  DataType type_of(std::string_view tensor) const {
    const onnx::Link* link = links_.find(tensor);
    if (link != nullptr && link->value != kNoIndex) {
      const DataType type = model_.values[link->value].type;
      if (is_float(type)) return type;
    }
    if (placement_.weights.empty()) return DataType::kFloat;
    const DataType type = model_.tensors[placement_.weights.front().tensor].type;
    return is_float(type) ? type : DataType::kFloat;
  }
  static bool is_float(DataType type) {
    return type == DataType::kFloat || type == DataType::kFloat16 || type == DataType::kBfloat16;
  }

  // All numbers share one scale where there is no axis.
  ScaleGroups groups_of(const PlacedWeight& weight) const {
    ScaleGroups groups{.block = static_cast<std::size_t>(weight.block_size)};
    const auto dims = model_.dims_of(model_.tensors[weight.tensor]);
    const auto rank = static_cast<int>(dims.size());
    const int axis = weight.axis < 0 ? weight.axis + rank : weight.axis;
    const bool is_possible =
        axis >= 0 && axis < rank && !(weight.layer != kNoIndex && is_grouped_transpose(weight));
    if (groups.block > 0) {
      // Blocks run along the other of two dimensions.
      if (axis == 1) groups.inner = static_cast<std::size_t>(dims[1]);
      return groups;
    }
    for (int i = 0; i < rank; ++i) {
      const auto dim = static_cast<std::size_t>(dims[static_cast<std::size_t>(i)]);
      if (!is_possible || i > axis) {
        groups.inner *= dim;
      } else if (i == axis) {
        groups.channels = dim;
      }
    }
    return groups;
  }
  // Its axis 1 has the channels of one group, each of which represents several of the output.
  bool is_grouped_transpose(const PlacedWeight& weight) const {
    const onnx::Node& node = model_.nodes[weight.layer];
    return node.op_type == "ConvTranspose" && int_attribute(model_, node, "group", 1) > 1;
  }

  Result<WeightScales> write_weight(const PlacedWeight& weight, const FoldedLayer* fold) {
    const onnx::Tensor& tensor = model_.tensors[weight.tensor];
    if (!is_float(tensor.type)) {
      return fail(ErrorCode::kUnsupported,
                  format("weight {} is {}, expected FLOAT, FLOAT16 or BFLOAT16",
                         base::quoted(weight.name), to_string(tensor.type)));
    }
    std::vector<float> elements;
    if (fold == nullptr) {
      PLANEX_ASSIGN(elements, values_.floats(tensor));
    } else {
      elements = fold->weights;
    }
    for (const float element : elements) {
      if (std::isfinite(element)) continue;
      return fail(ErrorCode::kBadInput,
                  format("weight {} contains {}, for which there is no scale",
                         base::quoted(weight.name), std::isnan(element) ? "NaN" : "infinity"),
                  "repair the weight, or keep its layer in float");
    }
    QuantizedNumbers result = quantize_numbers(elements, groups_of(weight), options_.format,
                                               options_.weight_bits, tensor.type);
    const auto dims = model_.dims_of(tensor);
    const std::string name(weight.name);
    std::string stored = names_->take(name + "_quantized");
    edit_.add_initializer({.name = stored,
                           .type = stored_type(options_.format),
                           .dims = {dims.begin(), dims.end()},
                           .raw = std::move(result.bytes)});
    std::vector<onnx::NewAttribute> attributes;
    std::vector<std::int64_t> scale_dims;
    if (weight.block_size > 0) {
      const std::size_t axis = weight.axis == 0 ? 1 : 0;
      attributes.push_back({"axis", static_cast<std::int64_t>(axis)});
      attributes.push_back({"block_size", std::int64_t{weight.block_size}});
      scale_dims.assign(dims.begin(), dims.end());
      scale_dims[axis] /= weight.block_size;
    } else if (is_per_channel(weight)) {
      const int axis = weight.axis < 0 ? weight.axis + static_cast<int>(dims.size()) : weight.axis;
      attributes.push_back({"axis", std::int64_t{axis}});
      scale_dims = {static_cast<std::int64_t>(result.scales.size())};
    }
    onnx::NewNode node = dequantizer(name, std::move(stored),
                                     write_scale(name, result.scales, scale_dims, tensor.type),
                                     write_weight_zero(name, scale_dims));
    node.attributes = std::move(attributes);
    connect(weight.readers, std::move(node), weight.name);
    return WeightScales{name, std::move(result.scales), result.sqnr_db};
  }

  bool is_per_channel(const PlacedWeight& weight) const {
    const auto rank = static_cast<int>(model_.tensors[weight.tensor].dims.count);
    return weight.axis >= -rank && weight.axis < rank &&
           !(weight.layer != kNoIndex && is_grouped_transpose(weight));
  }

  std::string write_scale(const std::string& tensor, std::span<const float> scales,
                          std::vector<std::int64_t> dims, DataType type) {
    std::string name = names_->take(tensor + "_scale");
    edit_.add_initializer(
        {.name = name, .type = type, .dims = std::move(dims), .raw = bytes_of(scales, type)});
    return name;
  }

  // Left out for INT4, where ONNX then takes 0.
  std::string write_weight_zero(const std::string& tensor, std::vector<std::int64_t> dims) {
    if (options_.format == NumberFormat::kInt4) return {};
    return write_zero_point(tensor, stored_type(options_.format), std::move(dims), 0);
  }

  std::string write_zero_point(const std::string& tensor, DataType type,
                               std::vector<std::int64_t> dims, std::uint8_t value) {
    const std::size_t count = dims.empty() ? 1 : static_cast<std::size_t>(dims.front());
    std::string name = names_->take(tensor + "_zero_point");
    edit_.add_initializer({.name = name,
                           .type = type,
                           .dims = std::move(dims),
                           .raw = std::string(count, static_cast<char>(value))});
    return name;
  }

  onnx::NewNode dequantizer(const std::string& tensor, std::string quantized, std::string scale,
                            std::string zero_point) {
    std::vector<std::string> inputs = {std::move(quantized), std::move(scale)};
    if (!zero_point.empty()) inputs.push_back(std::move(zero_point));
    return {.op_type = "DequantizeLinear",
            .name = names_->take(tensor + "_DequantizeLinear"),
            .inputs = std::move(inputs),
            .outputs = {names_->take(tensor + "_dequantized")}};
  }

  // The DQ goes in front of its first reader, and all readers take its output.
  void connect(std::span<const onnx::Reader> readers, onnx::NewNode node, std::string_view tensor) {
    if (readers.empty()) return;
    for (const onnx::Reader& reader : readers) {
      edit_.set_input(reader.node, reader.input, node.outputs.front());
    }
    edit_.insert_node(first_of(readers), std::move(node));
    uses_.drop(tensor, readers.size());
  }
  static Index first_of(std::span<const onnx::Reader> readers) {
    return std::ranges::min(readers, {}, &onnx::Reader::node).node;
  }

  void write_fold(Index layer, const FoldedLayer& fold) {
    const onnx::Node& node = model_.nodes[layer];
    const onnx::Tensor& weight = model_.tensors[fold.weight];
    const std::string between(model_.outputs_of(node).front());
    const std::string output(model_.outputs_of(model_.nodes[fold.normalization]).front());
    edit_.set_output(layer, 0, output);
    edit_.remove_value_info(between);
    edit_.remove_node(fold.normalization);
    const auto inputs = model_.inputs_of(model_.nodes[fold.normalization]);
    for (const std::string_view input : inputs.subspan(1)) uses_.drop(input, 1);
    std::string bias = names_->take(output + "_bias");
    edit_.add_initializer({.name = bias,
                           .type = weight.type,
                           .dims = {static_cast<std::int64_t>(fold.bias.size())},
                           .raw = bytes_of(fold.bias, weight.type)});
    if (node.inputs.count > 2) uses_.drop(model_.inputs_of(node)[2], 1);
    edit_.set_input(layer, 2, std::move(bias));
  }

  ZeroPoint zero_point_of(std::size_t place) const {
    if (!options_.zero_points.empty()) return options_.zero_points[place];
    if (!placement_.tensors[place].is_unsigned) return {};
    return {.is_unsigned = true, .value = kMiddleZeroPoint};
  }

  // The tensor is renamed, and everything that reads it by the old name reads what DQ writes.
  void take_name(std::string_view tensor, const std::map<Index, FoldedLayer>& folded,
                 onnx::NewNode quantizer, onnx::NewNode dequantizer) {
    const onnx::Link& link = *links_.find(tensor);
    Index maker = link.node;
    std::uint32_t place = 0;
    for (const std::string_view made : model_.outputs_of(model_.nodes[maker])) {
      if (made == tensor) break;
      ++place;
    }
    for (const auto& [layer, fold] : folded) {
      if (fold.normalization == maker) maker = layer;
    }
    std::string name = names_->take(std::string(tensor) + "_float");
    edit_.set_output(maker, place, name);
    quantizer.inputs.front() = std::move(name);
    dequantizer.outputs.front() = std::string(tensor);
    const Index behind = link.node + 1;
    const Index before = behind < model_.graphs.front().nodes.count ? behind : kNoIndex;
    edit_.insert_node(before, std::move(quantizer));
    edit_.insert_node(before, std::move(dequantizer));
  }

  void write_pairs(const std::map<Index, FoldedLayer>& folded) {
    // The largest one of the tensors of one group.
    std::map<std::uint32_t, float> scales;
    for (std::size_t i = 0; i < placement_.tensors.size(); ++i) {
      float& scale = scales[placement_.tensors[i].scale_group];
      scale = std::max(scale, options_.scales[i]);
    }
    for (std::size_t place = 0; place < placement_.tensors.size(); ++place) {
      const PlacedTensor& tensor = placement_.tensors[place];
      if (tensor.readers.empty() && !tensor.takes_name) continue;
      const std::string name(tensor.name);
      const DataType type = type_of(tensor.name);
      const float scale = storable_scale(scales[tensor.scale_group], type);
      const std::string scale_name = write_scale(name, {&scale, 1}, {}, type);
      const ZeroPoint zero = zero_point_of(place);
      const DataType stored = zero.is_unsigned ? DataType::kUint8 : stored_type(options_.format);
      const std::string zero_point = write_zero_point(name, stored, {}, zero.value);
      std::string quantized = names_->take(name + "_quantized");
      onnx::NewNode quantizer = {.op_type = "QuantizeLinear",
                                 .name = names_->take(name + "_QuantizeLinear"),
                                 .inputs = {name, scale_name, zero_point},
                                 .outputs = {quantized}};
      onnx::NewNode behind = dequantizer(name, std::move(quantized), scale_name, zero_point);
      if (tensor.takes_name) {
        take_name(tensor.name, folded, std::move(quantizer), std::move(behind));
        continue;
      }
      edit_.insert_node(first_of(tensor.readers), std::move(quantizer));
      connect(tensor.readers, std::move(behind), tensor.name);
    }
  }

  const onnx::Model& model_;
  const onnx::Links& links_;
  onnx::Values& values_;
  const Placement& placement_;
  const RewriteOptions& options_;
  onnx::Edit& edit_;
  Uses uses_;
  std::optional<onnx::FreshNames> names_;
};

}  // namespace

Result<std::vector<WeightScales>> rewrite(const onnx::Model& model, const onnx::Links& links,
                                          onnx::Values& values, const Placement& placement,
                                          const RewriteOptions& options, onnx::Edit& edit) {
  return Rewriter(model, links, values, placement, options, edit).run();
}

}  // namespace planex::quantize
