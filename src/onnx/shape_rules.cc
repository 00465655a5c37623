#include "onnx/shape_rules.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "onnx/attributes.h"

namespace planex::onnx {
namespace {

using Dims = ShapeDims;
using MaybeDims = std::optional<Dims>;
using Outputs = std::vector<MaybeDims>;

constexpr std::size_t kMaxAttributeValues = 64;
constexpr std::size_t kMaxOutputs = 4096;

// Null where it does not fit, or one of them is unknown.
std::optional<std::int64_t> times_known(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (a < 0 || b < 0 || __builtin_mul_overflow(a, b, &result)) return std::nullopt;
  return result;
}

std::optional<std::int64_t> product_of(const Dims& dims, std::size_t first, std::size_t end) {
  std::optional<std::int64_t> result = 1;
  for (std::size_t i = first; i < end && result; ++i) result = times_known(*result, dims[i]);
  return result;
}

std::int64_t or_open(std::optional<std::int64_t> size) {
  return size && *size >= 0 ? *size : std::int64_t{-1};
}

// From a list with a blank before and after each word.
bool is_among(std::string_view words, std::string_view word) {
  if (word.empty() || word.find(' ') != word.npos) return false;
  for (std::size_t at = words.find(word); at != words.npos; at = words.find(word, at + 1)) {
    if (words[at - 1] == ' ' && words[at + word.size()] == ' ') return true;
  }
  return false;
}

// Every output has the dims of the first input.
constexpr std::string_view kLikeFirst =
    " Abs Acos Acosh Asin Asinh Atan Atanh BatchNormalization BiasGelu Bernoulli BitShift"
    " BitwiseNot Cast CastLike Ceil Celu Clip Cos Cosh CumSum DequantizeLinear Dropout"
    " DynamicQuantizeLinear Elu Erf Exp FastGelu FakeQuant Floor Gelu GroupNorm"
    " GroupNormalization HardSigmoid HardSwish Hardmax Identity InstanceNormalization IsInf"
    " IsNaN LRN LayerNormalization LeakyRelu Log LogSoftmax LpNormalization"
    " MeanVarianceNormalization Mish Neg Not QLinearLeakyRelu QLinearSigmoid QLinearSoftmax"
    " QuantizeLinear QuickGelu RMSNormalization Reciprocal Relu RotaryEmbedding Round"
    " ScatterElements ScatterND Scatter Selu Shrink Sigmoid Sign SimplifiedLayerNormalization"
    " Sin Sinh SkipLayerNormalization SkipSimplifiedLayerNormalization Softmax Softplus"
    " Softsign Sqrt Swish Tan Tanh ThresholdedRelu TensorScatter Trilu ";
constexpr std::string_view kBroadcasting =
    " Add And BitwiseAnd BitwiseOr BitwiseXor Div Equal Greater GreaterOrEqual Less"
    " LessOrEqual Max Mean Min Mod Mul Or PRelu Pow Sub Sum Where Xor ";

class Rule {
 public:
  explicit Rule(const NodeShapes& shapes) : shapes_(shapes), type_(shapes.node.op_type) {}

  Outputs outputs() {
    if (is_among(kLikeFirst, type_)) return like_first();
    if (is_among(kBroadcasting, type_)) return {broadcast_all()};
    if (type_ == "QLinearAdd" || type_ == "QLinearMul") return {broadcast(input(0), input(3))};
    if (type_ == "Constant") return {constant()};
    if (type_ == "Conv" || type_ == "FusedConv" || type_ == "ConvInteger") {
      return {convolution(input(1))};
    }
    if (type_ == "QLinearConv") return {convolution(input(3))};
    if (type_ == "ConvTranspose") return {transposed_convolution()};
    if (type_ == "MaxPool" || type_ == "AveragePool" || type_ == "LpPool" ||
        type_ == "QLinearAveragePool") {
      const MaybeDims pooled = sliding(input(0), list("kernel_shape"));
      return {pooled, type_ == "MaxPool" ? pooled : MaybeDims()};
    }
    if (type_.starts_with("Global") || type_ == "QLinearGlobalAveragePool") return {global_pool()};
    if (type_ == "MatMul" || type_ == "MatMulInteger" || type_ == "FusedMatMul" ||
        type_ == "MatMulIntegerToFloat" || type_ == "DynamicQuantizeMatMul") {
      return {matrix_product(input(0), input(1))};
    }
    if (type_ == "QLinearMatMul") return {matrix_product(input(0), input(3))};
    if (type_ == "MatMulNBits" || type_ == "MatMulBnb4") return {packed_product()};
    if (type_ == "Gemm" || type_ == "FusedGemm") return {general_product(input(1))};
    if (type_ == "QGemm") return {general_product(input(3))};
    if (type_ == "LSTM" || type_ == "GRU" || type_ == "RNN") return recurrent();
    if (type_.starts_with("Reduce") || type_ == "QLinearReduceMean") return {reduced()};
    if (type_ == "ArgMax" || type_ == "ArgMin") return {reduced_along_one()};
    return moved();
  }

