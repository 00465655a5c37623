#include "analyze/memory/memory.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

#include "analyze/work/branches.h"
#include "analyze/work/stored_weights.h"
#include "analyze/work/sums.h"
#include "base/checked.h"

namespace planex::analyze {
namespace {

using model::Direction;
using model::LayerId;
using model::PlanModel;
using model::TensorRole;

// Each constant of the shown profile once. Records that list none count a sum of their own.
class WeightTotal {
 public:
  explicit WeightTotal(const PlanModel& model)
      : model_(model), is_seen_(model.tensors.row_count(), false) {}

  std::optional<std::int64_t> bytes() {
    // Records that only contain a constant: their readers list it too.
    for (std::size_t row = 0; row < model_.layers.row_count(); ++row) {
      if (is_constant(row)) add_record(row);
    }
    for (std::size_t row = 0; row < model_.layers.row_count(); ++row) {
      if (!is_constant(row)) add_layer(row);
    }
    return total_.value();
  }

 private:
  bool is_constant(std::size_t row) const {
    return model_.layers.role[row] == model::Role::kConstant;
  }

  void add_record(std::size_t row) {
    if (!model_.is_shown(LayerId(row)) || model_.layers.weight_bytes.is_null(row)) return;
    total_.add(model_.layers.weight_bytes.get(row));
    const model::RowRange ports = model_.ports_of(LayerId(row));
    for (std::size_t port = ports.first; port < ports.end(); ++port) {
      is_seen_[model_.ports.tensor_id[port].index()] = true;
    }
  }

  void add_layer(std::size_t row) {
    if (!model_.is_shown(LayerId(row))) return;
    bool lists_constants = false;
    const model::RowRange ports = model_.ports_of(LayerId(row));
    for (std::size_t port = ports.first; port < ports.end(); ++port) {
      const bool is_constant = model_.ports.direction[port] == Direction::kConstant;
      if (!is_constant && !is_weight_input(model_, port)) continue;
      lists_constants = lists_constants || is_constant;
      const std::size_t tensor = model_.ports.tensor_id[port].index();
      if (!is_seen_[tensor]) total_.add(model_.ports.data_bytes.get(port));
      is_seen_[tensor] = true;
    }
    const auto stored = model_.layers.weight_bytes.get(row);
    const auto listed = weight_input_bytes(model_, LayerId(row));
    if (!lists_constants && stored && listed)
      total_.add(std::max<std::int64_t>(0, *stored - *listed));
  }

  const PlanModel& model_;
  std::vector<bool> is_seen_;  // by tensor
  Total total_;
};

// A convolution, a matrix product, or a layer that may hide one.
bool may_have_weights(const PlanModel& model, std::size_t row) {
  switch (model.layers.family[row]) {
    case model::Family::kConvolution:
    case model::Family::kGemm:
    case model::Family::kOpaque:
    case model::Family::kPlugin:
      return true;
    default:
      return false;
  }
}

// The maximum of the shown profile; null where no layer records it.
std::optional<std::int64_t> scratch_bytes(const PlanModel& model) {
  std::optional<std::int64_t> greatest;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    if (!model.is_shown(LayerId(row))) continue;
    const auto bytes = model.layers.scratch_bytes.get(row);
    if (bytes) greatest = std::max(greatest.value_or(0), *bytes);
  }
  return greatest;
}

// A figure of the section "build", which the log readers fill; null where it is missing, not a
// count, or two logs disagree.
std::optional<std::int64_t> built_bytes(const PlanModel& model, std::string_view key) {
  const model::MetadataTable& table = model.metadata;
  std::optional<std::int64_t> found;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    if (model.text(table.key[row]) != key || model.text(table.section[row]) != "build") continue;
    const std::string_view text = model.text(table.value[row]);
    std::int64_t bytes = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
    if (error != std::errc() || end != text.data() + text.size() || bytes < 0) return std::nullopt;
    if (found && *found != bytes) return std::nullopt;
    found = bytes;
  }
  return found;
}

