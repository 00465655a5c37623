#include "analyze/operation_work.h"

#include <array>
#include <map>
#include <vector>

#include "analyze/operation_kinds.h"
#include "analyze/operation_parameters.h"
#include "analyze/shapes.h"
#include "base/checked.h"

namespace planex::analyze {
namespace {

using base::CheckedInt;
using model::Direction;
using model::OperationId;
using model::PlanModel;

using Count = std::optional<std::int64_t>;

// Rows of operation_ports by operation. The builder adds them operation by operation, but nothing
// holds a reader to it.
class PortIndex {
 public:
  explicit PortIndex(const PlanModel& model)
      : first_(model.operations.row_count() + 1, 0), rows_(model.operation_ports.row_count()) {
    const model::OperationPortsTable& ports = model.operation_ports;
    for (const OperationId id : ports.operation_id.values()) {
      if (is_known(id)) ++first_[id.index() + 1];
    }
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    std::vector<std::uint32_t> next(first_.begin(), first_.end());
    for (std::size_t row = 0; row < ports.row_count(); ++row) {
      const OperationId id = ports.operation_id[row];
      if (is_known(id)) rows_[next[id.index()]++] = static_cast<std::uint32_t>(row);
    }
  }

  std::span<const std::uint32_t> rows_of(std::size_t operation) const {
    return std::span(rows_).subspan(first_[operation], first_[operation + 1] - first_[operation]);
  }

 private:
  bool is_known(OperationId id) const { return !id.is_null() && id.index() + 1 < first_.size(); }

  std::vector<std::uint32_t> first_, rows_;
};

// One operation: its operands by position, and its parameters.
class Operation {
 public:
  Operation(const PlanModel& model, const PortIndex& ports, std::size_t row)
      : model_(model),
        rows_(ports.rows_of(row)),
        type_(model.text(model.operations.type[row])),
        domain_(model.text(model.operations.domain[row])),
        parameters_(model.text(model.operations.parameters[row])) {}

  std::string_view type() const { return type_; }
  bool is_microsoft() const { return domain_ == "com.microsoft"; }
  const OperationParameters& parameters() const { return parameters_; }
  OperationKind kind() const { return operation_kind(domain_, type_); }

  // Nothing where the operand is left out or its dims are not known.
  std::optional<Dims> input(std::int64_t index) const { return dims(Direction::kInput, index); }
  std::optional<Dims> output() const { return dims(Direction::kOutput, 0); }

  // Optional operands are left out by an empty name, or at the end.
  bool has_input(std::int64_t index) const {
    const auto row = find(Direction::kInput, index);
    return row && !model_.text(model_.operation_ports.tensor[*row]).empty();
  }

  Count weight_bytes() const {
    CheckedInt sum = 0;
    bool any = false;
    for (const std::uint32_t row : rows_) {
      const auto bytes = model_.operation_ports.stored_bytes.get(row);
      if (!bytes || model_.operation_ports.direction[row] != Direction::kInput) continue;
      any = true;
      sum += *bytes;
    }
    return any ? sum.value() : std::nullopt;
  }

 private:
  std::optional<std::uint32_t> find(Direction direction, std::int64_t index) const {
    for (const std::uint32_t row : rows_) {
      if (model_.operation_ports.direction[row] == direction &&
          model_.operation_ports.index[row] == index) {
        return row;
      }
    }
    return std::nullopt;
  }

  std::optional<Dims> dims(Direction direction, std::int64_t index) const {
    const auto row = find(direction, index);
    if (!row || model_.operation_ports.dims.is_null(*row)) return std::nullopt;
    return model_.operation_ports.dims[*row];
  }

  const PlanModel& model_;
  std::span<const std::uint32_t> rows_;
  std::string_view type_, domain_;
  OperationParameters parameters_;
};

// `weights` is the position of the filter among the inputs.
Count convolution(const Operation& op, std::int64_t weights_index) {
  const auto input = op.input(0), out = op.output();
  if (!input || !out) return std::nullopt;
  if (const auto weights = op.input(weights_index)) {
    return convolution_macs(*input, *weights, *out);
  }
  // A build log lists activations only; the parameters have the rest.
  const auto kernel = op.parameters().integers("kernel_shape");
  const std::int64_t groups = op.parameters().integer("group").value_or(1);
  if (!kernel || input->size() < 2 || out->size() < 2 || groups < 1) return std::nullopt;
  const std::int64_t channels = (*input)[1];
  if (channels < 0 || channels % groups != 0) return std::nullopt;
  std::vector<std::int64_t> assumed = {(*out)[1], channels / groups};
  assumed.insert(assumed.end(), kernel->begin(), kernel->end());
  return convolution_macs(*input, assumed, *out);
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

Count times(std::optional<CheckedInt> a, CheckedInt b) {
  return a ? (*a * b).value() : std::nullopt;
}

// A build log does not say how Gemm reads its operands, so the dims decide.
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

// Two operands and a written result: one MAC per combination of all labels.
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
// H]: both matrices are multiplied with a vector for every step of every sequence.
Count recurrent(const Operation& op) {
  const auto x = op.input(0), w = op.input(1), r = op.input(2);
  if (!x || !w || !r || x->size() != 3 || w->size() != 3 || r->size() != 3) return std::nullopt;
  const auto of_w = product(*w), of_r = product(*r), steps = product(x->first(2));
  if (!of_w || !of_r || (*w)[2] != (*x)[2] || (*w)[1] != (*r)[1]) return std::nullopt;
  return times(steps, *of_w + *of_r);
}

// Rows of keys that come from a cache: 0 where there is none, nothing where it is not known.
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
  // The result's columns are of all heads where Q's are.
  if (q->size() != out->size()) return std::nullopt;
  return times(queries, (CheckedInt(rows) + *cached) * (CheckedInt(columns) + out_columns));
}

// com.microsoft's Attention: the projections of one input to Q, K and V, then the products.
Count attention_with_projections(const Operation& op) {
  const auto input = op.input(0), weights = op.input(1), out = op.output();
  constexpr std::int64_t kPast = 4;
  if (!input || !weights || !out || input->size() != 3 || weights->size() != 2 ||
      out->size() != 3 || op.has_input(kPast)) {
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

Count macs_of(const Operation& op) {
  const std::string_view type = op.type();
  if (type == "Conv" || type == "ConvInteger" || type == "FusedConv" || type == "DeformConv") {
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
  if (type == "MatMulNBits") return packed_matrix_product(op);
  if (type == "Einsum") return einsum(op);
  if (type == "LSTM" || type == "GRU" || type == "RNN") return recurrent(op);
  constexpr std::int64_t kOnnxPastKey = 4, kMultiHeadPastKey = 6;
  if (type == "Attention") {
    return op.is_microsoft() ? attention_with_projections(op) : attention(op, kOnnxPastKey);
  }
  if (type == "MultiHeadAttention") return attention(op, kMultiHeadPastKey);
  return std::nullopt;
}

}  // namespace

void complete_operations(PlanModel& model) {
  model::OperationsTable& operations = model.operations;
  if (operations.row_count() == 0) return;
  const PortIndex ports(model);
  for (std::size_t row = 0; row < operations.row_count(); ++row) {
    const Operation op(model, ports, row);
    const OperationKind kind = op.kind();
    if (operations.weight_bytes.is_null(row)) operations.weight_bytes.set(row, op.weight_bytes());
    const bool has_products = kind == OperationKind::kProduct || kind == OperationKind::kRecurrent;
    if (has_products && operations.macs.is_null(row)) operations.macs.set(row, macs_of(op));
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