 private:
  MaybeDims input(std::size_t at) const { return shapes_.input(at); }
  MaybeDims elements(std::size_t at) const { return shapes_.elements(at); }
  bool has_input(std::size_t at) const {
    const auto inputs = shapes_.model.inputs_of(shapes_.node);
    return at < inputs.size() && !inputs[at].empty();
  }
  const Attribute* attribute(std::string_view name) const {
    return find_attribute(shapes_.model, shapes_.node, name);
  }
  std::int64_t number(std::string_view name, std::int64_t fallback) const {
    const Attribute* found = attribute(name);
    return found == nullptr ? fallback : int_of(*found).value_or(fallback);
  }
  Dims list(std::string_view name) const {
    const Attribute* found = attribute(name);
    return found == nullptr ? Dims() : ints_of(*found, kMaxAttributeValues);
  }
  std::size_t output_count() const {
    return std::min(shapes_.model.outputs_of(shapes_.node).size(), kMaxOutputs);
  }
  // From 0; null where there is no such axis.
  static std::optional<std::size_t> axis_of(std::int64_t axis, std::size_t rank) {
    const auto count = static_cast<std::int64_t>(rank);
    if (axis < 0) axis += count;
    if (axis < 0 || axis >= count) return std::nullopt;
    return static_cast<std::size_t>(axis);
  }
  // An attribute in older opsets, an input in newer ones; null: present, but unknown.
  MaybeDims list_or_input(std::string_view name, std::size_t at) const {
    if (attribute(name) != nullptr) return list(name);
    if (!has_input(at)) return Dims();
    MaybeDims found = elements(at);
    if (found && std::ranges::find(*found, kUnknownElement) != found->end()) return std::nullopt;
    return found;
  }

  Outputs like_first() const {
    const MaybeDims dims = input(0);
    const bool has_one = type_ == "BatchNormalization" || type_.ends_with("LayerNormalization") ||
                         type_ == "DynamicQuantizeLinear";
    if (type_ == "DynamicQuantizeLinear") return {dims, Dims(), Dims()};
    return has_one ? Outputs{dims} : Outputs(std::min<std::size_t>(2, output_count()), dims);
  }

  static MaybeDims broadcast(const MaybeDims& a, const MaybeDims& b) {
    if (!a || !b) return std::nullopt;
    const Dims& longer = a->size() >= b->size() ? *a : *b;
    const Dims& shorter = a->size() >= b->size() ? *b : *a;
    Dims result = longer;
    const std::size_t shift = longer.size() - shorter.size();
    for (std::size_t i = 0; i < shorter.size(); ++i) {
      std::int64_t& size = result[i + shift];
      const std::int64_t other = shorter[i];
      // An open size against 1 stays open; against another size it has to be that size, or 1.
      if (size == 1 || (size < 0 && other > 1)) size = other;
    }
    return result;
  }

  MaybeDims broadcast_all() const {
    const std::size_t count = shapes_.model.inputs_of(shapes_.node).size();
    if (count == 0) return std::nullopt;
    MaybeDims result = input(0);
    for (std::size_t i = 1; i < count && result; ++i) result = broadcast(result, input(i));
    return result;
  }

