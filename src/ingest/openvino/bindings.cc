#include "ingest/openvino/bindings.h"

#include <algorithm>
#include <string_view>

#include "ingest/openvino/format.h"

namespace planex::ingest::openvino {
namespace {

using base::StringId;
using model::Direction;
using model::PlanModel;
using model::Role;

bool is_left(const ModelPort& port) { return port.port_row == ModelPort::kNone; }

// A record of role input or output has one port and one name from the model.
void find_records(std::vector<ModelPort>& ports, Role role, const PlanModel& model) {
  std::vector<std::size_t> unmatched;
  for (std::size_t row = 0; row < model.ports.row_count(); ++row) {
    const std::size_t layer = model.ports.layer_id[row].index();
    if (model.layers.role[layer] != role || model.ports.index[row] != 0) continue;
    // "output/sink_port_0"
    std::string_view name = model.text(model.layers.name[layer]);
    name = name.substr(0, name.find("/sink_port_"));
    const StringId id = model.strings.find(name);
    const auto found = std::ranges::find_if(ports, [&](const ModelPort& port) {
      return is_left(port) && !id.is_null() &&
             std::ranges::find(port.names, id) != port.names.end();
    });
    if (found == ports.end()) {
      unmatched.push_back(row);
    } else {
      found->port_row = row;
      found->name = id;
    }
  }
  // If one of each is left, they belong together.
  if (unmatched.size() == 1 && std::ranges::count_if(ports, is_left) == 1) {
    std::ranges::find_if(ports, is_left)->port_row = unmatched.front();
  }
}

}  // namespace

void add_bindings(std::vector<ModelPort>& ports, Direction direction,
                  model::ModelBuilder& builder) {
  PlanModel& model = builder.model();
  find_records(ports, direction == Direction::kInput ? Role::kInput : Role::kOutput, model);
  model::BindingsTable& bindings = model.bindings;
  for (const ModelPort& port : ports) {
    const bool has_record = !is_left(port);
    builder.add_binding(model.text(port.name), direction,
                        has_record ? model.ports.tensor_id[port.port_row] : model::TensorId());
    const std::size_t row = bindings.row_count() - 1;
    if (port.has_dims) bindings.dims.set(row, port.dims);
    bindings.dtype.set(row, parse_type(model.text(port.element_type)));
    if (has_record) bindings.layout.set(row, model.ports.layout[port.port_row]);
  }
}

}  // namespace planex::ingest::openvino
