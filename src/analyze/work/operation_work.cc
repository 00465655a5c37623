#include "analyze/work/operation_work.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "analyze/work/operation_kinds.h"
#include "analyze/work/operation_operands.h"
#include "analyze/work/shapes.h"
#include "base/checked.h"

namespace planex::analyze {
namespace {

using base::CheckedInt;
using model::PlanModel;

using Count = std::optional<std::int64_t>;

// [N, spatial..., C] as [N, C, spatial...].
std::vector<std::int64_t> channels_first(Dims dims) {
  std::vector<std::int64_t> result(dims.begin(), dims.end());
  if (result.size() > 2) std::rotate(result.begin() + 1, result.end() - 1, result.end());
  return result;
}

// `weights` is the position of the filter among the inputs.
Count convolution(const Operation& op, std::int64_t weights_index) {
  const auto listed_input = op.input(0), listed_out = op.output();
  if (!listed_input || !listed_out) return std::nullopt;
  Dims input = *listed_input, out = *listed_out;
  std::vector<std::int64_t> turned_input, turned_out;
  if (op.type().starts_with("Nhwc") || op.parameters().integer("channels_last").value_or(0) != 0) {
    turned_input = channels_first(input);
    turned_out = channels_first(out);
    input = turned_input;
    out = turned_out;
  }
  if (const auto weights = op.input(weights_index)) return convolution_macs(input, *weights, out);
  // A build log lists activations only; the parameters contain the rest.
  const auto kernel = op.parameters().integers("kernel_shape");
  const std::int64_t groups = op.parameters().integer("group").value_or(1);
  if (!kernel || input.size() < 2 || out.size() < 2 || groups < 1) return std::nullopt;
  const std::int64_t channels = input[1];
  if (channels < 0 || channels % groups != 0) return std::nullopt;
  std::vector<std::int64_t> assumed = {out[1], channels / groups};
  assumed.insert(assumed.end(), kernel->begin(), kernel->end());
  return convolution_macs(input, assumed, out);
}

// ONNX Runtime's convolution of channels in blocks: its filters and its result are padded to whole
// blocks. Filters that are only padding are not the model's work.
Count blocked_convolution(const Operation& op) {
  const Count padded = convolution(op, 1);
  const auto weights = op.input(1);
  const auto channels = op.blocked_output_channels();
  if (!padded || !channels) return padded;
  if (*channels < 1 || *channels > weights->front()) return std::nullopt;
  return (CheckedInt(*padded / weights->front()) * *channels).value();
}

Count transposed_convolution(const Operation& op) {
  const auto input = op.input(0), weights = op.input(1), out = op.output();
  if (!input || !out) return std::nullopt;
  if (weights) return transposed_convolution_macs(*input, *weights, *out);
  const auto kernel = op.parameters().integers("kernel_shape");
  const std::int64_t groups = op.parameters().integer("group").value_or(1);
  if (!kernel || input->size() < 2 || out->size() < 2 || groups < 1) return std::nullopt;
  const std::int64_t channels = (*out)[1];
  if (channels < 0 || channels % groups != 0) return std::nullopt;
  std::vector<std::int64_t> assumed = {(*input)[1], channels / groups};
  assumed.insert(assumed.end(), kernel->begin(), kernel->end());
  return transposed_convolution_macs(*input, assumed, *out);
}

// A build log does not record how Gemm reads its operands, so the dims decide.
Count general_product(const Operation& op) {
  const auto a = op.input(0), b = op.input(1), out = op.output();
  if (!a || !b || !out || a->size() != 2 || b->size() != 2 || out->size() != 2) {
    return std::nullopt;
  }
  return matrix_macs(*a, *b, *out);
}

// ONNX's MatMul, as numpy's: an operand of one dimension is a vector.
Count matrix_product(const Operation& op, std::int64_t b_index) {
  const auto a = op.input(0), b = op.input(b_index), out = op.output();
  if (!a || !out || a->empty()) return std::nullopt;
  const bool transposed_a = op.parameters().integer("transA").value_or(0) != 0 && a->size() >= 2;
  const bool transposed_b =
      op.parameters().integer("transB").value_or(0) != 0 && b && b->size() >= 2;
  // FusedMatMul can swap batch and rows too; then the last but one is no longer the other.
  if (op.parameters().integer("transBatchA").value_or(0) != 0) return std::nullopt;
  if (op.parameters().integer("transBatchB").value_or(0) != 0) return std::nullopt;
  const std::int64_t reduced = (*a)[a->size() - (transposed_a ? 2 : 1)];
  if (reduced < 0) return std::nullopt;
  if (b && !b->empty()) {
    const std::int64_t of_b =
        b->size() == 1 ? b->front() : (*b)[b->size() - (transposed_b ? 1 : 2)];
    if (of_b != reduced) return std::nullopt;
    if (b->size() >= 2) {
      const std::int64_t columns = (*b)[b->size() - (transposed_b ? 2 : 1)];
      if (out->empty() || (columns >= 0 && out->back() != columns)) return std::nullopt;
    }
  }
  return times(product(*out), reduced);
}

// Weights packed in blocks: their sizes are parameters.
Count packed_matrix_product(const Operation& op) {
  const auto a = op.input(0), out = op.output();
  const auto reduced = op.parameters().integer("K");
  if (!a || a->empty() || !out || !reduced || *reduced < 0 || a->back() != *reduced) {
    return std::nullopt;
  }
  return times(product(*out), *reduced);
}

// Adds the labels of one operand ("bij") with its dims; false where they do not fit.
bool add_labels(std::string_view labels, Dims dims, std::map<char, std::int64_t>& sizes) {
  std::size_t axis = 0;
  for (const char label : labels) {
    if (label == ' ') continue;
    const bool letter = (label >= 'a' && label <= 'z') || (label >= 'A' && label <= 'Z');
    if (!letter || axis == dims.size() || dims[axis] < 0) return false;
    std::int64_t& size = sizes.emplace(label, dims[axis]).first->second;
    if (size == 1) size = dims[axis];  // broadcast
    if (dims[axis] != size && dims[axis] != 1) return false;
    ++axis;
  }
  return axis == dims.size();
}

// Two operands and an explicit result: one MAC per combination of all labels.
Count einsum(const Operation& op) {
  const auto equation = op.parameters().text("equation");
  const auto a = op.input(0), b = op.input(1);
  if (!equation || !a || !b || op.has_input(2)) return std::nullopt;
  const std::size_t comma = equation->find(','), arrow = equation->find("->");
  if (comma == std::string_view::npos || arrow == std::string_view::npos || comma > arrow) {
    return std::nullopt;
  }
  std::map<char, std::int64_t> sizes;
  if (!add_labels(equation->substr(0, comma), *a, sizes) ||
      !add_labels(equation->substr(comma + 1, arrow - comma - 1), *b, sizes)) {
    return std::nullopt;
  }
  CheckedInt macs = 1;
  for (const auto& [label, size] : sizes) macs *= size;
  return macs.value();
}

// X [steps, batch, I] or [batch, steps, I]; W [directions, gates · H, I], R [directions, gates · H,
// H].
Count recurrent(const Operation& op) {
  const auto x = op.input(0), w = op.input(1), r = op.input(2);
  if (!x || !w || !r || x->size() != 3 || w->size() != 3 || r->size() != 3) return std::nullopt;
  if (op.type() != "DynamicQuantizeLSTM") return recurrent_macs(*x, *w, *r);
  const auto turned = [](Dims dims) { return std::array{dims[0], dims[2], dims[1]}; };
  return recurrent_macs(*x, turned(*w), turned(*r));
}

// Rows of keys from a cache: 0 where there is none, nothing where it is not known.
Count cached_rows(const Operation& op, std::int64_t past_key_index) {
  if (!op.has_input(past_key_index)) return 0;
  const auto past = op.input(past_key_index);
  if (!past || past->size() != 4 || (*past)[2] < 0) return std::nullopt;
  return (*past)[2];
}

// ONNX's Attention and com.microsoft's MultiHeadAttention: Q, K and V as [batch, rows, columns] of
// all heads, or [batch, heads, rows, columns] each.
Count attention(const Operation& op, std::int64_t past_key_index) {
  const auto q = op.input(0), k = op.input(1), out = op.output();
  const Count cached = cached_rows(op, past_key_index);
  constexpr std::size_t kJoined = 3, kApart = 4;
  if (!q || !k || !out || !cached || q->size() < kJoined || q->size() > kApart ||
      k->size() < kJoined || k->size() > kApart || out->size() < kJoined) {
    return std::nullopt;
  }
  const std::int64_t rows = (*k)[k->size() - 2], columns = q->back(), out_columns = out->back();
  if (rows < 0 || columns < 0 || out_columns < 0) return std::nullopt;
  // One row of Q for all heads at once, or for each.
  const auto queries = product(q->first(q->size() - 1));
  // The result's columns cover all heads where Q's do.
  if (q->size() != out->size()) return std::nullopt;
  return times(queries, (CheckedInt(rows) + *cached) * (CheckedInt(columns) + out_columns));
}

// com.microsoft's GroupQueryAttention: fewer heads of K and V than of Q, Q alone or all three in
// one, and keys of earlier steps.
Count grouped_attention(const Operation& op) {
  constexpr std::int64_t kKey = 1, kPastKey = 3, kPresentKey = 1;
  const auto q = op.input(0);
  const auto heads = op.parameters().integer("num_heads");
  const auto kv_heads = op.parameters().integer("kv_num_heads");
  if (!q || q->size() != 3 || !heads || !kv_heads || *heads < 1 || *kv_heads < 1 ||
      *kv_heads > *heads) {
    return std::nullopt;
  }
  // A window leaves out keys that are farther away.
  if (op.parameters().integer("local_window_size").value_or(-1) >= 0) return std::nullopt;
  const auto all_heads = op.has_input(kKey)
                             ? std::optional(*heads)
                             : (CheckedInt(*kv_heads) * 2 + CheckedInt(*heads)).value();
  const auto positions = product(q->first(2));
  const std::int64_t rows = (*q)[1];
  if (!positions || !all_heads || q->back() < 0 || q->back() % *all_heads != 0) return std::nullopt;
  std::int64_t keys = rows;
  if (op.has_input(kPastKey)) {
    const auto past = op.input(kPastKey), present = op.output(kPresentKey);
    if (!past || !present || past->size() != 4 || present->size() != 4) return std::nullopt;
    // A cache of a fixed size: the shapes do not show how much of it is filled.
    keys = (*present)[2];
    if ((*past)[2] < 0 || (CheckedInt((*past)[2]) + rows).value() != keys) return std::nullopt;
  }
  return times(positions, CheckedInt(keys) * (q->back() / *all_heads) * *heads * 2);
}

// com.microsoft's Attention: the projections of one input to Q, K and V, then the products.
Count attention_with_projections(const Operation& op, std::int64_t past_index) {
  const auto input = op.input(0), weights = op.input(1), out = op.output();
  if (!input || !weights || !out || input->size() != 3 || weights->size() != 2 ||
      out->size() != 3 || op.has_input(past_index)) {
    return std::nullopt;
  }
  const auto sizes = op.parameters().integers("qkv_hidden_sizes");
  const std::int64_t all_columns = (*weights)[1], out_columns = out->back(), rows = (*input)[1];
  std::int64_t columns = all_columns / 3;
  if (sizes) {
    if (sizes->size() != 3) return std::nullopt;
    columns = sizes->front();
  } else if (all_columns % 3 != 0) {
    return std::nullopt;
  }
  if ((*weights)[0] != input->back() || columns < 0 || rows < 0 || out_columns < 0) {
    return std::nullopt;
  }
  const auto positions = product(input->first(2)), projection = product(*weights);
  if (!positions || !projection) return std::nullopt;
  return (*positions * (*projection + CheckedInt(rows) * (CheckedInt(columns) + out_columns)))
      .value();
}

// Where an operator's weights are not its second input.
constexpr std::int64_t kSecond = 1, kQuantizedSecond = 3;

Count operation_macs(const Operation& op) {
  const std::string_view type = op.type();
  if (op.domain() == kBlockedDomain) return blocked_convolution(op);
  if (type == "Conv" || type == "ConvInteger" || type == "FusedConv" || type == "DeformConv" ||
      type == "NhwcConv" || type == "NhwcFusedConv") {
    return convolution(op, kSecond);
  }
  if (type == "QLinearConv") return convolution(op, kQuantizedSecond);
  if (type == "ConvTranspose") return transposed_convolution(op);
  if (type == "MatMul" || type == "MatMulInteger" || type == "MatMulIntegerToFloat" ||
      type == "DynamicQuantizeMatMul" || type == "FusedMatMul" || type == "TransposeMatMul" ||
      type == "FusedMatMulActivation" || type == "GemmFastGelu") {
    return matrix_product(op, kSecond);
  }
  if (type == "Gemm" || type == "FusedGemm" || type == "GemmFloat8") return general_product(op);
  if (type == "QLinearMatMul" || type == "QGemm") return matrix_product(op, kQuantizedSecond);
  if (type == "MatMulNBits" || type == "MatMulBnb4") return packed_matrix_product(op);
  if (type == "Einsum") return einsum(op);
  if (type == "LSTM" || type == "GRU" || type == "RNN" || type == "DynamicQuantizeLSTM") {
    return recurrent(op);
  }
  constexpr std::int64_t kOnnxPastKey = 4, kMultiHeadPastKey = 6, kPast = 4, kQuantizedPast = 8;
  if (type == "Attention") {
    return op.is_microsoft() ? attention_with_projections(op, kPast) : attention(op, kOnnxPastKey);
  }
  if (type == "QAttention") return attention_with_projections(op, kQuantizedPast);
  if (type == "GroupQueryAttention") return grouped_attention(op);
  if (type == "MultiHeadAttention") return attention(op, kMultiHeadPastKey);
  return std::nullopt;
}

// Operations that run once per iteration of a loop: no file records the number of iterations.
class Loops {
 public:
  explicit Loops(const PlanModel& model) : model_(model) {
    for (std::size_t row = 0; row < model.operations.row_count(); ++row) {
      const std::string_view type = model.text(model.operations.type[row]);
      if (type == "Loop" || type == "Scan") names_.insert(model.text(model.operations.name[row]));
    }
  }