  MaybeDims constant() const {
    const Attribute* value = attribute("value");
    if (value != nullptr && value->tensor != kNoIndex) {
      const auto dims = shapes_.model.dims_of(shapes_.model.tensors[value->tensor]);
      return Dims(dims.begin(), dims.end());
    }
    if (attribute("value_int") != nullptr || attribute("value_float") != nullptr) return Dims();
    for (const std::string_view name : {"value_ints", "value_floats"}) {
      if (const Attribute* found = attribute(name)) {
        return Dims{static_cast<std::int64_t>(count_of(*found))};
      }
    }
    return std::nullopt;
  }

  // The dims after the second that a window of `kernel` produces.
  MaybeDims sliding(const MaybeDims& dims, const Dims& kernel) const {
    if (!dims || dims->size() < 3 || kernel.size() != dims->size() - 2) return std::nullopt;
    const std::size_t spatial = kernel.size();
    const Dims strides = list("strides"), dilations = list("dilations"), pads = list("pads");
    const Attribute* padding = attribute("auto_pad");
    const std::string_view automatic =
        padding == nullptr ? "NOTSET" : string_of(*padding).value_or("NOTSET");
    Dims result = *dims;
    for (std::size_t i = 0; i < spatial; ++i) {
      const std::int64_t size = (*dims)[i + 2];
      const std::int64_t stride = i < strides.size() ? strides[i] : 1;
      const std::int64_t dilation = i < dilations.size() ? dilations[i] : 1;
      std::int64_t& out = result[i + 2];
      if (size < 0 || stride < 1 || dilation < 1 || kernel[i] < 1) {
        out = -1;
        continue;
      }
      if (automatic.starts_with("SAME")) {
        out = (size - 1) / stride + 1;
        continue;
      }
      const bool is_padded = automatic == "NOTSET" && pads.size() == 2 * spatial;
      std::int64_t reach = 0, padded = size;
      const bool fits =
          !__builtin_mul_overflow(kernel[i] - 1, dilation, &reach) &&
          (!is_padded || (!__builtin_add_overflow(padded, pads[i], &padded) &&
                          !__builtin_add_overflow(padded, pads[i + spatial], &padded)));
      if (!fits || padded < 0 || padded - 1 < reach) {
        out = -1;
        continue;
      }
      const std::int64_t left = padded - 1 - reach;
      const bool rounds_up = number("ceil_mode", 0) != 0;
      out = left / stride + 1 + (rounds_up && left % stride != 0 ? 1 : 0);
      // A window may not begin in the padding at the end.
      if (rounds_up && is_padded && (out - 1) * stride >= size + pads[i]) --out;
    }
    return result;
  }

  MaybeDims convolution(const MaybeDims& weights) const {
    if (!weights || weights->size() < 3) return std::nullopt;
    Dims kernel = list("kernel_shape");
    if (kernel.empty()) kernel.assign(weights->begin() + 2, weights->end());
    MaybeDims result = sliding(input(0), kernel);
    if (result) (*result)[1] = weights->front();
    return result;
  }

  MaybeDims transposed_convolution() const {
    const MaybeDims dims = input(0), weights = input(1);
    if (!dims || !weights || weights->size() != dims->size() || dims->size() < 3) {
      return std::nullopt;
    }
    const std::size_t spatial = dims->size() - 2;
    Dims result = *dims;
    result[1] = or_open(times_known((*weights)[1], number("group", 1)));
    const Dims given = list("output_shape"), strides = list("strides"), pads = list("pads"),
               dilations = list("dilations"), more = list("output_padding");
    const Attribute* padding = attribute("auto_pad");
    const std::string_view automatic =
        padding == nullptr ? "NOTSET" : string_of(*padding).value_or("NOTSET");
    for (std::size_t i = 0; i < spatial; ++i) {
      const std::int64_t size = (*dims)[i + 2], kernel = (*weights)[i + 2];
      const std::int64_t stride = i < strides.size() ? strides[i] : 1;
      const std::int64_t dilation = i < dilations.size() ? dilations[i] : 1;
      std::int64_t& out = result[i + 2];
      out = -1;
      constexpr std::int64_t kLargest = std::int64_t{1} << 31;
      const auto is_sane = [](std::int64_t value) { return value >= 0 && value < kLargest; };
      if (!given.empty()) {
        if (given.size() >= spatial) out = or_open(given[given.size() - spatial + i]);
        continue;
      }
      if (size < 1 || !is_sane(size) || !is_sane(kernel) || !is_sane(stride) ||
          !is_sane(dilation) || stride == 0) {
        continue;
      }
      if (automatic.starts_with("SAME")) {
        out = or_open(times_known(size, stride));
        continue;
      }
      const bool is_padded = automatic == "NOTSET" && pads.size() == 2 * spatial;
      const std::int64_t begin = is_padded ? pads[i] : 0, end = is_padded ? pads[i + spatial] : 0;
      const std::int64_t extra = i < more.size() ? more[i] : 0;
      if (!is_sane(begin) || !is_sane(end) || !is_sane(extra) || kernel == 0) continue;
      const auto steps = times_known(size - 1, stride), reach = times_known(kernel - 1, dilation);
      if (steps && reach && *steps < kLargest * kLargest / 4 && *reach < kLargest * kLargest / 4) {
        out = or_open(*steps + *reach + 1 + extra - begin - end);
      }
    }
    return result;
  }

