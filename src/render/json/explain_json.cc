#include "render/json/explain_json.h"

namespace planex::render {

void write_totals(JsonWriter& json, const analyze::LayerTotals& totals) {
  json.begin_object()
      .member("count", totals.count)
      .member("time_ms", totals.time_ms)
      .member("share", totals.share)
      .member("io_bytes", totals.io_bytes)
      .member("without_time", totals.without_time)
      .member("without_bytes", totals.without_bytes)
      .end_object();
}

void write_layer_members(JsonWriter& json, const model::PlanModel& model, model::LayerId layer) {
  json.member("layer_id", layer.index())
      .member("name", model.text(model.layers.name[layer.index()]));
  json.text_member("type", model.text(model.layers.type[layer.index()]));
}

void write_end(JsonWriter& json, const model::PlanModel& model, std::size_t port) {
  const model::PortsTable& ports = model.ports;
  const model::TensorId tensor = ports.tensor_id[port];
  json.begin_object()
      .member("tensor_id", tensor.index())
      .member("tensor", model.text(model.tensors.name[tensor.index()]));
  const auto list = [&](std::string_view key, const auto& column) {
    json.key(key);
    if (column.is_null(port)) {
      json.null();
      return;
    }
    json.begin_array();
    for (const std::int64_t value : column[port]) json.value(value);
    json.end_array();
  };
  list("dims", ports.dims);
  json.text_member("dtype", model::to_string(ports.dtype[port]));
  json.text_member("layout", model::to_string(ports.layout[port]));
  list("strides", ports.strides);
  json.text_member("raw_format", model.text(ports.raw_format[port]));
  json.end_object();
}

}  // namespace planex::render
