#include "render/json/explain_memory_json.h"

#include "render/memory_sentences.h"

namespace planex::render {
namespace {

using analyze::FilmFrame;
using analyze::MemoryFilm;
using analyze::PeakHolder;
using model::PlanModel;

void write_layer(JsonWriter& json, const PlanModel& model, std::string_view key,
                 model::LayerId layer) {
  json.key(key);
  layer.is_null() ? json.null() : json.value(layer.index());
  if (key != "layer_id") return;
  json.key("layer");
  layer.is_null() ? json.null() : json.value(model.text(model.layers.name[layer.index()]));
}

void write_peak(JsonWriter& json, const PlanModel& model, const MemoryFilm& film) {
  json.key("peak").begin_object().member("bytes", film.peak.bytes);
  write_layer(json, model, "layer_id", film.peak.layer);
  json.member("with_scratch_bytes", film.peak.with_scratch_bytes)
      .member("holder_count", film.peak.holder_count)
      .member("stream_count", film.peak.stream_count)
      .member("tensors_without_size", film.peak.tensors_without_size)
      .member("used_bytes", film.used_bytes)
      .member("carried_bytes", film.carried_bytes)
      .member("best_to_move", film.best_to_move)
      .end_object();
}

void write_beside(JsonWriter& json, const analyze::MemorySummary& memory) {
  json.key("beside")
      .begin_object()
      .member("weight_bytes", memory.weight_bytes)
      .member("input_bytes", memory.input_bytes)
      .member("output_bytes", memory.output_bytes)
      .member("reported_activation_bytes", memory.reported_activation_bytes)
      .member("reported_scratch_bytes", memory.reported_scratch_bytes)
      .member("reported_device_persistent_bytes", memory.reported_device_persistent_bytes)
      .end_object();
}

void write_holder(JsonWriter& json, const PlanModel& model, const PeakHolder& holder) {
  json.begin_object()
      .member("tensor_id", holder.tensor.index())
      .member("tensor", model.text(model.tensors.name[holder.tensor.index()]))
      .member("bytes", holder.bytes);
  write_layer(json, model, "first_layer_id", holder.first);
  write_layer(json, model, "last_layer_id", holder.last);
  json.member("span", holder.span)
      .member("byte_layers", holder.byte_layers)
      .member("is_carried", holder.is_carried)
      .member("peak_without_bytes", holder.peak_without_bytes)
      .end_object();
}

template <typename ValueOf>
void write_column(JsonWriter& json, std::string_view key, const MemoryFilm& film,
                  const ValueOf& value_of) {
  json.key(key).begin_array();
  for (const analyze::FilmTensor& tensor : film.tensors) json.value(value_of(tensor));
  json.end_array();
}

void write_tensors(JsonWriter& json, const MemoryFilm& film) {
  using analyze::FilmTensor;
  json.text_member("offsets", to_string(film.offsets)).member("height_bytes", film.height_bytes);
  json.key("tensors").begin_object();
  const auto layer = [&](std::size_t frame) { return film.frames[frame].layer.index(); };
  const auto column = [&](std::string_view key, const auto& value_of) {
    write_column(json, key, film, value_of);
  };
  column("tensor_id", [](const FilmTensor& one) { return one.tensor.index(); });
  column("dtype", [](const FilmTensor& one) {
    const std::string_view type = to_string(one.dtype);
    return type.empty() ? std::nullopt : std::optional(type);
  });
  column("bytes", [](const FilmTensor& one) { return one.bytes; });
  column("first_layer_id", [&](const FilmTensor& one) { return layer(one.first_frame); });
  column("last_layer_id", [&](const FilmTensor& one) { return layer(one.last_frame); });
  column("offset_bytes", [](const FilmTensor& one) { return one.offset_bytes; });
  json.end_object();
}

}  // namespace

void write_explain_memory(JsonWriter& json, const PlanModel& model, const MemoryFilm& film) {
  json.begin_object()
      .member("schema", "planex.explain-memory/1")
      .member("engine", model.text(model.engine.name[0]));
  const Lede lede = memory_lede(model, film);
  json.key("lede").begin_object().member("headline", lede.headline);
  json.text_member("text", lede.text).end_object();
  json.text_member("beside_text", beside_text(film));
  write_peak(json, model, film);
  write_beside(json, film.memory);
  json.key("holders").begin_array();
  for (const PeakHolder& holder : film.holders) write_holder(json, model, holder);
  json.end_array();
  json.key("frames").begin_object();
  json.key("layer_id").begin_array();
  for (const FilmFrame& frame : film.frames) json.value(frame.layer.index());
  json.end_array().key("live_bytes").begin_array();
  for (const FilmFrame& frame : film.frames) json.value(frame.live_bytes);
  json.end_array().key("scratch_bytes").begin_array();
  for (const FilmFrame& frame : film.frames) json.value(frame.scratch_bytes);
  json.end_array().end_object();
  write_tensors(json, film);
  json.end_object();
}

std::string explain_memory_json(const PlanModel& model, const MemoryFilm& film) {
  // Compact: a film has a number or two for each layer.
  JsonWriter json(JsonStyle::kCompact);
  write_explain_memory(json, model, film);
  return json.take() + "\n";
}

}  // namespace planex::render
