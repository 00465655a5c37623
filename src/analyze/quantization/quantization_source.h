// What the source model's own operations say about quantization.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/plan_model.h"

namespace planex::analyze {

enum class OperationRole : std::uint8_t { kOther, kQuantizer, kDequantizer, kOperator, kDynamic };
inline constexpr std::size_t kOperationRoles = 5;

// The role of an operation in quantization, by its type or, where that is not known, its name.
// ONNX's operators, ONNX Runtime's of com.microsoft, and OpenVINO's FakeQuantize.
OperationRole role_of_operation(std::string_view type, std::string_view name);

// What the first reader of a product does, past operations that only move data.
enum class Behind : std::uint8_t {
  kQuantizer,
  kActivation,
  kNormalization,
  kAddition,
  kOther,
  kNothing,  // it is an output of the model
};

// By the type of the reading operation: kOther also for operations that only move data.
Behind behind_of_type(std::string_view type);

// Cost: O(operations and their ports) to build; O(1) per query, plus a few steps along the graph.
class QuantizationSource {
 public:
  explicit QuantizationSource(const model::PlanModel& model);

  bool is_known() const { return !roles_.empty(); }
  std::int64_t count(OperationRole role) const { return counts_[static_cast<std::size_t>(role)]; }
  // kOther where there is no such operation.
  OperationRole role(std::string_view name) const;

  struct Operands {
    bool data = false, weights = false;  // come from a dequantizer
  };
  // For the operation with this name; null where there is none.
  std::optional<Operands> operands(std::string_view name) const;
  // The name of the dequantizer that its first input comes from; empty where there is none.
  std::string_view data_dequantizer(std::string_view name) const;

  struct Reader {
    Behind behind = Behind::kNothing;
    std::string_view name, type;  // of the operation; empty for kNothing
  };
  // Null where the model does not have the operation.
  std::optional<Reader> reader(std::string_view name) const;
  // The quantized type at a quantizer's output, or a dequantizer's input; kNull where not known.
  model::DType quantized_type(std::string_view name) const;

  // Whether a scale of the Q/DQ next to the operation, or of another pair on the tensors that it
  // reads, is a list of one value. Null where the ranks of scales are not known.
  std::optional<bool> has_list_scale(std::string_view name) const;
  // The same for any pair of the model whose scale is one value.
  std::optional<bool> any_list_scale() const;

 private:
  struct Operation {
    std::vector<std::string_view> inputs, outputs;
    std::optional<std::size_t> scale_rank;  // of a quantizer or dequantizer with one scale
  };
  std::optional<std::size_t> find(std::string_view name) const;
  // The dequantizer, or FakeQuantize, that a tensor comes from, past operations that only move
  // data.
  std::optional<std::size_t> dequantizer_of(std::string_view tensor) const;
  std::string_view type_of(std::size_t operation) const {
    return model_.text(model_.operations.type[operation]);
  }

  const model::PlanModel& model_;
  std::vector<OperationRole> roles_;
  std::vector<Operation> operations_;
  std::array<std::int64_t, kOperationRoles> counts_{};
  std::unordered_map<std::string_view, std::size_t> by_name_, writer_;
  std::unordered_map<std::string_view, std::vector<std::size_t>> readers_;
  std::unordered_map<std::string_view, model::DType> tensor_types_;
};

}  // namespace planex::analyze
