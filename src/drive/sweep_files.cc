#include "drive/sweep_files.h"

#include <simdjson.h>

#include "base/files.h"
#include "base/text.h"
#include "drive/json_field.h"
#include "drive/sha256.h"

namespace planex::drive {
namespace {

constexpr std::string_view kSweepSchema = "planex.sweep-plan/1";
constexpr std::string_view kRunSchema = "planex.sweep-run/1";

void texts(JsonFileWriter& json, const char* key, std::span<const std::string> list) {
  json.Key(key);
  json.StartArray();
  for (const std::string& text : list) write_text(json, text);
  json.EndArray();
}

std::string taken(rapidjson::StringBuffer& buffer) {
  std::string text(buffer.GetString(), buffer.GetSize());
  text += '\n';
  return text;
}

void configure(JsonFileWriter& json) {
  json.SetIndent(' ', 1);
  json.SetFormatOptions(rapidjson::kFormatSingleLineArray);
}

}  // namespace

std::string run_folder(std::string_view folder, std::string_view cell, int run) {
  return base::join_path(folder, base::format("cells/{}/{}", cell, run));
}

std::string sweep_json(const ProcessRequest& base, std::span<const GridAxis> axes,
                       std::span<const GridCell> cells, int repeats) {
  rapidjson::StringBuffer buffer;
  JsonFileWriter json(buffer);
  configure(json);
  json.StartObject();
  write_field(json, "schema", kSweepSchema);
  write_field(json, "model", base.model);
  json.Key("repeats");
  json.Int(repeats);
  json.Key("axes");
  json.StartArray();
  for (const GridAxis& axis : axes) {
    json.StartObject();
    write_field(json, "name", axis.name);
    texts(json, "values", axis.values);
    json.EndObject();
  }
  json.EndArray();
  json.Key("cells");
  json.StartArray();
  for (const GridCell& cell : cells) {
    json.StartObject();
    write_field(json, "id", cell.id);
    texts(json, "values", cell.values);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return taken(buffer);
}

std::string run_json(const RunRecord& record) {
  rapidjson::StringBuffer buffer;
  JsonFileWriter json(buffer);
  configure(json);
  json.StartObject();
  write_field(json, "schema", kRunSchema);
  write_field(json, "cell", record.cell);
  json.Key("run");
  json.Int(record.run);
  write_field(json, "state", record.error ? "failed" : "done");
  write_field(json, "inputs_sha256", sha256_of(record.inputs_json));
  json.Key("inputs");
  json.RawValue(record.inputs_json.data(), record.inputs_json.size(), rapidjson::kObjectType);
  json.Key("engine");
  record.engine.empty() ? static_cast<void>(json.Null()) : write_text(json, record.engine);
  json.Key("error");
  if (record.error) {
    json.StartObject();
    write_field(json, "message", record.error->message);
    write_field(json, "file", record.error->file);
    write_field(json, "context", record.error->context);
    write_field(json, "hint", record.error->hint);
    json.EndObject();
  } else {
    json.Null();
  }
  json.EndObject();
  return taken(buffer);
}

std::optional<RunState> run_state(std::string_view text) {
  simdjson::dom::parser parser;
  simdjson::dom::object document;
  std::string_view schema, state, inputs;
  if (parser.parse(text.data(), text.size()).get(document) != simdjson::SUCCESS ||
      document["schema"].get(schema) != simdjson::SUCCESS || schema != kRunSchema ||
      document["state"].get(state) != simdjson::SUCCESS ||
      document["inputs_sha256"].get(inputs) != simdjson::SUCCESS) {
    return std::nullopt;
  }
  return RunState{.is_done = state == "done", .inputs_sha256 = std::string(inputs)};
}

std::string model_in_sweep(std::string_view text) {
  simdjson::dom::parser parser;
  simdjson::dom::object document;
  std::string_view schema, model;
  if (parser.parse(text.data(), text.size()).get(document) != simdjson::SUCCESS ||
      document["schema"].get(schema) != simdjson::SUCCESS ||
      !schema.starts_with("planex.sweep-plan/") ||
      document["model"].get(model) != simdjson::SUCCESS) {
    return {};
  }
  return std::string(model);
}

}  // namespace planex::drive
