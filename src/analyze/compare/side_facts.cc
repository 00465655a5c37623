#include "analyze/compare/side_facts.h"

#include "base/checked.h"

namespace planex::analyze {
namespace {

using model::Direction;
using model::LayerId;
using model::PlanModel;

struct PortFacts {
  std::optional<std::size_t> row;
  model::Layout layout;
  std::string_view format;
  std::optional<std::span<const std::int64_t>> dims;
};

// Of the first port in a direction that is not a shape.
PortFacts port_facts(const PlanModel& model, LayerId layer, Direction direction) {
  const model::RowRange ports = model.ports_of(layer);
  for (std::size_t port = ports.first; port < ports.end(); ++port) {
    if (model.ports.direction[port] != direction) continue;
    const model::TensorId tensor = model.ports.tensor_id[port];
    if (!tensor.is_null() && model.tensors.role[tensor.index()] == model::TensorRole::kShape) {
      continue;
    }
    PortFacts facts{.row = port,
                    .layout = model.ports.layout[port],
                    .format = model.text(model.ports.raw_format[port])};
    if (!model.ports.dims.is_null(port)) facts.dims = model.ports.dims[port];
    return facts;
  }
  return {};
}

void add_checked(std::optional<base::CheckedInt>& sum, std::optional<std::int64_t> value) {
  sum = sum && value ? std::optional(*sum + base::CheckedInt(*value)) : std::nullopt;
}

std::optional<std::int64_t> value_of(const std::optional<base::CheckedInt>& sum) {
  return sum ? sum->value() : std::nullopt;
}

}  // namespace

// The kernel's name; without one, the number that TensorRT gives the tactic.
std::string_view SideReader::tactic(LayerId layer) const {
  const std::string_view name = model_.text(model_.layers.tactic[layer.index()]);
  return name.empty() ? model_.attribute(layer, tactic_value_) : name;
}

SideFacts SideReader::facts(std::span<const LayerId> layers) const {
  SideFacts facts;
  if (layers.empty()) return facts;
  const model::LayersTable& table = model_.layers;
  LayerId first, last;
  std::optional<base::CheckedInt> weights = base::CheckedInt(0), io = base::CheckedInt(0);
  std::int64_t max_macs = -1;
  for (const LayerId layer : layers) {
    const std::size_t row = layer.index();
    ++facts.layer_count;
    add_checked(weights, table.weight_bytes.get(row));
    add_checked(io, table.io_bytes.get(row));
    if (model_.is_reformat(layer)) {
      ++facts.reformat_count;
      continue;
    }
    if (first.is_null()) first = layer;
    last = layer;
    const std::int64_t macs = table.macs.get(row).value_or(0);
    if (macs > max_macs) {
      max_macs = macs;
      facts.principal = layer;
    }
  }
  if (first.is_null()) {
    first = facts.principal = layers.front();
    last = layers.back();
  }
  facts.first = first;
  facts.last = last;
  const std::size_t row = facts.principal.index();
  facts.type = model_.text(table.type[row]);
  facts.family = table.family[row];
  facts.tactic = tactic(facts.principal);
  facts.compute_precision = table.compute_precision[row];
  facts.input_precision = table.precision[first.index()];
  facts.output_precision = table.output_precision[last.index()];
  const PortFacts input = port_facts(model_, first, Direction::kInput);
  const PortFacts output = port_facts(model_, last, Direction::kOutput);
  facts.input_port = input.row;
  facts.output_port = output.row;
  facts.input_layout = input.layout;
  facts.input_format = input.format;
  facts.input_dims = input.dims;
  facts.output_layout = output.layout;
  facts.output_format = output.format;
  facts.output_dims = output.dims;
  facts.weight_bytes = value_of(weights);
  facts.io_bytes = value_of(io);
  return facts;
}

}  // namespace planex::analyze
