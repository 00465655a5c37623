#include "analyze/complete.h"

#include <algorithm>

#include "analyze/reconcile.h"
#include "analyze/work.h"
#include "base/checked.h"

namespace planex::analyze {
namespace {

using base::CheckedInt;
using model::Direction;
using model::DType;
using model::LayerId;
using model::PlanModel;
using model::Role;

void complete_ports(PlanModel& model) {
  model::PortsTable& ports = model.ports;
  for (std::size_t row = 0; row < ports.row_count(); ++row) {
    if (ports.dims.is_null(row)) continue;
    if (ports.data_bytes.is_null(row)) {
      ports.data_bytes.set(row, model::data_bytes(ports.dims[row], ports.dtype[row]));
    }
    if (ports.bytes.is_null(row)) {
      ports.bytes.set(row, model::memory_bytes(ports.dims[row], ports.dtype[row], ports.layout[row],
                                               ports.strides[row]));
    }
  }
}

// Sum over the ports of one side; null where one of them has no size.
std::optional<std::int64_t> side_bytes(const PlanModel& model, model::RowRange rows,
                                       Direction direction) {
  CheckedInt sum = 0;
  for (std::size_t row = rows.first; row < rows.end(); ++row) {
    if (model.ports.direction[row] != direction) continue;
    const auto bytes = model.ports.data_bytes.get(row);
    if (!bytes) return std::nullopt;
    sum += *bytes;
  }
  return sum.value();
}

DType first_type(const PlanModel& model, model::RowRange rows, Direction direction) {
  for (std::size_t row = rows.first; row < rows.end(); ++row) {
    if (model.ports.direction[row] != direction) continue;
    const std::size_t tensor = model.ports.tensor_id[row].index();
    if (direction == Direction::kInput && model.tensors.role[tensor] == model::TensorRole::kShape) {
      continue;
    }
    return model.ports.dtype[row];
  }
  return DType::kNull;
}

std::optional<std::int64_t> sum(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
  return a && b ? (CheckedInt(*a) + *b).value() : std::nullopt;
}

void complete_sizes(PlanModel& model, LayerId layer) {
  model::LayersTable& layers = model.layers;
  const std::size_t row = layer.index();
  const model::RowRange ports = model.ports_of(layer);
  if (ports.count > 0) {
    if (layers.input_bytes.is_null(row)) {
      layers.input_bytes.set(row, side_bytes(model, ports, Direction::kInput));
    }
    if (layers.output_bytes.is_null(row)) {
      layers.output_bytes.set(row, side_bytes(model, ports, Direction::kOutput));
    }
  }
  layers.io_bytes.set(row, sum(layers.input_bytes.get(row), layers.output_bytes.get(row)));
  // The weights of an opaque layer are inside it, so what is known is a lower bound: io_bytes stays
  // exact and the footprint is left open.
  layers.footprint_bytes.set(row, sum(layers.io_bytes.get(row), layers.weight_bytes.get(row)));
}

void complete_precision(PlanModel& model, LayerId layer) {
  model::LayersTable& layers = model.layers;
  const std::size_t row = layer.index();
  const model::RowRange ports = model.ports_of(layer);
  if (layers.output_precision.is_null(row)) {
    layers.output_precision.set(row, first_type(model, ports, Direction::kOutput));
  }
  if (layers.precision.is_null(row)) {
    const DType input = first_type(model, ports, Direction::kInput);
    layers.precision.set(row, input == DType::kNull ? layers.output_precision[row] : input);
  }
  if (layers.compute_precision.is_null(row) && layers.precision[row] == DType::kFp32) {
    // Tensor-core kernels on FP32 tensors say so in their name: ..._tf32f32_..., tf32tf32.
    const std::string_view tactic = model.text(layers.tactic[row]);
    if (tactic.find("tf32") != std::string_view::npos) {
      layers.compute_precision.set(row, DType::kTf32);
    }
  }
}

void complete_work(PlanModel& model, const WorkReader& work, LayerId layer) {
  model::LayersTable& layers = model.layers;
  const std::size_t row = layer.index();
  if (layers.macs.is_null(row)) layers.macs.set(row, work.macs(layer));
  if (layers.flops.is_null(row)) {
    const auto macs = layers.macs.get(row);
    layers.flops.set(row, macs ? (CheckedInt(*macs) * 2).value() : work.pointwise_flops(layer));
  }
  const auto flops = layers.flops.get(row);
  const auto bytes = layers.footprint_bytes.get(row);
  if (flops && bytes && *bytes > 0) {
    layers.arithmetic_intensity.set(row, static_cast<double>(*flops) / static_cast<double>(*bytes));
  }
}

void complete_shares(PlanModel& model) {
  const Reconciliation reconciliation = reconcile(model);
  model::LayersTable& layers = model.layers;
  const auto total = reconciliation.basis == TimeBasis::kMedian ? reconciliation.layers_median_ms
                                                                : reconciliation.layers_mean_ms;
  if (!total || *total <= 0) return;
  const double overhead_ms = reconciliation.overhead_us_per_layer.value_or(0) / 1000.0;
  double corrected_total = 0;
  for (std::size_t row = 0; row < layers.row_count(); ++row) {
    const auto time = layer_time(model, row, reconciliation.basis);
    if (!time) continue;
    layers.share.set(row, *time / *total);
    if (!reconciliation.end_to_end) continue;
    // Records that do no work are not launched, so they carry no overhead. A layer can't take less
    // than nothing; what that leaves over is why the corrected sum can exceed end to end.
    const bool works = model.does_work(LayerId(row));
    const double corrected = works ? std::max(0.0, *time - overhead_ms) : *time;
    layers.corrected_ms.set(row, corrected);
    corrected_total += corrected;
  }
  if (corrected_total <= 0) return;
  for (std::size_t row = 0; row < layers.row_count(); ++row) {
    if (!layers.corrected_ms.is_null(row)) {
      layers.corrected_share.set(row, layers.corrected_ms[row] / corrected_total);
    }
  }
}

// Batch: the first dimension that all inputs and outputs of more than one dimension share.
void complete_batch_size(PlanModel& model) {
  std::optional<std::int64_t> batch;
  for (std::size_t row = 0; row < model.bindings.row_count(); ++row) {
    const auto dims = model.bindings.dims[row];
    if (dims.size() < 2) continue;
    if (dims[0] < 1 || (batch && *batch != dims[0])) return;
    batch = dims[0];
  }
  model.engine.batch_size.set(0, batch);
}

}  // namespace

void complete(PlanModel& model) {
  complete_ports(model);
  const WorkReader work(model);
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    const LayerId layer(row);
    complete_sizes(model, layer);
    complete_precision(model, layer);
    complete_work(model, work, layer);
  }
  complete_shares(model);
  complete_batch_size(model);
}

}  // namespace planex::analyze
