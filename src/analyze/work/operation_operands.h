// The operations of the source model with their operands, for counting their work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyze/work/operation_kinds.h"
#include "analyze/work/operation_parameters.h"
#include "analyze/work/shapes.h"
#include "model/plan_model.h"

namespace planex::analyze {

// Looks up what all operations share. Must not outlive a change of the model's ports.
class OperandIndex {
 public:
  // Cost: O(operations + operation_ports + ports).
  explicit OperandIndex(const model::PlanModel& model);

  const model::PlanModel& model() const { return model_; }
  // Rows of operation_ports.
  std::span<const std::uint32_t> rows_of(std::size_t operation) const {
    return std::span(rows_).subspan(first_[operation], first_[operation + 1] - first_[operation]);
  }
  // As in the model; where that leaves them open, or a dimension dynamic, as in the layers that the
  // engine ran, if all that read or write the tensor of this name agree with each other and with
  // the model.
  std::optional<Dims> dims_of(std::uint32_t row) const;
  // Channels of a tensor that is padded in blocks (ONNX Runtime's NCHWc), from the operation that
  // unpacks it; nothing where that is unknown.
  std::optional<std::int64_t> channels_of_blocked(std::string_view tensor) const;

 private:
  void index_ports();
  void index_engine_dims();
  void index_blocked();

  const model::PlanModel& model_;
  std::vector<std::uint32_t> first_, rows_;
  // Of the shown profile's layers; empty where they disagree or one has none.
  std::unordered_map<std::string_view, std::optional<Dims>> engine_dims_;
  std::unordered_map<std::string_view, std::int64_t> blocked_channels_;
};

// One operation: its operands by position, and its parameters.
class Operation {
 public:
  Operation(const OperandIndex& index, std::size_t row);

  std::string_view type() const { return type_; }
  std::string_view domain() const { return domain_; }
  bool is_microsoft() const { return domain_ == "com.microsoft"; }
  const OperationParameters& parameters() const { return parameters_; }
  OperationKind kind() const { return operation_kind(domain_, type_); }

  // Nothing where the operand is left out or its dims are not known.
  std::optional<Dims> input(std::int64_t index) const;
  std::optional<Dims> output(std::int64_t index = 0) const;
  // Of the first output, where that is blocked.
  std::optional<std::int64_t> blocked_output_channels() const;
  // Optional operands are left out by an empty name, or at the end.
  bool has_input(std::int64_t index) const;
  // For the inputs whose stored size is known; nothing where none is.
  std::optional<std::int64_t> weight_bytes() const;

 private:
  std::optional<std::uint32_t> find(model::Direction direction, std::int64_t index) const;

  const OperandIndex& index_;
  std::span<const std::uint32_t> rows_;
  std::string_view type_, domain_;
  OperationParameters parameters_;
};

}  // namespace planex::analyze
