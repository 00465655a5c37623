#include "analyze/work/stored_weights.h"

#include "base/checked.h"

namespace planex::analyze {
namespace {

using base::CheckedInt;
using model::Direction;
using model::LayerId;
using model::PlanModel;

bool is_tensorrt_engine(const PlanModel& model) {
  return model.text(model.engine.producer[0]).starts_with("tensorrt");
}

// The importer named in such a file is that of the files it was made from.
bool is_read_from_plan(const PlanModel& model) {
  for (std::size_t row = 0; row < model.files.row_count(); ++row) {
    if (model.text(model.files.kind[row]) == "planex-plan") return true;
  }
  return model.text(model.engine.importer[0]) == "planex";
}

}  // namespace

bool is_weight_input(const PlanModel& model, std::size_t port) {
  return model.ports.direction[port] == Direction::kInput &&
         model.tensors.role[model.ports.tensor_id[port].index()] == model::TensorRole::kConstant &&
         is_tensorrt_engine(model);
}

std::optional<std::int64_t> weight_input_bytes(const PlanModel& model, LayerId layer) {
  CheckedInt sum = 0;
  const model::RowRange rows = model.ports_of(layer);
  for (std::size_t row = rows.first; row < rows.end(); ++row) {
    if (!is_weight_input(model, row)) continue;
    // A record has a handful of inputs, several of which can be views of one tensor.
    bool is_first = true;
    for (std::size_t before = rows.first; before < row && is_first; ++before) {
      is_first = model.ports.tensor_id[before] != model.ports.tensor_id[row];
    }
    if (!is_first) continue;
    const auto bytes = model.ports.data_bytes.get(row);
    if (!bytes) return std::nullopt;
    sum += *bytes;
  }
  return sum.value();
}

StoredWeights::StoredWeights(const PlanModel& model)
    : model_(model),
      work_(model),
      is_counted_(is_read_from_plan(model)),
      last_reader_(model.tensors.row_count()) {
  if (model.text(model.engine.producer[0]) == "onnxruntime") return;
  for (std::size_t port = 0; port < model.ports.row_count(); ++port) {
    if (model.ports.direction[port] != Direction::kConstant) continue;
    types_.insert(model.layers.type[model.ports.layer_id[port].index()]);
  }
}

std::optional<std::int64_t> StoredWeights::constant_bytes(LayerId layer) {
  if (!types_.contains(model_.layers.type[layer.index()])) return std::nullopt;
  CheckedInt sum = 0;
  const model::RowRange rows = model_.ports_of(layer);
  for (std::size_t row = rows.first; row < rows.end(); ++row) {
    if (model_.ports.direction[row] != Direction::kConstant) continue;
    LayerId& last = last_reader_[model_.ports.tensor_id[row].index()];
    if (last == layer) continue;  // listed twice, moved once
    last = layer;
    const auto bytes = model_.ports.data_bytes.get(row);
    if (!bytes) return std::nullopt;
    sum += *bytes;
  }
  return sum.value();
}

std::optional<std::int64_t> StoredWeights::bytes(LayerId layer) {
  const auto counted = model_.layers.weight_bytes.get(layer.index());
  if ((counted && is_counted_) || model_.ports_of(layer).count == 0) return counted;
  const auto apart = counted ? counted : constant_bytes(layer);
  const auto listed = weight_input_bytes(model_, layer);
  if (!listed) return std::nullopt;
  if (apart) return (CheckedInt(*apart) + *listed).value();
  // A kernel that lists some of what it stores can still hide the rest.
  return *listed > 0 && work_.lists_its_operands(layer) ? listed : std::nullopt;
}

}  // namespace planex::analyze
