#include "analyze/quantization/quantization_source.h"

#include <algorithm>

namespace planex::analyze {
namespace {

using model::Direction;
using model::DType;

// A chain of operations that only move data is short.
constexpr int kMaxSourceSteps = 8;
// Maximum readers of one tensor that are examined.
constexpr std::size_t kMaxSourceReaders = 16;

constexpr std::array<std::string_view, 8> kSourceMoves = {
    "Reshape", "Transpose", "Squeeze", "Unsqueeze", "Flatten", "Identity", "Cast", "MaxPool"};
constexpr std::array<std::string_view, 15> kSourceActivations = {
    "Relu", "Clip", "LeakyRelu", "Sigmoid",  "HardSigmoid", "HardSwish", "Tanh", "Elu",
    "Selu", "Gelu", "PRelu",     "Softplus", "Mish",        "Swish",     "Celu"};

bool is_source_move(std::string_view type) {
  return std::ranges::find(kSourceMoves, type) != kSourceMoves.end();
}

}  // namespace

OperationRole role_of_operation(std::string_view type, std::string_view name) {
  const std::string_view word = type.empty() ? name : type;
  const auto has = [&](std::string_view part) { return word.find(part) != std::string_view::npos; };
  if (has("DynamicQuantize") || has("ConvInteger") || has("MatMulInteger")) {
    return OperationRole::kDynamic;
  }
  if (has("DequantizeLinear") || word == "Dequantize") return OperationRole::kDequantizer;
  if (has("QuantizeLinear") || has("FakeQuantize") || word == "Quantize") {
    return OperationRole::kQuantizer;
  }
  if (has("QLinear") || has("QGemm") || has("QAttention")) return OperationRole::kOperator;
  return OperationRole::kOther;
}

Behind behind_of_type(std::string_view type) {
  if (role_of_operation(type, {}) == OperationRole::kQuantizer) return Behind::kQuantizer;
  if (std::ranges::find(kSourceActivations, type) != kSourceActivations.end())
    return Behind::kActivation;
  if (type == "BatchNormalization") return Behind::kNormalization;
  if (type == "Add" || type == "Sum") return Behind::kAddition;
  return Behind::kOther;
}

QuantizationSource::QuantizationSource(const model::PlanModel& model) : model_(model) {
  const auto& operations = model.operations;
  const auto& ports = model.operation_ports;
  operations_.resize(operations.row_count());
  for (std::size_t row = 0; row < operations.row_count(); ++row) {
    const OperationRole role =
        role_of_operation(model.text(operations.type[row]), model.text(operations.name[row]));
    ++counts_[static_cast<std::size_t>(role)];
    roles_.push_back(role);
    by_name_.try_emplace(model.text(operations.name[row]), row);
  }
  for (std::size_t row = 0; row < ports.row_count(); ++row) {
    const std::size_t operation = ports.operation_id[row].index();
    const auto index = ports.index.get(row);
    if (operation >= roles_.size() || !index || *index < 0 || *index > 2) continue;
    const std::string_view tensor = model.text(ports.tensor[row]);
    if (ports.dtype[row] != DType::kNull) tensor_types_.try_emplace(tensor, ports.dtype[row]);
    Operation& of = operations_[operation];
    auto& list = ports.direction[row] == Direction::kOutput ? of.outputs : of.inputs;
    const auto place = static_cast<std::size_t>(*index);
    if (list.size() <= place) list.resize(place + 1);
    list[place] = tensor;
    if (tensor.empty()) continue;
    if (ports.direction[row] == Direction::kOutput) {
      writer_.try_emplace(tensor, operation);
      continue;
    }
    readers_[tensor].push_back(operation);
    const OperationRole role = roles_[operation];
    // A weight's dimensions are known, an activation's may not be: scales are weights.
    if (place == 1 && !ports.stored_bytes.is_null(row) &&
        (role == OperationRole::kQuantizer || role == OperationRole::kDequantizer)) {
      const auto dims = ports.dims[row];
      if (dims.empty() || (dims.size() == 1 && dims[0] == 1)) of.scale_rank = dims.size();
    }
  }
}

std::optional<std::size_t> QuantizationSource::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? std::nullopt : std::optional(found->second);
}

OperationRole QuantizationSource::role(std::string_view name) const {
  const auto operation = find(name);
  return operation ? roles_[*operation] : OperationRole::kOther;
}