  MaybeDims global_pool() const {
    MaybeDims dims = input(0);
    if (dims) {
      for (std::size_t i = 2; i < dims->size(); ++i) (*dims)[i] = 1;
    }
    return dims;
  }

  MaybeDims matrix_product(MaybeDims a, MaybeDims b) const {
    if (!a || !b || a->empty() || b->empty()) return std::nullopt;
    if (number("transBatchA", 0) != 0 || number("transBatchB", 0) != 0) return std::nullopt;
    const bool is_row = a->size() == 1, is_column = b->size() == 1;
    if (is_row) a->insert(a->begin(), 1);
    if (is_column) b->push_back(1);
    if (number("transA", 0) != 0) std::swap(a->back(), (*a)[a->size() - 2]);
    if (number("transB", 0) != 0) std::swap(b->back(), (*b)[b->size() - 2]);
    MaybeDims result = broadcast(Dims(a->begin(), a->end() - 2), Dims(b->begin(), b->end() - 2));
    if (!is_row) result->push_back((*a)[a->size() - 2]);
    if (!is_column) result->push_back(b->back());
    return result;
  }

  MaybeDims packed_product() const {
    MaybeDims result = input(0);
    if (!result || result->empty()) return std::nullopt;
    result->back() = number("N", -1);
    return result;
  }

  MaybeDims general_product(const MaybeDims& b) const {
    const MaybeDims a = input(0);
    if (!a || !b || a->size() != 2 || b->size() != 2) return std::nullopt;
    return Dims{(*a)[number("transA", 0) != 0 ? 1 : 0], (*b)[number("transB", 0) != 0 ? 0 : 1]};
  }

  Outputs recurrent() const {
    const MaybeDims x = input(0), r = input(2);
    if (!x || !r || x->size() != 3 || r->size() != 3) return {};
    const bool by_batch = number("layout", 0) != 0;
    const std::int64_t steps = (*x)[by_batch ? 1 : 0], batch = (*x)[by_batch ? 0 : 1];
    const std::int64_t directions = r->front(), hidden = r->back();
    if (by_batch) {
      const Dims state = {batch, directions, hidden};
      return {Dims{batch, steps, directions, hidden}, state, state};
    }
    const Dims state = {directions, batch, hidden};
    return {Dims{steps, directions, batch, hidden}, state, state};
  }

  MaybeDims reduced() const {
    const MaybeDims dims = input(0);
    const MaybeDims axes = list_or_input("axes", 1);
    if (!dims) return std::nullopt;
    const bool keeps = number("keepdims", 1) != 0;
    if (!axes) return keeps ? MaybeDims(Dims(dims->size(), -1)) : std::nullopt;
    if (axes->empty() && number("noop_with_empty_axes", 0) != 0) return dims;
    std::vector<bool> is_reduced(dims->size(), axes->empty());
    for (const std::int64_t axis : *axes) {
      const auto at = axis_of(axis, dims->size());
      if (!at) return std::nullopt;
      is_reduced[*at] = true;
    }
    return without(*dims, is_reduced, keeps);
  }

  static Dims without(const Dims& dims, const std::vector<bool>& is_gone, bool keeps) {
    Dims result;
    for (std::size_t i = 0; i < dims.size(); ++i) {
      if (!is_gone[i]) {
        result.push_back(dims[i]);
      } else if (keeps) {
        result.push_back(1);
      }
    }
    return result;
  }

