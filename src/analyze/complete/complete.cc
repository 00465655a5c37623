#include "analyze/complete/complete.h"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyze/complete/complete_accuracy.h"
#include "analyze/complete/complete_reformats.h"
#include "analyze/complete/complete_work.h"
#include "analyze/complete/olive.h"
#include "analyze/complete/tuning.h"
#include "analyze/machine/machine_state.h"
#include "analyze/memory/memory.h"
#include "analyze/timing/doubtful_times.h"
#include "analyze/timing/measured_profile.h"
#include "analyze/work/bodies.h"
#include "analyze/work/generated_kernels.h"
#include "analyze/work/kernel_names.h"
#include "analyze/work/measured_shapes.h"
#include "analyze/work/operation_work.h"
#include "analyze/work/remark.h"
#include "analyze/work/shapes.h"
#include "analyze/work/stored_weights.h"
#include "base/checked.h"
#include "base/text.h"

namespace planex::analyze {
namespace {

using base::CheckedInt;
using model::Direction;
using model::DType;
using model::LayerId;
using model::PlanModel;
using model::Role;

// `dims` with the dynamic ones taken from `shape`; nothing where the two do not belong to one
// tensor.
std::optional<std::vector<std::int64_t>> resolved(Dims dims, Dims shape) {
  if (dims.size() != shape.size() || is_dynamic(shape)) return std::nullopt;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] >= 0 && dims[i] != shape[i]) return std::nullopt;
  }
  return std::vector<std::int64_t>(shape.begin(), shape.end());
}

// The shapes that the shown optimization profile was tuned for, by the name of the binding.
class TunedShapes {
 public:
  explicit TunedShapes(const PlanModel& model) : model_(model) {
    const auto shown = model.engine.profile_index.get(0).value_or(0);
    suffix_ = base::format(" [profile {}]", shown);
    const model::ProfilesTable& profiles = model.profiles;
    for (std::size_t row = 0; row < profiles.row_count(); ++row) {
      if (profiles.profile_index.get(row) == shown && !profiles.opt_dims.is_null(row)) {
        shapes_.emplace(model.text(profiles.binding[row]), profiles.opt_dims[row]);
      }
    }
    const model::BindingsTable& bindings = model.bindings;
    for (std::size_t row = 0; row < bindings.row_count(); ++row) {
      if (!bindings.profile_opt.is_null(row)) {
        shapes_.emplace(model.text(bindings.name[row]), bindings.profile_opt[row]);
      }
    }
  }

