#include "analyze/work/operation_operands.h"

#include <algorithm>

#include "base/checked.h"

namespace planex::analyze {

using model::Direction;
using model::OperationId;
using model::PlanModel;

OperandIndex::OperandIndex(const PlanModel& model) : model_(model) {
  index_ports();
  index_engine_dims();
  index_blocked();
}

// The builder adds ports operation by operation, but nothing forces a reader to.
void OperandIndex::index_ports() {
  const model::OperationPortsTable& ports = model_.operation_ports;
  const std::size_t count = model_.operations.row_count();
  const auto is_known = [&](OperationId id) { return !id.is_null() && id.index() < count; };
  first_.assign(count + 1, 0);
  rows_.resize(ports.row_count());
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

namespace {

bool is_open(const model::OperationPortsTable& ports, std::size_t row) {
  return ports.dims.is_null(row) ||
         std::ranges::any_of(ports.dims[row], [](std::int64_t dim) { return dim < 0; });
}

}  // namespace

void OperandIndex::index_engine_dims() {
  const model::OperationPortsTable& wanted = model_.operation_ports;
  for (std::size_t row = 0; row < wanted.row_count(); ++row) {
    const std::string_view tensor = model_.text(wanted.tensor[row]);
    if (!tensor.empty() && is_open(wanted, row)) engine_dims_.emplace(tensor, std::nullopt);
  }
  if (engine_dims_.empty()) return;
  const model::PortsTable& ports = model_.ports;
  std::vector<bool> disagrees(model_.tensors.row_count(), false);
  for (std::size_t port = 0; port < ports.row_count(); ++port) {
    if (!model_.is_shown(ports.layer_id[port])) continue;
    const std::size_t tensor = ports.tensor_id[port].index();
    const auto found = engine_dims_.find(model_.text(model_.tensors.name[tensor]));
    if (found == engine_dims_.end() || disagrees[tensor]) continue;
    const bool is_static =
        !ports.dims.is_null(port) &&
        std::ranges::none_of(ports.dims[port], [](std::int64_t dim) { return dim < 0; });
    const bool agrees =
        is_static && (!found->second || std::ranges::equal(*found->second, ports.dims[port]));
    disagrees[tensor] = !agrees;
    found->second = agrees ? std::optional<Dims>(ports.dims[port]) : std::nullopt;
  }
}

void OperandIndex::index_blocked() {
  const model::OperationsTable& operations = model_.operations;
  for (std::size_t row = 0; row < operations.row_count(); ++row) {
    if (model_.text(operations.type[row]) != "ReorderOutput") continue;
    const auto channels =
        OperationParameters(model_.text(operations.parameters[row])).integer("channels");
    for (const std::uint32_t port : rows_of(row)) {
      const bool is_input = model_.operation_ports.direction[port] == Direction::kInput;
      if (!channels || !is_input) continue;
      blocked_channels_.emplace(model_.text(model_.operation_ports.tensor[port]), *channels);
    }
  }
}

std::optional<Dims> OperandIndex::dims_of(std::uint32_t row) const {
  const model::OperationPortsTable& ports = model_.operation_ports;
  const std::optional<Dims> own =
      ports.dims.is_null(row) ? std::nullopt : std::optional<Dims>(ports.dims[row]);
  if (!is_open(ports, row)) return own;
  const auto found = engine_dims_.find(model_.text(ports.tensor[row]));
  if (found == engine_dims_.end() || !found->second) return own;
  if (!own) return found->second;
  const Dims engine = *found->second;
  const bool fits = std::ranges::equal(
      *own, engine, [](std::int64_t said, std::int64_t ran) { return said < 0 || said == ran; });
  return fits ? found->second : own;
}

std::optional<std::int64_t> OperandIndex::channels_of_blocked(std::string_view tensor) const {
  const auto found = blocked_channels_.find(tensor);
  return found == blocked_channels_.end() ? std::nullopt : std::optional(found->second);
}

Operation::Operation(const OperandIndex& index, std::size_t row)
    : index_(index),
      rows_(index.rows_of(row)),
      type_(index.model().text(index.model().operations.type[row])),
      domain_(index.model().text(index.model().operations.domain[row])),
      parameters_(index.model().text(index.model().operations.parameters[row])) {}

std::optional<std::uint32_t> Operation::find(Direction direction, std::int64_t index) const {
  const model::OperationPortsTable& ports = index_.model().operation_ports;
  for (const std::uint32_t row : rows_) {
    if (ports.direction[row] == direction && ports.index[row] == index) return row;
  }
  return std::nullopt;
}

std::optional<Dims> Operation::input(std::int64_t index) const {
  const auto row = find(Direction::kInput, index);
  return row ? index_.dims_of(*row) : std::nullopt;
}

std::optional<Dims> Operation::output(std::int64_t index) const {
  const auto row = find(Direction::kOutput, index);
  return row ? index_.dims_of(*row) : std::nullopt;
}

std::optional<std::int64_t> Operation::blocked_output_channels() const {
  const auto row = find(Direction::kOutput, 0);
  if (!row) return std::nullopt;
  return index_.channels_of_blocked(
      index_.model().text(index_.model().operation_ports.tensor[*row]));
}

bool Operation::has_input(std::int64_t index) const {
  const auto row = find(Direction::kInput, index);
  return row && !index_.model().text(index_.model().operation_ports.tensor[*row]).empty();
}

std::optional<std::int64_t> Operation::weight_bytes() const {
  const model::OperationPortsTable& ports = index_.model().operation_ports;
  base::CheckedInt sum = 0;
  bool any = false;
  for (const std::uint32_t row : rows_) {
    const auto bytes = ports.stored_bytes.get(row);
    if (!bytes || ports.direction[row] != Direction::kInput) continue;
    any = true;
    sum += *bytes;
  }
  return any ? sum.value() : std::nullopt;
}

}  // namespace planex::analyze