void add_distinct(const PlanModel& model, MemorySummary& summary) {
  constexpr std::int64_t kUntouched = -2, kUnknown = -1;
  std::vector<std::int64_t> largest(model.tensors.row_count(), kUntouched);
  std::vector<bool> has_layout(model.tensors.row_count(), false);
  Total data, memory;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    if (!model.does_work(LayerId(row))) continue;
    if (model.layers.weight_bytes.is_null(row) && may_have_weights(model, row)) {
      ++summary.layers_without_weights;
    }
    const model::RowRange ports = model.ports_of(LayerId(row));
    for (std::size_t port = ports.first; port < ports.end(); ++port) {
      if (model.ports.direction[port] == Direction::kConstant || is_weight_input(model, port)) {
        continue;
      }
      const std::size_t tensor = model.ports.tensor_id[port].index();
      largest[tensor] = std::max(
          {largest[tensor], kUnknown, model.ports.data_bytes.get(port).value_or(kUnknown)});
      if (!model.ports.bytes.is_null(port)) has_layout[tensor] = true;
    }
  }
  for (std::size_t tensor = 0; tensor < largest.size(); ++tensor) {
    if (largest[tensor] == kUntouched) continue;
    ++summary.distinct_count;
    if (largest[tensor] == kUnknown) {
      ++summary.tensors_without_size;
      continue;
    }
    if (!has_layout[tensor]) ++summary.tensors_without_layout;
    data.add(largest[tensor]);
    memory.add(model.tensors.bytes.get(tensor));
  }
  summary.traffic_bytes = Branches(model).total(model.layers.io_bytes).most;
  summary.distinct_data_bytes = data.value();
  summary.distinct_bytes = memory.value();
}

}  // namespace

void complete_tensors(PlanModel& model) {
  model::TensorsTable& tensors = model.tensors;
  const model::PortsTable& ports = model.ports;
  for (std::size_t port = 0; port < ports.row_count(); ++port) {
    const std::size_t tensor = ports.tensor_id[port].index();
    // Without a layout, or with a dynamic stride, it takes at least the size of its elements.
    const auto bytes =
        ports.bytes.is_null(port) ? ports.data_bytes.get(port) : ports.bytes.get(port);
    if (bytes && (tensors.bytes.is_null(tensor) || *bytes > tensors.bytes[tensor])) {
      tensors.bytes.set(tensor, bytes);
    }
    const LayerId layer = ports.layer_id[port];
    if (!model.is_shown(layer)) continue;
    if (tensors.first_layer_id.is_null(tensor) || layer < tensors.first_layer_id[tensor]) {
      tensors.first_layer_id.set(tensor, layer);
    }
    if (tensors.last_layer_id.is_null(tensor) || tensors.last_layer_id[tensor] < layer) {
      tensors.last_layer_id.set(tensor, layer);
    }
  }
}

MemorySummary summarize_memory(const PlanModel& model) {
  MemorySummary summary;
  summary.weight_bytes = WeightTotal(model).bytes();
  add_distinct(model, summary);
  // If nothing is found where some may be hidden, the sum is not known.
  if (summary.weight_bytes == 0 && summary.layers_without_weights > 0) summary.weight_bytes.reset();
  Total inputs, outputs;
  for (std::size_t tensor = 0; tensor < model.tensors.row_count(); ++tensor) {
    // Other profiles have separately named bindings.
    if (model.tensors.first_layer_id.is_null(tensor)) continue;
    const TensorRole role = model.tensors.role[tensor];
    if (role == TensorRole::kInput) inputs.add(model.tensors.bytes.get(tensor));
    if (role == TensorRole::kOutput) outputs.add(model.tensors.bytes.get(tensor));
  }
  summary.input_bytes = inputs.value();
  summary.output_bytes = outputs.value();
  summary.peak = live_peak(model);
  // A bound that leaves out most of the engine says nothing: a log's dynamic tensors have no size,
  // and what is left is a scalar or two.
  if (2 * summary.tensors_without_size > summary.distinct_count) {
    summary.distinct_data_bytes.reset();
    summary.distinct_bytes.reset();
    summary.traffic_bytes.reset();
    summary.peak.bytes.reset();
  }
  summary.reported_weight_bytes = model.engine.reported_weight_bytes.get(0);
  summary.reported_activation_bytes = model.engine.reported_activation_bytes.get(0);
  summary.reported_scratch_bytes = model.engine.reported_scratch_bytes.get(0);
  summary.reported_device_persistent_bytes = built_bytes(model, "device_persistent_bytes");
  summary.reported_host_persistent_bytes = built_bytes(model, "host_persistent_bytes");
  summary.scratch_bytes = scratch_bytes(model);
  return summary;
}

}  // namespace planex::analyze
