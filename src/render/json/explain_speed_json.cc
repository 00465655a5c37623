#include "render/json/explain_speed_json.h"

namespace planex::render {
namespace {

using analyze::SpeedGroup;
using analyze::SpeedOfLight;
using analyze::SpeedRow;
using model::DType;
using model::PlanModel;

void write_rates(JsonWriter& json, std::string_view key, const model::Rates& rates) {
  json.key(key).begin_object();
  for (std::size_t i = 0; i < static_cast<std::size_t>(DType::kNull); ++i) {
    const auto type = static_cast<DType>(i);
    if (const auto rate = rates.of(type)) json.member(to_string(type), *rate);
  }
  json.end_object();
}

void write_device(JsonWriter& json, const analyze::DeviceChoice& device) {
  json.key("device").begin_object();
  json.text_member("reported_name", device.facts.name);
  json.text_member("problem", device.problem);
  json.text_member("hint", device.hint);
  json.text_member("remedy", to_string(device.remedy));
  json.key("limits");
  if (const auto& limits = device.limits) {
    json.begin_object().member("name", limits->name);
    json.text_member("source", limits->source);
    json.text_member("bandwidth_source", limits->bandwidth_source);
    json.text_member("note", limits->note);
    json.member("bytes_per_s", limits->bytes_per_s);
    write_rates(json, "matrix_flops_per_s", limits->matrix_flops_per_s);
    write_rates(json, "vector_flops_per_s", limits->vector_flops_per_s);
    json.key("remarks").begin_array();
    for (const std::string& remark : limits->remarks) json.value(remark);
    json.end_array().end_object();
  } else {
    json.null();
  }
  json.end_object();
}

void write_group_members(JsonWriter& json, const SpeedGroup& group) {
  json.member("count", group.count)
      .member("time_ms", group.time_ms)
      .member("bound_ms", group.bound_ms)
      .member("headroom_ms", group.headroom_ms)
      .member("unknown_bound_ms", group.unknown_bound_ms)
      .member("reached", group.reached)
      .member("memory_count", group.memory_count)
      .member("compute_count", group.compute_count)
      .member("launch_count", group.launch_count)
      .member("unknown_count", group.unknown_count);
}

void write_best(JsonWriter& json, const PlanModel& model, const analyze::BestSeen& best,
                std::string_view rate) {
  json.member(rate, best.per_s)
      .member("layer_id", best.layer.index())
      .member("layer", model.text(model.layers.name[best.layer.index()]));
}

void write_row(JsonWriter& json, const PlanModel& model, const SpeedRow& row) {
  const std::size_t layer = row.layer.index();
  json.begin_object()
      .member("layer_id", layer)
      .member("layer", model.text(model.layers.name[layer]));
  json.text_member("type", model.text(model.layers.type[layer]));
  json.member("time_ms", row.time_ms)
      .member("bound_ms", row.bound_ms)
      .member("headroom_ms", row.headroom_ms)
      .member("reached", row.reached);
  json.text_member("limit", to_string(row.limit));
  json.text_member("faster_than_bound", to_string(row.faster_than_bound));
  json.member("bytes", row.bytes)
      .member("memory_ms", row.memory_ms)
      .member("compute_ms", row.compute_ms)
      .member("launch_ms", row.launch_ms);
  json.text_member("rate_type", to_string(row.rate_type));
  json.text_member("rate_evidence", to_string(row.rate_evidence));
  json.member("tensor_cores", model.layers.tensor_cores.get(layer))
      .member("bytes_per_s", row.bytes_per_s)
      .member("flops_per_s", row.flops_per_s)
      .member("observed_bound_ms", row.observed_bound_ms)
      .member("observed_headroom_ms", row.observed_headroom_ms)
      .end_object();
}

}  // namespace

void write_speed_head(JsonWriter& json, const SpeedOfLight& speed) {
  write_device(json, speed.device);
  json.text_member("basis", to_string(speed.basis));
  json.member("layers_time_ms", speed.layers_ms).member("others_ms", speed.others_ms);
  json.key("total").begin_object();
  write_group_members(json, speed.total);
  json.end_object();
  json.key("by_type").begin_array();
  for (const SpeedGroup& group : speed.by_type) {
    json.begin_object();
    json.text_member("type", group.key);
    write_group_members(json, group);
    json.end_object();
  }
  json.end_array();
}

void write_speed_tail(JsonWriter& json, const PlanModel& model, const SpeedOfLight& speed) {
  json.key("best_seen").begin_object().key("bandwidth");
  if (speed.best_bytes) {
    json.begin_object();
    write_best(json, model, *speed.best_bytes, "bytes_per_s");
    json.end_object();
  } else {
    json.null();
  }
  json.key("flops").begin_array();
  for (const analyze::BestSeen& best : speed.best_flops) {
    json.begin_object().member("type", to_string(best.type));
    write_best(json, model, best, "flops_per_s");
    json.end_object();
  }
  json.end_array().end_object();
  json.key("faster_than_bound")
      .begin_object()
      .member("count", speed.beyond_count)
      .member("ms", speed.beyond_ms)
      .member("parts", speed.faster_by_parts)
      .member("cache", speed.faster_by_cache)
      .member("rate", speed.faster_by_rate)
      .end_object();
  json.member("floor_ms", speed.floor_ms);
  json.key("overhead")
      .begin_object()
      .member("us_per_layer", speed.overhead_us_per_layer)
      .member("ms", speed.overhead_ms)
      .end_object();
}

void write_explain_speed(JsonWriter& json, const PlanModel& model, const SpeedOfLight& speed) {
  json.begin_object()
      .member("schema", "planex.explain-speed/2")
      .member("engine", model.text(model.engine.name[0]));
  write_speed_head(json, speed);
  json.key("layers").begin_array();
  for (const SpeedRow& row : speed.rows) write_row(json, model, row);
  json.end_array();
  write_speed_tail(json, model, speed);
  json.end_object();
}

std::string explain_speed_json(const PlanModel& model, const SpeedOfLight& speed) {
  JsonWriter json(JsonStyle::kPretty);
  write_explain_speed(json, model, speed);
  return json.take() + "\n";
}

}  // namespace planex::render