  // Subgraphs are named like the operation, or "body (body) | loop (Loop)".
  bool have(std::size_t row) const {
    if (names_.empty() || model_.operations.subgraph.is_null(row)) return false;
    const std::string_view path = model_.text(model_.operations.subgraph[row]);
    return names_.contains(path) || path.find(" (Loop)") != path.npos ||
           path.find(" (Scan)") != path.npos;
  }

 private:
  const PlanModel& model_;
  std::set<std::string_view> names_;
};

}  // namespace

void complete_operations(PlanModel& model) {
  model::OperationsTable& operations = model.operations;
  if (operations.row_count() == 0) return;
  const OperandIndex operands(model);
  const Loops loops(model);
  for (std::size_t row = 0; row < operations.row_count(); ++row) {
    const Operation op(operands, row);
    const OperationKind kind = op.kind();
    if (operations.weight_bytes.is_null(row)) operations.weight_bytes.set(row, op.weight_bytes());
    if (loops.have(row)) continue;
    const bool has_products = kind == OperationKind::kProduct || kind == OperationKind::kRecurrent;
    if (has_products && operations.macs.is_null(row)) operations.macs.set(row, operation_macs(op));
    if (!operations.flops.is_null(row)) continue;
    if (const auto macs = operations.macs.get(row)) {
      operations.flops.set(row, (CheckedInt(*macs) * 2).value());
    } else if (kind == OperationKind::kPointwise) {
      const auto out = op.output();
      operations.flops.set(row, out ? element_count(*out) : std::nullopt);
    }
  }
}

}  // namespace planex::analyze
