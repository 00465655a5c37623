#include "render/json/explain_memory_json.h"

#include "render/memory_sentences.h"

namespace planex::render {
namespace {

using analyze::MemoryTimeline;
using analyze::PeakContributor;
using analyze::TimelineFrame;
using model::PlanModel;

void write_layer(JsonWriter& json, const PlanModel& model, std::string_view key,
                 model::LayerId layer) {
  json.key(key);
  layer.is_null() ? json.null() : json.value(layer.index());
  if (key != "layer_id") return;
  json.key("layer");
  layer.is_null() ? json.null() : json.value(model.text(model.layers.name[layer.index()]));
}

void write_peak(JsonWriter& json, const PlanModel& model, const MemoryTimeline& timeline) {
  json.key("peak").begin_object().member("bytes", timeline.peak.bytes);
  write_layer(json, model, "layer_id", timeline.peak.layer);
  json.member("with_scratch_bytes", timeline.peak.with_scratch_bytes)
      .member("contributor_count", timeline.peak.contributor_count)
      .member("stream_count", timeline.peak.stream_count)
      .member("tensors_without_size", timeline.peak.tensors_without_size)
      .member("used_bytes", timeline.used_bytes)
      .member("live_through_bytes", timeline.live_through_bytes)
      .member("best_contributor_to_move", timeline.best_contributor_to_move)
      .end_object();
}

void write_beside(JsonWriter& json, const analyze::MemorySummary& memory) {
  json.key("other_memory")
      .begin_object()
      .member("weight_bytes", memory.weight_bytes)
      .member("input_bytes", memory.input_bytes)
      .member("output_bytes", memory.output_bytes)
      .member("reported_activation_bytes", memory.reported_activation_bytes)
      .member("reported_scratch_bytes", memory.reported_scratch_bytes)
      .member("reported_device_persistent_bytes", memory.reported_device_persistent_bytes)
      .end_object();
}

void write_holder(JsonWriter& json, const PlanModel& model, const PeakContributor& contributor) {
  json.begin_object()
      .member("tensor_id", contributor.tensor.index())
      .member("tensor", model.text(model.tensors.name[contributor.tensor.index()]))
      .member("bytes", contributor.bytes);
  write_layer(json, model, "first_layer_id", contributor.first);
  write_layer(json, model, "last_layer_id", contributor.last);
  json.member("span", contributor.span)
      .member("byte_layers", contributor.byte_layers)
      .member("is_live_through", contributor.is_live_through)
      .member("peak_without_bytes", contributor.peak_without_bytes)
      .end_object();
}

template <typename ValueOf>
void write_column(JsonWriter& json, std::string_view key, const MemoryTimeline& timeline,
                  const ValueOf& value_of) {
  json.key(key).begin_array();
  for (const analyze::TimelineTensor& tensor : timeline.tensors) json.value(value_of(tensor));
  json.end_array();
}

void write_tensors(JsonWriter& json, const MemoryTimeline& timeline) {
  using analyze::TimelineTensor;
  json.text_member("offsets", to_string(timeline.offsets))
      .member("height_bytes", timeline.height_bytes);
  json.key("tensors").begin_object();
  const auto layer = [&](std::size_t frame) { return timeline.frames[frame].layer.index(); };
  const auto column = [&](std::string_view key, const auto& value_of) {
    write_column(json, key, timeline, value_of);
  };
  column("tensor_id", [](const TimelineTensor& one) { return one.tensor.index(); });
  column("dtype", [](const TimelineTensor& one) {
    const std::string_view type = to_string(one.dtype);
    return type.empty() ? std::nullopt : std::optional(type);
  });
  column("bytes", [](const TimelineTensor& one) { return one.bytes; });
  column("first_layer_id", [&](const TimelineTensor& one) { return layer(one.first_frame); });
  column("last_layer_id", [&](const TimelineTensor& one) { return layer(one.last_frame); });
  column("offset_bytes", [](const TimelineTensor& one) { return one.offset_bytes; });
  json.end_object();
}

}  // namespace

void write_explain_memory(JsonWriter& json, const PlanModel& model,
                          const MemoryTimeline& timeline) {
  json.begin_object()
      .member("schema", "planex.explain-memory/2")
      .member("engine", model.text(model.engine.name[0]));
  const Conclusion conclusion = memory_conclusion(model, timeline);
  json.key("conclusion").begin_object().member("headline", conclusion.headline);
  json.text_member("text", conclusion.text).end_object();
  json.text_member("other_memory_text", other_memory_text(timeline));
  write_peak(json, model, timeline);
  write_beside(json, timeline.memory);
  json.key("contributors").begin_array();
  for (const PeakContributor& contributor : timeline.contributors)
    write_holder(json, model, contributor);
  json.end_array();
  json.key("frames").begin_object();
  json.key("layer_id").begin_array();
  for (const TimelineFrame& frame : timeline.frames) json.value(frame.layer.index());
  json.end_array().key("live_bytes").begin_array();
  for (const TimelineFrame& frame : timeline.frames) json.value(frame.live_bytes);
  json.end_array().key("scratch_bytes").begin_array();
  for (const TimelineFrame& frame : timeline.frames) json.value(frame.scratch_bytes);
  json.end_array().end_object();
  write_tensors(json, timeline);
  json.end_object();
}

std::string explain_memory_json(const PlanModel& model, const MemoryTimeline& timeline) {
  // Compact: a timeline has a number or two for each layer.
  JsonWriter json(JsonStyle::kCompact);
  write_explain_memory(json, model, timeline);
  return json.take() + "\n";
}

}  // namespace planex::render