  // For the tensor, where it is a binding that has one.
  std::optional<Dims> of(model::TensorId tensor) const {
    const model::TensorRole role = model_.tensors.role[tensor.index()];
    if (role != model::TensorRole::kInput && role != model::TensorRole::kOutput) {
      return std::nullopt;
    }
    // Bindings of all profiles but the first carry its number.
    std::string_view name = model_.text(model_.tensors.name[tensor.index()]);
    auto found = shapes_.find(name);
    if (found == shapes_.end() && name.ends_with(suffix_)) {
      name.remove_suffix(suffix_.size());
      found = shapes_.find(name);
    }
    return found == shapes_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  const PlanModel& model_;
  std::string suffix_;
  std::unordered_map<std::string_view, Dims> shapes_;
};

void complete_port(PlanModel& model, std::size_t row, Dims dims) {
  model::PortsTable& ports = model.ports;
  if (ports.data_bytes.is_null(row)) {
    ports.data_bytes.set(row, model::data_bytes(dims, ports.dtype[row]));
  }
  if (ports.bytes.is_null(row)) {
    ports.bytes.set(
        row, model::memory_bytes(dims, ports.dtype[row], ports.layout[row], ports.strides[row]));
  }
}

void report_dynamic_dims(PlanModel& model, std::size_t count, std::size_t sized) {
  std::string message = base::format(
      "{} {} dynamic dimensions", count,
      count == 1 ? "input or output of a layer has" : "inputs and outputs of layers have");
  if (sized > 0) {
    message +=
        base::format("; {} of them {} sized as optimization profile {} was tuned for", sized,
                     sized == 1 ? "is" : "are", model.engine.profile_index.get(0).value_or(0));
  }
  if (sized < count) {
    message += sized > 0 ? "; sizes and work that depend on the others are not known"
                         : "; sizes and work that depend on them are not known";
  }
  remark_once(model, "dynamic-dims", message);
}

void complete_ports(PlanModel& model) {
  const model::PortsTable& ports = model.ports;
  std::vector<std::size_t> dynamic;
  for (std::size_t row = 0; row < ports.row_count(); ++row) {
    if (ports.dims.is_null(row)) continue;
    complete_port(model, row, ports.dims[row]);
    if (ports.data_bytes.is_null(row) && is_dynamic(ports.dims[row])) dynamic.push_back(row);
  }
  if (dynamic.empty()) return;
  const TunedShapes shapes(model);
  std::size_t count = 0, sized = 0;
  for (const std::size_t row : dynamic) {
    if (!model.is_shown(ports.layer_id[row])) continue;
    ++count;
    const auto shape = shapes.of(ports.tensor_id[row]);
    const auto dims = shape ? resolved(ports.dims[row], *shape) : std::nullopt;
    if (!dims) continue;
    complete_port(model, row, *dims);
    ++sized;
  }
  if (count > 0) report_dynamic_dims(model, count, sized);
}

// Sum over the activations of one side; null where the size of one is unknown.
std::optional<std::int64_t> side_bytes(const PlanModel& model, model::RowRange rows,
                                       Direction direction) {
  CheckedInt sum = 0;
  for (std::size_t row = rows.first; row < rows.end(); ++row) {
    if (model.ports.direction[row] != direction || is_weight_input(model, row)) continue;
    const auto bytes = model.ports.data_bytes.get(row);
    if (!bytes) return std::nullopt;
    sum += *bytes;
  }
  return sum.value();
}

// The type of the first input or output that contains data: activations before weights, numbers
// before indices, no shapes.
DType first_type(const PlanModel& model, model::RowRange rows, Direction direction) {
  DType first = DType::kNull, first_weights = DType::kNull;
  for (std::size_t row = rows.first; row < rows.end(); ++row) {
    if (model.ports.direction[row] != direction) continue;
    const DType type = model.ports.dtype[row];
    if (direction == Direction::kOutput) return type;
    const std::size_t tensor = model.ports.tensor_id[row].index();
    if (model.tensors.role[tensor] == model::TensorRole::kShape) continue;
    if (is_weight_input(model, row)) {
      if (first_weights == DType::kNull) first_weights = type;
      continue;
    }
    if (model::is_float(type) || model::is_quantized(type)) return type;
    if (first == DType::kNull) first = type;
  }
  return first == DType::kNull ? first_weights : first;
}

std::optional<std::int64_t> sum(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
  return a && b ? (CheckedInt(*a) + *b).value() : std::nullopt;
}

void complete_sizes(PlanModel& model, StoredWeights& weights, LayerId layer) {
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
  layers.weight_bytes.set(row, weights.bytes(layer));
  layers.io_bytes.set(row, sum(layers.input_bytes.get(row), layers.output_bytes.get(row)));
  // The weights of an opaque layer are inside it, so what is known is a lower bound: io_bytes stays
  // exact and the footprint is left empty.
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
    DType input = first_type(model, ports, Direction::kInput);
    // A dequantizer of weights reads only constants.
    if (input == DType::kNull && layers.family[row] == model::Family::kReformat) {
      const DType constant = first_type(model, ports, Direction::kConstant);
      if (model::is_quantized(constant)) input = constant;
    }
    layers.precision.set(row, input == DType::kNull ? layers.output_precision[row] : input);
  }
}

// Facts from the names of kernels. An engine has few of them, so each is parsed once.
class Kernels {
 public:
  explicit Kernels(const PlanModel& model) : model_(model) {}

  void complete(model::LayersTable& layers, std::size_t row) {
    const base::StringId tactic = layers.tactic[row], implementation = layers.subtype[row];
    const base::StringId name = tactic.is_null() ? implementation : tactic;
    if (name.is_null() || layers.role[row] != Role::kWork) return;
    const auto [found, is_new] = known_.try_emplace(name.index());
    if (is_new) {
      found->second = kernel_facts(model_.text(tactic), model_.text(implementation));
    }
    const KernelFacts& facts = found->second;
    if (layers.compute_precision.is_null(row)) layers.compute_precision.set(row, facts.compute);
    if (layers.tensor_cores.is_null(row) && facts.tensor_cores) {
      layers.tensor_cores.set(row, *facts.tensor_cores ? 1 : 0);
    }
  }

 private:
  const PlanModel& model_;
  std::unordered_map<std::size_t, KernelFacts> known_;  // by string
};

