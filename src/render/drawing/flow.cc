#include "render/drawing/flow.h"

#include "render/words/numbers.h"

namespace planex::render {
namespace {

// If a flow is unknown, the other end's is as good.
void fill_gaps(Flow& flow, const Flow& other) {
  if (flow.tensor.empty()) flow.tensor = other.tensor;
  if (!flow.dims) flow.dims = other.dims;
  if (flow.dtype == model::DType::kNull) flow.dtype = other.dtype;
  if (flow.layout.order == model::Order::kNull) flow.layout = other.layout;
  if (!flow.bytes) flow.bytes = other.bytes;
}

}  // namespace

Flow flow_at(const model::PlanModel& model, graph::View view, std::uint32_t port) {
  Flow flow;
  if (port == graph::kNoRow) return flow;
  if (view == graph::View::kSource) {
    const model::OperationPortsTable& ports = model.operation_ports;
    flow.tensor = model.text(ports.tensor[port]);
    if (!ports.dims.is_null(port)) flow.dims = ports.dims[port];
    flow.dtype = ports.dtype[port];
    if (flow.dims) flow.bytes = model::data_bytes(*flow.dims, flow.dtype);
    return flow;
  }
  const model::PortsTable& ports = model.ports;
  flow.tensor = model.text(model.tensors.name[ports.tensor_id[port].index()]);
  if (!ports.dims.is_null(port)) flow.dims = ports.dims[port];
  flow.dtype = ports.dtype[port];
  flow.layout = ports.layout[port];
  flow.bytes = ports.bytes.get(port);
  if (!flow.bytes) flow.bytes = ports.data_bytes.get(port);
  return flow;
}

Ends ends_of(const model::PlanModel& model, graph::View view, const graph::Edge& edge) {
  Ends ends{.from = flow_at(model, view, edge.from_port), .to = flow_at(model, view, edge.to_port)};
  fill_gaps(ends.from, ends.to);
  fill_gaps(ends.to, ends.from);
  if (ends.to.tensor.empty() && !edge.tensor.is_null()) {
    ends.to.tensor = model.text(model.tensors.name[edge.tensor.index()]);
  }
  return ends;
}

Flow flow_of_binding(const model::PlanModel& model, std::size_t binding) {
  const model::BindingsTable& bindings = model.bindings;
  Flow flow{.dtype = bindings.dtype[binding], .layout = bindings.layout[binding]};
  if (!bindings.dims.is_null(binding)) flow.dims = bindings.dims[binding];
  return flow;
}

std::string flow_text(const Flow& flow) {
  std::string text = flow.dims ? dims_text(*flow.dims) : std::string();
  for (const std::string_view word : {to_string(flow.dtype), to_string(flow.layout)}) {
    if (word.empty()) continue;
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text;
}

}  // namespace planex::render