  MaybeDims reduced_along_one() const {
    const MaybeDims dims = input(0);
    const auto axis = dims ? axis_of(number("axis", 0), dims->size()) : std::nullopt;
    if (!axis) return std::nullopt;
    std::vector<bool> is_reduced(dims->size(), false);
    is_reduced[*axis] = true;
    return without(*dims, is_reduced, number("keepdims", 1) != 0);
  }

  // Operators that only move values, or create them from sizes.
  Outputs moved() const {
    if (type_ == "Transpose") return {transposed()};
    if (type_ == "Reshape") return {reshaped()};
    if (type_ == "Flatten") return {flattened()};
    if (type_ == "Squeeze") return {squeezed()};
    if (type_ == "Unsqueeze") return {unsqueezed()};
    if (type_ == "Concat") return {joined()};
    if (type_ == "Split") return split();
    if (type_ == "Slice") return {sliced()};
    if (type_ == "Gather") return {gathered()};
    if (type_ == "GatherElements") return {input(1)};
    if (type_ == "GatherND") return {gathered_points()};
    if (type_ == "Expand") return {expanded()};
    if (type_ == "Tile") return {tiled()};
    if (type_ == "Pad") return {padded()};
    if (type_ == "Resize" || type_ == "Upsample") return {resized()};
    if (type_ == "TopK") return top();
    if (type_ == "DepthToSpace") return {depth_to_space()};
    if (type_ == "SpaceToDepth") return {space_to_depth()};
    if (type_ == "ConstantOfShape") return {of_sizes(elements(0))};
    if (type_ == "Shape") {
      const MaybeDims dims = input(0);
      if (!dims || attribute("start") != nullptr || attribute("end") != nullptr) return {Dims{-1}};
      return {Dims{static_cast<std::int64_t>(dims->size())}};
    }
    if (type_ == "Size") return {Dims()};
    if (type_ == "OneHot") return {one_hot()};
    if (type_ == "NonZero") {
      const MaybeDims dims = input(0);
      return {dims ? MaybeDims(Dims{static_cast<std::int64_t>(dims->size()), -1}) : std::nullopt};
    }
    if (type_ == "Range") return {Dims{-1}};
    return {};
  }

  static MaybeDims of_sizes(const MaybeDims& sizes) {
    if (!sizes) return std::nullopt;
    Dims result;
    for (const std::int64_t size : *sizes) result.push_back(std::max<std::int64_t>(-1, size));
    return result;
  }

  MaybeDims transposed() const {
    const MaybeDims dims = input(0);
    if (!dims) return std::nullopt;
    const Dims order = list("perm");
    if (order.empty()) return Dims(dims->rbegin(), dims->rend());
    if (order.size() != dims->size()) return std::nullopt;
    Dims result;
    for (const std::int64_t axis : order) {
      const auto at = axis_of(axis, dims->size());
      if (!at) return std::nullopt;
      result.push_back((*dims)[*at]);
    }
    return result;
  }

  MaybeDims reshaped() const {
    const MaybeDims dims = input(0);
    const MaybeDims sizes = attribute("shape") != nullptr ? MaybeDims(list("shape")) : elements(1);
    if (!sizes) {
      // The number of sizes can be known even so.
      const MaybeDims count = input(1);
      constexpr std::int64_t kMany = 16;
      if (!count || count->size() != 1 || count->front() < 0 || count->front() > kMany) {
        return std::nullopt;
      }
      return Dims(static_cast<std::size_t>(count->front()), -1);
    }
    Dims result;
    std::optional<std::size_t> open;
    std::size_t unknown = 0;
    for (std::size_t i = 0; i < sizes->size(); ++i) {
      std::int64_t size = (*sizes)[i];
      if (size == 0 && number("allowzero", 0) == 0) {
        size = dims && i < dims->size() && (*dims)[i] >= 0 ? (*dims)[i] : kUnknownElement;
      }
      if (size == -1) open = i;
      if (size == kUnknownElement) ++unknown;
      result.push_back(std::max<std::int64_t>(-1, size));
    }
    const auto all = dims ? product_of(*dims, 0, dims->size()) : std::nullopt;
    if (!open || unknown > 0 || !all) return result;
    std::optional<std::int64_t> others = 1;
    for (std::size_t i = 0; i < result.size() && others; ++i) {
      if (i != *open) others = times_known(*others, result[i]);
    }
    if (others && *others > 0 && *all % *others == 0) result[*open] = *all / *others;
    return result;
  }

