#include "drive/openvino_driver/operations.h"

#include <algorithm>
#include <iterator>
#include <openvino/op/fake_quantize.hpp>
#include <openvino/op/matmul.hpp>
#include <openvino/op/util/avg_pool_base.hpp>
#include <openvino/op/util/convolution_backprop_base.hpp>
#include <openvino/op/util/convolution_base.hpp>
#include <openvino/op/util/max_pool_base.hpp>
#include <sstream>

#include "base/checked.h"

namespace planex::drive {
namespace {

using Dims = std::vector<std::int64_t>;

template <typename List>
Dims to_dims(const List& list) {
  Dims dims;
  for (const auto value : list) dims.push_back(static_cast<std::int64_t>(value));
  return dims;
}

template <typename Value>
std::string word(const Value& value) {
  std::ostringstream text;
  text << value;
  return std::move(text).str();
}

// Kernel and groups from the weights: [O, I/G, k...], or [G, O/G, I/G, k...] where grouped.
struct Weights {
  Dims dims;
  bool is_grouped = false;

  std::size_t first_spatial() const { return is_grouped ? 3 : 2; }
  Dims kernel() const {
    return dims.size() < first_spatial()
               ? Dims{}
               : Dims(dims.begin() + static_cast<std::ptrdiff_t>(first_spatial()), dims.end());
  }
  std::int64_t groups() const { return is_grouped && !dims.empty() ? dims[0] : 1; }
};

std::optional<Weights> weights_of(const ov::Node& node) {
  const auto data = node.get_input_partial_shape(0).rank();
  const auto dims = dims_of(node.get_input_partial_shape(1));
  if (!dims || data.is_dynamic()) return std::nullopt;
  return Weights{*dims, static_cast<std::int64_t>(dims->size()) == data.get_length() + 1};
}

template <typename Node>
Operation convolution(const Node& node, OperationKind kind) {
  Operation result{kind, {}, std::nullopt, {}};
  const auto weights = weights_of(node);
  if (weights) result.parameters.emplace_back("kernel", weights->kernel());
  result.parameters.emplace_back("strides", to_dims(node.get_strides()));
  result.parameters.emplace_back("pads_begin", to_dims(node.get_pads_begin()));
  result.parameters.emplace_back("pads_end", to_dims(node.get_pads_end()));
  result.parameters.emplace_back("dilations", to_dims(node.get_dilations()));
  if (weights) result.parameters.emplace_back("group", weights->groups());
  result.parameters.emplace_back("auto_pad", word(node.get_auto_pad()));
  // Each element that the kernel slides over takes part in this many products: an element of the
  // output for a convolution, of the input for a transposed one.
  const bool is_transposed = kind == OperationKind::kDeconvolution;
  const auto slid =
      dims_of(is_transposed ? node.get_input_partial_shape(0) : node.get_output_partial_shape(0));
  if (weights && slid) {
    const std::size_t first = weights->is_grouped ? 2 : 1;
    result.macs = checked_product(product(*slid), product_from(weights->dims, first));
  }
  return result;
}

template <typename Node>
Operation pooling(const Node& node, std::string mode) {
  Operation result{OperationKind::kPooling, {}, 0, {}};
  result.parameters.emplace_back("mode", std::move(mode));
  result.parameters.emplace_back("kernel", to_dims(node.get_kernel()));
  result.parameters.emplace_back("strides", to_dims(node.get_strides()));
  result.parameters.emplace_back("pads_begin", to_dims(node.get_pads_begin()));
  result.parameters.emplace_back("pads_end", to_dims(node.get_pads_end()));
  result.parameters.emplace_back("auto_pad", word(node.get_auto_pad()));
  result.parameters.emplace_back("rounding_type", word(node.get_rounding_type()));
  return result;
}

Operation matmul(const ov::op::v0::MatMul& node) {
  Operation result{OperationKind::kMatMul, {}, std::nullopt, {}};
  result.parameters.emplace_back("transpose_a", node.get_transpose_a());
  result.parameters.emplace_back("transpose_b", node.get_transpose_b());
  const auto a = dims_of(node.get_input_partial_shape(0));
  const auto out = dims_of(node.get_output_partial_shape(0));
  if (a && out && !a->empty()) {
    // A vector counts as a matrix of one row, whatever the flag says.
    const bool first = node.get_transpose_a() && a->size() > 1;
    const std::int64_t inner = (*a)[a->size() - (first ? 2 : 1)];
    result.macs = checked_product(product(*out), inner < 0 ? std::nullopt : std::optional(inner));
  }
  return result;
}

std::optional<Operation> operation_of(const ov::Node& node) {
  using ov::as_type;
  if (const auto* op = as_type<const ov::op::util::ConvolutionFwdPropBase>(&node)) {
    return convolution(*op, OperationKind::kConvolution);
  }
  if (const auto* op = as_type<const ov::op::util::ConvolutionBackPropBase>(&node)) {
    return convolution(*op, OperationKind::kDeconvolution);
  }
  if (const auto* op = as_type<const ov::op::util::MaxPoolBase>(&node)) return pooling(*op, "max");
  if (const auto* op = as_type<const ov::op::util::AvgPoolBase>(&node)) {
    Operation result = pooling(*op, "average");
    result.parameters.emplace_back("exclude_pad", op->get_exclude_pad());
    return result;
  }
  if (const auto* op = as_type<const ov::op::v0::MatMul>(&node)) return matmul(*op);
  if (const auto* op = as_type<const ov::op::v0::FakeQuantize>(&node)) {
    Operation result{OperationKind::kFakeQuantize, {}, 0, {}};
    result.parameters.emplace_back("levels", static_cast<std::int64_t>(op->get_levels()));
    return result;
  }
  return std::nullopt;
}

// How many operations after a product its fused block is searched: scale, mask, softmax and casts
// between.
constexpr std::size_t kMaxReaders = 8;

std::vector<SourceIndex> readers_of(const ov::Node& node, const SourceTable& sources) {
  std::vector<SourceIndex> readers;
  const ov::Node* next = &node;
  while (readers.size() < kMaxReaders && next->get_output_size() == 1) {
    const auto inputs = next->output(0).get_target_inputs();
    if (inputs.size() != 1) break;
    next = inputs.begin()->get_node();
    const auto found = sources.of_node.find(next);
    if (found == sources.of_node.end()) break;
    for (const SourceIndex source : found->second) {
      if (readers.empty() || readers.back() != source) readers.push_back(source);
    }
  }
  return readers;
}

}  // namespace

std::optional<std::int64_t> product(const std::vector<std::int64_t>& dims) {
  base::CheckedInt result(1);
  for (const std::int64_t dim : dims) {
    if (dim < 0) return std::nullopt;
    result *= base::CheckedInt(dim);
  }
  return result.value();
}

std::optional<std::int64_t> product_from(const Dims& dims, std::size_t first) {
  if (dims.size() < first) return std::nullopt;
  return product(Dims(dims.begin() + static_cast<std::ptrdiff_t>(first), dims.end()));
}

std::optional<std::int64_t> checked_product(std::optional<std::int64_t> a,
                                            std::optional<std::int64_t> b) {
  if (!a || !b) return std::nullopt;
  return (base::CheckedInt(*a) * base::CheckedInt(*b)).value();
}

std::optional<std::vector<std::int64_t>> dims_of(const ov::PartialShape& shape) {
  if (shape.rank().is_dynamic()) return std::nullopt;
  Dims dims;
  for (const ov::Dimension& dim : shape) dims.push_back(dim.is_static() ? dim.get_length() : -1);
  return dims;
}

OperationTable collect_operations(const ov::Model& model, const SourceTable& sources) {
  OperationTable table;
  for (const auto& node : model.get_ordered_ops()) {
    const auto found = sources.of_node.find(node.get());
    if (found == sources.of_node.end() || found->second.empty()) continue;
    // An operation with several sources (a node and the Identity after it) counts for the first
    // one.
    if (auto operation = operation_of(*node)) {
      if (operation->kind == OperationKind::kMatMul) {
        operation->readers = readers_of(*node, sources);
      }
      table.emplace(*found->second.begin(), std::move(*operation));
    }
  }
  return table;
}

}  // namespace planex::drive