// For a profile with sums over all inferences but without their number: shares are known.
void complete_shares_of_sums(PlanModel& model) {
  model::LayersTable& layers = model.layers;
  double total = 0;
  for (std::size_t row = 0; row < layers.row_count(); ++row) {
    if (model.is_shown(LayerId(row))) total += layers.total_ms.get(row).value_or(0);
  }
  if (!(total > 0)) return;
  for (std::size_t row = 0; row < layers.row_count(); ++row) {
    const auto sum = layers.total_ms.get(row);
    if (sum && model.is_shown(LayerId(row))) layers.share.set(row, *sum / total);
  }
}

void complete_shares(PlanModel& model, const Reconciliation& reconciliation) {
  model::LayersTable& layers = model.layers;
  model.use_mean_times(reconciliation.basis == TimeBasis::kMean);
  if (reconciliation.basis == TimeBasis::kNone) return complete_shares_of_sums(model);
  const auto total = reconciliation.layers_ms();
  if (!total || *total <= 0) return;
  const double overhead_ms = reconciliation.overhead_us_per_layer.value_or(0) / 1000.0;
  double corrected_total = 0;
  for (std::size_t row = 0; row < layers.row_count(); ++row) {
    if (!model.is_shown(LayerId(row))) continue;
    const auto time = layer_time(model, row, reconciliation.basis);
    if (!time) continue;
    layers.share.set(row, *time / *total);
    if (!reconciliation.end_to_end) continue;
    // Records that do no work are not launched, so they carry no overhead. A layer can't take less
    // than no time; the excess is why the corrected sum can exceed end to end.
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
void complete_batch_size(PlanModel& model, const Reconciliation& reconciliation) {
  std::optional<std::int64_t> batch;
  bool is_dynamic = model.bindings.row_count() == 0;
  for (std::size_t row = 0; row < model.bindings.row_count(); ++row) {
    const auto dims = model.bindings.dims[row];
    if (dims.size() < 2) continue;
    is_dynamic = is_dynamic || dims[0] < 0;
    if (dims[0] >= 1 && batch && *batch != dims[0]) return;
    if (dims[0] >= 1) batch = dims[0];
  }
  // The log of another run says nothing about the batch that these times were measured with.
  const bool is_logged = !reconciliation.foreign_summary_median_ms;
  if (is_dynamic) batch = is_logged ? measured_batch(model) : std::nullopt;
  model.engine.batch_size.set(0, batch);
}

void report_foreign_summary(PlanModel& model, const Reconciliation& reconciliation) {
  if (!reconciliation.foreign_summary_median_ms) return;
  remark_once(
      model, "summary-of-another-run",
      base::format(
          "the performance summary reports a median compute time of {:.6g} ms, but the median of "
          "the times is {:.6g} ms: the summary is from another run, so its throughput is not used",
          *reconciliation.foreign_summary_median_ms, *reconciliation.end_to_end->median_ms));
}

void report_other_profile(PlanModel& model) {
  const MeasuredProfile measured = measured_profile(model);
  const std::string ran =
      measured.index ? base::format("from optimization profile {}{}", *measured.index,
                                    measured.is_default ? ", which trtexec runs by default" : "")
                     : std::string("from runs of several optimization profiles");
  remark_once(model, "times-of-other-profile",
              base::format("the times of inferences are {}, but profile {} is shown, so they "
                           "are left out of its figures",
                           ran, model.engine.profile_index.get(0).value_or(0)),
              model::Severity::kWarning);
}

}  // namespace

Reconciliation complete(PlanModel& model) {
  complete_operations(model);
  complete_ports(model);
  complete_tensors(model);
  StoredWeights weights(model);
  Kernels kernels(model);
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    const LayerId layer(row);
    complete_sizes(model, weights, layer);
    // What a model declares is not a choice of an engine.
    if (!model.is_uncompiled()) complete_precision(model, layer);
    kernels.complete(model.layers, row);
  }
  if (!model.is_uncompiled()) complete_reformats(model);
  complete_work(model);
  complete_generated_types(model);
  complete_fused_products(model);
  complete_bodies(model);
  complete_accuracy(model);
  Reconciliation reconciliation = reconcile(model);
  report_foreign_summary(model, reconciliation);
  report_doubtful_times(model, reconciliation);
  report_tuning(model);
  report_olive(model);
  align_machine_samples(model);
  if (reconciliation.is_of_other_profile) report_other_profile(model);
  complete_shares(model, reconciliation);
  complete_batch_size(model, reconciliation);
  return reconciliation;
}

}  // namespace planex::analyze
