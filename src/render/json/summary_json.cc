#include "render/json/documents.h"
#include "render/sentences.h"

namespace planex::render {
namespace {

using model::PlanModel;

void write_binding_dims(JsonWriter& json, const std::vector<std::int64_t>& dims, bool known) {
  if (!known) {
    json.null();
    return;
  }
  json.begin_array();
  for (const std::int64_t dim : dims) json.value(dim);
  json.end_array();
}

void write_bindings(JsonWriter& json, std::string_view key,
                    const std::vector<analyze::Binding>& bindings) {
  json.key(key).begin_array();
  for (const analyze::Binding& binding : bindings) {
    json.begin_object().member("name", binding.name).key("dims");
    write_binding_dims(json, binding.dims, binding.dims_known);
    json.text_member("dtype", to_string(binding.dtype));
    json.text_member("layout", to_string(binding.layout));
    json.end_object();
  }
  json.end_array();
}

void write_groups(JsonWriter& json, std::string_view key, std::string_view word,
                  const std::vector<analyze::Group>& groups) {
  json.key(key).begin_array();
  for (const analyze::Group& group : groups) {
    json.begin_object();
    json.text_member(word, group.key);
    if (group.family != model::Family::kNull) json.member("family", to_string(group.family));
    json.member("count", group.count)
        .member("median_ms", group.median_ms)
        .member("mean_ms", group.mean_ms)
        .member("share", group.share)
        .end_object();
  }
  json.end_array();
}

}  // namespace

void write_end_to_end(JsonWriter& json, const analyze::Reconciliation& time) {
  json.key("end_to_end");
  if (const auto& e = time.end_to_end) {
    json.begin_object().member("source", e->source).member("field", e->field);
    json.key("count");
    if (e->count > 0) {
      json.value(e->count);
    } else {
      json.null();
    }
    json.member("mean_ms", e->mean_ms)
        .member("median_ms", e->median_ms)
        .member("min_ms", e->min_ms)
        .member("max_ms", e->max_ms)
        .member("p90_ms", e->p90_ms)
        .member("p95_ms", e->p95_ms)
        .member("p99_ms", e->p99_ms)
        .end_object();
  } else {
    json.null();
  }
  json.key("histogram");
  if (time.histogram) {
    json.begin_object()
        .member("start_ms", time.histogram->start_ms)
        .member("step_ms", time.histogram->step_ms)
        .key("counts")
        .begin_array();
    for (const std::int64_t count : time.histogram->counts) json.value(count);
    json.end_array().end_object();
  } else {
    json.null();
  }
}

namespace {

void write_time(JsonWriter& json, const analyze::Reconciliation& time) {
  json.key("time")
      .begin_object()
      .member("layers_mean_ms", time.layers_mean_ms)
      .member("layers_median_ms", time.layers_median_ms);
  json.text_member("share_basis", to_string(time.basis));
  json.member("layers_without_time", time.layers_without_time);
  json.key("other_records")
      .begin_object()
      .member("count", time.others.count)
      .member("median_ms", time.others.median_ms)
      .member("mean_ms", time.others.mean_ms)
      .member("share", time.share(time.others_ms()))
      .key("types")
      .begin_array();
  for (const std::string& type : time.others.types) json.value(type);
  json.end_array().end_object();
  write_end_to_end(json, time);
  json.member("gap_ms", time.gap_ms)
      .member("profiled_median_ms", time.profiled_median_ms)
      .member("overhead_us_per_layer", time.overhead_us_per_layer)
      .member("resolution_us", time.resolution_us)
      .member("throughput_per_s", time.throughput_per_s)
      .end_object();
}

void write_memory(JsonWriter& json, const PlanModel& model, const analyze::MemorySummary& memory) {
  const analyze::LivePeak& peak = memory.peak;
  json.key("memory")
      .begin_object()
      .member("weight_bytes", memory.weight_bytes)
      .member("layers_without_weights", memory.layers_without_weights)
      .member("traffic_bytes", memory.traffic_bytes)
      .member("tensor_count", memory.distinct_count)
      .member("tensor_bytes", memory.distinct_bytes)
      .member("tensor_data_bytes", memory.distinct_data_bytes)
      .member("tensors_without_size", memory.tensors_without_size)
      .member("tensors_without_layout", memory.tensors_without_layout)
      .member("input_bytes", memory.input_bytes)
      .member("output_bytes", memory.output_bytes)
      .member("scratch_bytes", memory.scratch_bytes);
  json.key("peak")
      .begin_object()
      .member("bytes", peak.bytes)
      .member("with_scratch_bytes", peak.with_scratch_bytes);
  const auto layer =
      peak.bytes && !peak.layer.is_null() ? std::optional(peak.layer.index()) : std::nullopt;
  json.member("layer_id", layer)
      .text_member("layer", layer ? model.text(model.layers.name[*layer]) : "");
  json.member("tensor_count", peak.contributor_count)
      .member("tensors_without_size", peak.tensors_without_size)
      .member("stream_count", peak.stream_count)
      .end_object();
  json.member("reported_weight_bytes", memory.reported_weight_bytes)
      .member("reported_activation_bytes", memory.reported_activation_bytes)
      .member("reported_scratch_bytes", memory.reported_scratch_bytes)
      .member("reported_device_persistent_bytes", memory.reported_device_persistent_bytes)
      .member("reported_host_persistent_bytes", memory.reported_host_persistent_bytes)
      .end_object();
}

void write_top_layers(JsonWriter& json, const PlanModel& model, const analyze::Summary& summary) {
  json.key("top_layers").begin_array();
  const model::LayersTable& layers = model.layers;
  for (const analyze::LayerFigure& figure : summary.top_layers) {
    const std::size_t row = figure.layer.index();
    json.begin_object()
        .member("layer_id", row)
        .member("name", model.text(layers.name[row]))
        .member("type", model.text(layers.type[row]))
        .member("median_ms", layers.median_ms.get(row))
        .member("mean_ms", layers.mean_ms.get(row))
        .member("share", layers.share.get(row))
        .end_object();
  }
  json.end_array();
}

// Null where it is not known which layers are reformats.
void write_reformats(JsonWriter& json, const std::optional<analyze::ReformatLoad>& reformats) {
  json.key("reformats");
  if (!reformats) {
    json.null();
    return;
  }
  json.begin_object()
      .member("count", reformats->count)
      .member("time_ms", reformats->time_ms)
      .member("share", reformats->share)
      .end_object();
}

void write_notes(JsonWriter& json, const PlanModel& model, const analyze::Summary& summary) {
  json.key("findings")
      .begin_object()
      .member("error", summary.findings.error)
      .member("warning", summary.findings.warning)
      .member("info", summary.findings.info)
      .end_object();
  json.key("diagnostics").begin_array();
  for (const analyze::DiagnosticGroup& group : summary.diagnostics) {
    json.begin_object()
        .member("code", group.code)
        .member("severity", to_string(group.severity))
        .member("message", group.message)
        .member("count", group.count);
    json.text_member("file", group.file);
    json.end_object();
  }
  json.end_array();
  json.key("conclusion");
  if (const auto sentence = conclusion(model, summary)) {
    json.begin_object()
        .member("headline", sentence->headline)
        .member("text", sentence->text)
        .end_object();
  } else {
    json.null();
  }
  write_missing(json, summary.missing);
}

}  // namespace

void write_missing(JsonWriter& json, const std::vector<analyze::MissingPiece>& missing) {
  json.key("missing").begin_array();
  for (const analyze::MissingPiece& piece : missing) {
    json.begin_object()
        .member("id", piece.id)
        .member("what", piece.what)
        .member("consequence", piece.consequence)
        .member("command", piece.command)
        .member("is_optional", piece.is_optional)
        .end_object();
  }
  json.end_array();
}

void write_summary(JsonWriter& json, const PlanModel& model, const analyze::Summary& summary) {
  const model::EngineTable& engine = model.engine;
  json.begin_object().member("schema", "planex.summary/2").key("engine").begin_object();
  json.member("name", model.text(engine.name[0]));
  json.text_member("producer", model.text(engine.producer[0]));
  json.text_member("producer_version", model.text(engine.producer_version[0]));
  json.text_member("version_evidence", model.text(engine.version_evidence[0]));
  json.text_member("importer", model.text(engine.importer[0]));
  json.text_member("detail", model.text(engine.detail[0]));
  json.text_member("device", model.text(engine.device[0]));
  json.member("batch_size", engine.batch_size.get(0))
      .member("profile_index", engine.profile_index.get(0))
      .end_object();
  write_bindings(json, "inputs", summary.inputs);
  write_bindings(json, "outputs", summary.outputs);
  json.member("layer_count", summary.layer_count)
      .member("record_count", summary.record_count)
      .member("tensor_count", summary.tensor_count)
      .member("weight_bytes", summary.weight_bytes)
      .member("activation_bytes", summary.activation_bytes)
      .member("footprint_bytes", summary.footprint_bytes)
      .member("macs", summary.macs)
      .member("flops", summary.flops)
      .member("layers_without_bytes", summary.layers_without_bytes)
      .member("layers_without_flops", summary.layers_without_flops)
      .member("layers_without_footprint", summary.layers_without_footprint);
  write_memory(json, model, summary.memory);
  write_time(json, summary.time);
  write_steady_state(json, summary, TimingDetail::kFigures);
  write_groups(json, "by_type", "type", summary.by_type);
  write_groups(json, "by_precision", "precision", summary.by_precision);
  write_groups(json, "by_output_precision", "precision", summary.by_output_precision);
  write_top_layers(json, model, summary);
  write_reformats(json, summary.reformats);
  write_notes(json, model, summary);
  json.end_object();
}

std::string summary_json(const PlanModel& model, const analyze::Summary& summary) {
  JsonWriter json(JsonStyle::kPretty);
  write_summary(json, model, summary);
  return json.take() + "\n";
}

std::string schema_json() {
  JsonWriter json(JsonStyle::kPretty);
  json.begin_object().member("schema", "planex.schema/1").key("tables").begin_array();
  for (const model::TableInfo& table : model::schema()) {
    json.begin_object()
        .member("name", table.name)
        .member("description", table.description)
        .key("columns")
        .begin_array();
    for (const model::ColumnInfo& column : table.columns) {
      json.begin_object().member("name", column.name).member("type", to_string(column.type));
      json.text_member("unit", column.unit);
      json.member("description", column.description).end_object();
    }
    json.end_array().end_object();
  }
  json.end_array().end_object();
  return json.take() + "\n";
}

}  // namespace planex::render