  MaybeDims flattened() const {
    const MaybeDims dims = input(0);
    if (!dims) return std::nullopt;
    std::int64_t axis = number("axis", 1);
    const auto rank = static_cast<std::int64_t>(dims->size());
    if (axis < 0) axis += rank;
    if (axis < 0 || axis > rank) return std::nullopt;
    const auto at = static_cast<std::size_t>(axis);
    return Dims{or_open(product_of(*dims, 0, at)), or_open(product_of(*dims, at, dims->size()))};
  }

  MaybeDims squeezed() const {
    const MaybeDims dims = input(0), axes = list_or_input("axes", 1);
    if (!dims || !axes) return std::nullopt;
    std::vector<bool> is_gone(dims->size(), false);
    if (axes->empty()) {
      if (std::ranges::any_of(*dims, [](std::int64_t dim) { return dim < 0; })) return std::nullopt;
      for (std::size_t i = 0; i < dims->size(); ++i) is_gone[i] = (*dims)[i] == 1;
    }
    for (const std::int64_t axis : *axes) {
      const auto at = axis_of(axis, dims->size());
      if (!at) return std::nullopt;
      is_gone[*at] = true;
    }
    return without(*dims, is_gone, false);
  }

  MaybeDims unsqueezed() const {
    const MaybeDims dims = input(0), axes = list_or_input("axes", 1);
    if (!dims || !axes) return std::nullopt;
    const std::size_t rank = dims->size() + axes->size();
    std::vector<bool> is_new(rank, false);
    for (const std::int64_t axis : *axes) {
      const auto at = axis_of(axis, rank);
      if (!at || is_new[*at]) return std::nullopt;
      is_new[*at] = true;
    }
    Dims result;
    std::size_t next = 0;
    for (std::size_t i = 0; i < rank; ++i) result.push_back(is_new[i] ? 1 : (*dims)[next++]);
    return result;
  }

  MaybeDims joined() const {
    MaybeDims result = input(0);
    if (!result) return std::nullopt;
    const auto axis = axis_of(number("axis", 1), result->size());
    if (!axis) return std::nullopt;
    const std::size_t count = shapes_.model.inputs_of(shapes_.node).size();
    for (std::size_t i = 1; i < count; ++i) {
      const MaybeDims other = input(i);
      if (!other || other->size() != result->size()) {
        (*result)[*axis] = -1;
        continue;
      }
      for (std::size_t dim = 0; dim < result->size(); ++dim) {
        std::int64_t& size = (*result)[dim];
        if (dim != *axis) {
          if (size < 0) size = (*other)[dim];
        } else if (size < 0 || (*other)[dim] < 0 ||
                   __builtin_add_overflow(size, (*other)[dim], &size)) {
          size = -1;
        }
      }
    }
    return result;
  }

  Outputs split() const {
    const MaybeDims dims = input(0);
    const std::size_t count = output_count();
    if (!dims || count == 0) return {};
    const auto axis = axis_of(number("axis", 0), dims->size());
    if (!axis) return {};
    const MaybeDims parts = list_or_input("split", 1);
    const std::int64_t whole = (*dims)[*axis];
    Outputs result(count, dims);
    for (std::size_t i = 0; i < count; ++i) {
      std::int64_t size = -1;
      if (parts && parts->size() == count) {
        size = (*parts)[i];
      } else if (parts && parts->empty() && whole >= 0) {
        const auto pieces = static_cast<std::int64_t>(count);
        const std::int64_t each = whole / pieces + (whole % pieces != 0 ? 1 : 0);
        size = std::clamp<std::int64_t>(whole - each * static_cast<std::int64_t>(i), 0, each);
      }
      (*result[i])[*axis] = or_open(size);
    }
    return result;
  }

