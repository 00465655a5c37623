#include "render/json/engines_json.h"

#include <string_view>

#include "planex/version.h"
#include "render/json/json_writer.h"

namespace planex::render {
namespace {

std::string_view state_word(EngineState state) {
  switch (state) {
    case EngineState::kReady:
      return "ready";
    case EngineState::kFailed:
      return "failed";
    case EngineState::kWaiting:
      break;
  }
  return "waiting";
}

// JavaScript's numbers hold milliseconds since 1970 and not nanoseconds.
std::optional<std::int64_t> ms_of(std::optional<std::int64_t> ns) {
  constexpr std::int64_t kNsPerMs = 1'000'000;
  return ns ? std::optional(*ns / kNsPerMs) : std::nullopt;
}

void write_row(JsonWriter& json, const ListedEngine& engine) {
  const analyze::EngineFigures& row = engine.row;
  json.text_member("headline", engine.headline);
  json.text_member("name", row.name);
  json.text_member("producer", row.producer);
  json.text_member("producer_version", row.producer_version);
  json.text_member("device", row.device);
  json.text_member("detail", row.detail);
  json.text_member("precision", row.precision);
  json.member("batch_size", row.batch_size);
  json.member("end_to_end_median_ms", row.end_to_end_median_ms)
      .member("layers_ms", row.layers_ms)
      .text_member("basis", to_string(row.basis))
      .member("layer_count", row.layer_count)
      .member("weight_bytes", row.weight_bytes)
      .member("reached_ratio", engine.reached_ratio)
      .key("findings")
      .begin_object()
      .member("error", row.findings.error)
      .member("warning", row.findings.warning)
      .member("info", row.findings.info)
      .end_object();
}

void write_engine(JsonWriter& json, const ListedEngine& engine) {
  json.begin_object()
      .member("id", engine.id)
      .member("place", engine.place)
      .member("is_dropped", engine.is_dropped)
      .member("state", state_word(engine.state))
      .member("is_stale", engine.is_stale);
  json.text_member("error", engine.error);
  json.member("modified_ms", ms_of(engine.modified_ns)).member("size_bytes", engine.size_bytes);
  if (engine.state == EngineState::kReady) write_row(json, engine);
  json.end_object();
}

void write_trends(JsonWriter& json, const EngineList& list) {
  json.key("trends").begin_array();
  for (const analyze::RunTrend& trend : list.trends) {
    json.begin_array();
    for (std::size_t i = 0; i < trend.rows.size(); ++i) {
      const ListedEngine& engine = list.engines[trend.rows[i]];
      json.begin_object()
          .member("id", engine.id)
          .member("modified_ms", ms_of(engine.modified_ns))
          .member("end_to_end_median_ms", engine.row.end_to_end_median_ms)
          .member("change_ratio", trend.change_ratio[i])
          .end_object();
    }
    json.end_array();
  }
  json.end_array();
}

std::string_view code_word(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
      return "usage";
    case ErrorCode::kNotFound:
      return "not-found";
    case ErrorCode::kBadInput:
      return "bad-input";
    case ErrorCode::kUnsupported:
      return "unsupported";
    case ErrorCode::kExternalTool:
      return "external-tool";
    case ErrorCode::kIo:
      return "io";
    case ErrorCode::kCancelled:
      return "cancelled";
    case ErrorCode::kInternal:
      break;
  }
  return "internal";
}

}  // namespace

std::string engines_json(const EngineList& list) {
  JsonWriter json;
  json.begin_object().member("schema", "planex.engines/1").key("generator").begin_object();
  json.member("name", "planex").member("version", PLANEX_VERSION).end_object();
  json.member("is_searching", list.is_searching);
  json.text_member("left_out", list.left_out);
  json.key("places").begin_array();
  for (const std::string& place : list.places) json.value(place);
  json.end_array().key("engines").begin_array();
  for (const ListedEngine& engine : list.engines) write_engine(json, engine);
  json.end_array();
  write_trends(json, list);
  json.end_object();
  return json.take() + "\n";
}

std::string opened_json(const std::vector<std::string>& ids) {
  JsonWriter json;
  json.begin_object().member("schema", "planex.opened/1").key("ids").begin_array();
  for (const std::string& id : ids) json.value(id);
  json.end_array().end_object();
  return json.take() + "\n";
}

std::string version_json(std::string_view version, EngineState state) {
  JsonWriter json;
  json.begin_object()
      .member("schema", "planex.page-version/1")
      .member("version", version)
      .member("state", state_word(state))
      .end_object();
  return json.take() + "\n";
}

std::string error_json(const Error& error) {
  JsonWriter json;
  json.begin_object().member("schema", "planex.error/1").member("code", code_word(error.code));
  json.member("message", error.message);
  json.text_member("file", error.file);
  json.text_member("context", error.context);
  json.text_member("hint", error.hint);
  json.end_object();
  return json.take() + "\n";
}

}  // namespace planex::render