std::optional<std::size_t> QuantizationSource::dequantizer_of(std::string_view tensor) const {
  for (int step = 0; step < kMaxSourceSteps; ++step) {
    const auto writer = writer_.find(tensor);
    if (writer == writer_.end()) return std::nullopt;
    const OperationRole role = roles_[writer->second];
    // OpenVINO's FakeQuantize does both.
    if (role == OperationRole::kDequantizer || role == OperationRole::kQuantizer) {
      return writer->second;
    }
    const auto& inputs = operations_[writer->second].inputs;
    if (!is_source_move(type_of(writer->second)) || inputs.empty()) return std::nullopt;
    tensor = inputs[0];
  }
  return std::nullopt;
}

std::optional<QuantizationSource::Operands> QuantizationSource::operands(
    std::string_view name) const {
  const auto operation = find(name);
  if (!operation || operations_[*operation].inputs.empty()) return std::nullopt;
  const auto& inputs = operations_[*operation].inputs;
  return Operands{dequantizer_of(inputs[0]).has_value(),
                  inputs.size() > 1 && dequantizer_of(inputs[1]).has_value()};
}

std::string_view QuantizationSource::data_dequantizer(std::string_view name) const {
  const auto operation = find(name);
  if (!operation || operations_[*operation].inputs.empty()) return {};
  const auto dequantizer = dequantizer_of(operations_[*operation].inputs[0]);
  return dequantizer ? model_.text(model_.operations.name[*dequantizer]) : std::string_view();
}

std::optional<QuantizationSource::Reader> QuantizationSource::reader(std::string_view name) const {
  auto operation = find(name);
  if (!operation) return std::nullopt;
  for (int step = 0; step < kMaxSourceSteps; ++step) {
    const auto& outputs = operations_[*operation].outputs;
    const auto readers = outputs.empty() ? readers_.end() : readers_.find(outputs[0]);
    if (readers == readers_.end()) return Reader{};
    // A quantizer among several readers is what fuses.
    std::size_t next = readers->second.front();
    const std::size_t count = std::min(readers->second.size(), kMaxSourceReaders);
    for (std::size_t i = 0; i < count; ++i) {
      if (roles_[readers->second[i]] == OperationRole::kQuantizer) next = readers->second[i];
    }
    const std::string_view type = type_of(next);
    if (is_source_move(type)) {
      operation = next;
      continue;
    }
    return Reader{behind_of_type(type), model_.text(model_.operations.name[next]), type};
  }
  return std::nullopt;
}

DType QuantizationSource::quantized_type(std::string_view name) const {
  const auto operation = find(name);
  if (!operation) return DType::kNull;
  const bool quantizes = roles_[*operation] == OperationRole::kQuantizer;
  const auto& tensors =
      quantizes ? operations_[*operation].outputs : operations_[*operation].inputs;
  // A zero point has this type too, and is a weight: its type is always known.
  for (const std::string_view tensor :
       {operations_[*operation].inputs.size() > 2 ? operations_[*operation].inputs[2]
                                                  : std::string_view(),
        tensors.empty() ? std::string_view() : tensors[0]}) {
    const auto type = tensor_types_.find(tensor);
    if (!tensor.empty() && type != tensor_types_.end()) return type->second;
  }
  return DType::kNull;
}

std::optional<bool> QuantizationSource::has_list_scale(std::string_view name) const {
  const auto operation = find(name);
  if (!operation) return std::nullopt;
  bool is_known = false;
  const auto is_list = [&](std::size_t of) {
    is_known = is_known || operations_[of].scale_rank.has_value();
    return operations_[of].scale_rank == 1U;
  };
  for (const std::string_view input : operations_[*operation].inputs) {
    const auto dequantizer = dequantizer_of(input);
    if (!dequantizer) continue;
    if (is_list(*dequantizer)) return true;
    const auto& inputs = operations_[*dequantizer].inputs;
    const auto quantizer = inputs.empty() ? writer_.end() : writer_.find(inputs[0]);
    if (quantizer == writer_.end()) continue;
    if (is_list(quantizer->second)) return true;
    // Pairs of a skip path quantize the same tensor.
    const auto& data = operations_[quantizer->second].inputs;
    const auto others = data.empty() ? readers_.end() : readers_.find(data[0]);
    if (others == readers_.end()) continue;
    const std::size_t count = std::min(others->second.size(), kMaxSourceReaders);
    for (std::size_t i = 0; i < count; ++i) {
      if (is_list(others->second[i])) return true;
    }
  }
  return is_known ? std::optional(false) : std::nullopt;
}

std::optional<bool> QuantizationSource::any_list_scale() const {
  bool is_known = false;
  for (const Operation& operation : operations_) {
    if (operation.scale_rank == 1U) return true;
    is_known = is_known || operation.scale_rank.has_value();
  }
  return is_known ? std::optional(false) : std::nullopt;
}

}  // namespace planex::analyze