  MaybeDims sliced() const {
    const MaybeDims dims = input(0);
    if (!dims) return std::nullopt;
    const MaybeDims starts = list_or_input("starts", 1), ends = list_or_input("ends", 2);
    MaybeDims axes = list_or_input("axes", 3);
    const MaybeDims steps = list_or_input("steps", 4);
    if (!axes) return Dims(dims->size(), -1);
    Dims result = *dims;
    const std::size_t count = starts ? starts->size() : axes->size();
    if (axes->empty()) {
      for (std::size_t i = 0; i < count; ++i) axes->push_back(static_cast<std::int64_t>(i));
      if (!starts) return Dims(dims->size(), -1);
    }
    for (std::size_t i = 0; i < axes->size(); ++i) {
      const auto axis = axis_of((*axes)[i], dims->size());
      if (!axis) return std::nullopt;
      const std::int64_t size = (*dims)[*axis];
      const std::int64_t step = !steps              ? 0
                                : steps->empty()    ? 1
                                : i < steps->size() ? (*steps)[i]
                                                    : 0;
      if (!starts || !ends || i >= starts->size() || i >= ends->size() || size < 0 || step == 0 ||
          step < -size - 1) {
        result[*axis] = -1;
        continue;
      }
      result[*axis] = sliced_size(size, (*starts)[i], (*ends)[i], step);
    }
    return result;
  }

  static std::int64_t sliced_size(std::int64_t size, std::int64_t start, std::int64_t end,
                                  std::int64_t step) {
    const std::int64_t least = step > 0 ? 0 : -1, most = step > 0 ? size : size - 1;
    // Numbers below -size mean the beginning, however low they are.
    const auto place = [&](std::int64_t at, std::int64_t lowest) {
      if (at < 0) at = at < -size ? lowest : at + size;
      return std::clamp(at, least, most);
    };
    const std::int64_t from = place(start, 0), to = place(end, step > 0 ? 0 : -1);
    const std::int64_t distance = step > 0 ? to - from : from - to;
    if (distance <= 0) return 0;
    const std::int64_t stride = step > 0 ? step : -step;
    return (distance - 1) / stride + 1;
  }

  MaybeDims gathered() const {
    const MaybeDims dims = input(0), indices = input(1);
    if (!dims || !indices) return std::nullopt;
    const auto axis = axis_of(number("axis", 0), dims->size());
    if (!axis) return std::nullopt;
    const auto at = static_cast<std::ptrdiff_t>(*axis);
    Dims result(dims->begin(), dims->begin() + at);
    result.insert(result.end(), indices->begin(), indices->end());
    result.insert(result.end(), dims->begin() + at + 1, dims->end());
    return result;
  }

  MaybeDims gathered_points() const {
    const MaybeDims dims = input(0), indices = input(1);
    const std::int64_t batch = number("batch_dims", 0);
    if (!dims || !indices || indices->empty() || batch < 0 || indices->back() < 0) {
      return std::nullopt;
    }
    const auto rank = static_cast<std::int64_t>(dims->size());
    if (batch > rank || indices->back() > rank - batch) return std::nullopt;
    Dims result(indices->begin(), indices->end() - 1);
    result.insert(result.end(), dims->begin() + batch + indices->back(), dims->end());
    return result;
  }

  MaybeDims expanded() const {
    const MaybeDims dims = input(0), sizes = of_sizes(elements(1));
    return dims && sizes ? broadcast(dims, sizes) : std::nullopt;
  }

  MaybeDims tiled() const {
    MaybeDims result = input(0);
    const MaybeDims repeats = elements(1);
    if (!result) return std::nullopt;
    for (std::size_t i = 0; i < result->size(); ++i) {
      std::int64_t& size = (*result)[i];
      size = repeats && i < repeats->size() ? or_open(times_known(size, (*repeats)[i])) : -1;
    }
    return result;
  }

  MaybeDims padded() const {
    MaybeDims result = input(0);
    if (!result) return std::nullopt;
    const MaybeDims pads = list_or_input("pads", 1), axes = list_or_input("axes", 3);
    if (!pads || !axes) return Dims(result->size(), -1);
    const std::size_t count = axes->empty() ? result->size() : axes->size();
    if (pads->size() != 2 * count) return std::nullopt;
    for (std::size_t i = 0; i < count; ++i) {
      const auto axis = axes->empty() ? std::optional(i) : axis_of((*axes)[i], result->size());
      if (!axis) return std::nullopt;
      std::int64_t& size = (*result)[*axis];
      std::int64_t all = 0;
      if (size < 0 || __builtin_add_overflow((*pads)[i], (*pads)[i + count], &all) ||
          __builtin_add_overflow(size, all, &size)) {
        size = -1;
      }
      size = or_open(size);
    }
    return result;
  }

  MaybeDims resized() const {
    const MaybeDims dims = input(0);
    if (!dims) return std::nullopt;
    if (attribute("axes") != nullptr) return Dims(dims->size(), -1);
    constexpr std::size_t kSizes = 3;
    if (type_ == "Resize" && has_input(kSizes)) {
      const Attribute* policy = attribute("keep_aspect_ratio_policy");
      const bool stretches = policy == nullptr || string_of(*policy).value_or("") == "stretch";
      const MaybeDims sizes = of_sizes(elements(kSizes));
      return stretches && sizes && sizes->size() == dims->size() ? sizes : Dims(dims->size(), -1);
    }
    const Attribute* old = attribute("scales");
    const auto factors = old != nullptr ? std::optional(floats_of(*old, kMaxAttributeValues))
                                        : shapes_.floats(type_ == "Resize" && has_input(2) ? 2 : 1);
    Dims result(dims->size(), -1);
    for (std::size_t i = 0; factors && factors->size() == dims->size() && i < dims->size(); ++i) {
      const double size = std::floor(static_cast<double>((*dims)[i]) * (*factors)[i]);
      constexpr double kLargest = 1e15;
      if ((*dims)[i] >= 0 && size >= 0 && size < kLargest) {
        result[i] = static_cast<std::int64_t>(size);
      }
    }
    return result;
  }

  Outputs top() const {
    MaybeDims result = input(0);
    if (!result) return {};
    const auto axis = axis_of(number("axis", -1), result->size());
    if (!axis) return {};
    const MaybeDims count = elements(1);
    const bool is_attribute = attribute("k") != nullptr;
    (*result)[*axis] = is_attribute                  ? or_open(number("k", -1))
                       : count && count->size() == 1 ? or_open(count->front())
                                                     : -1;
    return {result, result};
  }

  MaybeDims depth_to_space() const {
    MaybeDims dims = input(0);
    const std::int64_t block = number("blocksize", 0);
    constexpr std::int64_t kLargest = 1 << 15;
    if (!dims || dims->size() != 4 || block < 1 || block > kLargest) return std::nullopt;
    (*dims)[1] =
        (*dims)[1] >= 0 && (*dims)[1] % (block * block) == 0 ? (*dims)[1] / (block * block) : -1;
    for (const std::size_t i : {std::size_t{2}, std::size_t{3}})
      (*dims)[i] = or_open(times_known((*dims)[i], block));
    return dims;
  }

  MaybeDims space_to_depth() const {
    MaybeDims dims = input(0);
    const std::int64_t block = number("blocksize", 0);
    constexpr std::int64_t kLargest = 1 << 15;
    if (!dims || dims->size() != 4 || block < 1 || block > kLargest) return std::nullopt;
    (*dims)[1] = or_open(times_known((*dims)[1], block * block));
    for (const std::size_t i : {std::size_t{2}, std::size_t{3}}) {
      (*dims)[i] = (*dims)[i] >= 0 && (*dims)[i] % block == 0 ? (*dims)[i] / block : -1;
    }
    return dims;
  }

  MaybeDims one_hot() const {
    MaybeDims dims = input(0);
    if (!dims) return std::nullopt;
    const auto axis = axis_of(number("axis", -1), dims->size() + 1);
    if (!axis) return std::nullopt;
    const MaybeDims depth = elements(1);
    dims->insert(dims->begin() + static_cast<std::ptrdiff_t>(*axis),
                 depth && depth->size() == 1 ? or_open(depth->front()) : -1);
    return dims;
  }

  const NodeShapes& shapes_;
  std::string_view type_;
};

bool is_own_domain(std::string_view domain) {
  return is_default_domain(domain) || domain == "com.microsoft";
}

}  // namespace

std::vector<std::optional<ShapeDims>> output_shapes(const NodeShapes& shapes) {
  if (!is_own_domain(shapes.node.domain) || shapes.node.function != kNoIndex) return {};
  return Rule(shapes).outputs();
}

}  // namespace planex::onnx
