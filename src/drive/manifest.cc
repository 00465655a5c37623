#include "drive/manifest.h"

#include <rapidjson/reader.h>

#include <simdjson.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <string_view>

#include "base/files.h"
#include "base/text.h"
#include "drive/host.h"
#include "drive/json_field.h"
#include "planex/version.h"

namespace planex::drive {
namespace {

// Variables that change an engine's kernels, libraries or speed.
constexpr std::array<const char*, 6> kEnvironment = {
    "LD_LIBRARY_PATH",    "LD_PRELOAD",    "OMP_NUM_THREADS", "ONEDNN_DEFAULT_FPMATH_MODE",
    "ONEDNN_MAX_CPU_ISA", "ONEDNN_VERBOSE"};

void maybe(JsonFileWriter& json, const char* key, const std::string& value) {
  json.Key(key);
  value.empty() ? static_cast<void>(json.Null()) : write_text(json, value);
}

void words(JsonFileWriter& json, const std::vector<std::string>& list) {
  json.StartArray();
  for (const std::string& word : list) write_text(json, word);
  json.EndArray();
}

void write_mhz(JsonFileWriter& json, const char* key, const char* path) {
  const std::string content = system_file(path);
  const std::string_view digits = base::trimmed(content);
  std::int64_t khz = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), khz);
  json.Key(key);
  if (digits.empty() || parsed.ec != std::errc{}) {
    json.Null();
  } else {
    json.Int64(khz / 1000);
  }
}

void write_host(JsonFileWriter& json) {
  json.Key("host");
  json.StartObject();
  const Host host = this_host();
  maybe(json, "name", host.name);
  maybe(json, "system", host.system);
  maybe(json, "cpu_model", host.cpu_model);
  json.Key("cpu_count");
  json.Int64(host.cpu_count);
  // Virtual machines have none of these.
  const std::string governor = system_file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  maybe(json, "clock_governor", std::string(base::trimmed(governor)));
  write_mhz(json, "clock_min_mhz", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_min_freq");
  write_mhz(json, "clock_max_mhz", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_max_freq");
  json.EndObject();
}

// Copies a JSON text into the document. Invalid JSON becomes null. Without recursion, because the
// text comes from another program.
void copy_json(JsonFileWriter& json, const std::string& source) {
  constexpr unsigned kFlags =
      rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag;
  rapidjson::Reader reader;
  rapidjson::BaseReaderHandler<> nothing;
  rapidjson::StringStream check(source.c_str());
  if (!reader.Parse<kFlags>(check, nothing)) {
    json.Null();
    return;
  }
  rapidjson::StringStream stream(source.c_str());
  reader.Parse<kFlags>(stream, json);
}

std::string utc(std::chrono::system_clock::time_point time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char buffer[32];
  const std::size_t length = std::strftime(buffer, sizeof buffer, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {buffer, length};
}

}  // namespace

std::string manifest_json(const Manifest& manifest) {
  rapidjson::StringBuffer buffer;
  JsonFileWriter json(buffer);
  json.SetIndent(' ', 1);
  json.SetFormatOptions(rapidjson::kFormatSingleLineArray);
  json.StartObject();
  write_field(json, "schema", "planex.manifest/1");
  write_field(json, "planex_version", PLANEX_VERSION);
  write_field(json, "engine", manifest.engine);
  write_field(json, "name", manifest.name);

  json.Key("model");
  json.StartObject();
  write_field(json, "path", manifest.model);
  json.Key("size_bytes");
  manifest.model_digest ? json.Uint64(manifest.model_digest->size_bytes) : json.Null();
  maybe(json, "sha256", manifest.model_digest ? manifest.model_digest->sha256 : "");
  json.Key("was_changed");
  manifest.model_digest ? json.Bool(manifest.was_model_changed) : json.Null();
  json.EndObject();

  json.Key("launcher");
  words(json, manifest.launcher);
  json.Key("commands");
  json.StartArray();
  for (const auto& command : manifest.commands) words(json, command);
  json.EndArray();

  json.Key("artefacts");
  json.StartArray();
  for (const Artefact& artefact : manifest.artefacts) {
    json.StartObject();
    write_field(json, "kind", artefact.kind);
    write_field(json, "file", base::file_name_of(artefact.path));
    json.Key("size_bytes");
    json.Uint64(artefact.size_bytes);
    write_field(json, "sha256", artefact.sha256);
    json.EndObject();
  }
  json.EndArray();

  write_host(json);
  json.Key("environment");
  json.StartObject();
  for (const char* name : kEnvironment) {
    const char* value = std::getenv(name);
    if (value != nullptr) write_field(json, name, value);
  }
  json.EndObject();

  json.Key("result");
  copy_json(json, manifest.result_json);

  // Everything that differs between two runs of the same command on the same machine is in here,
  // and in the measured times.
  json.Key("run");
  json.StartObject();
  write_field(json, "started_utc", utc(manifest.started));
  json.Key("elapsed_ms");
  json.Double(std::round(manifest.elapsed_ms));
  json.EndObject();
  json.EndObject();
  std::string result(buffer.GetString(), buffer.GetSize());
  result += '\n';
  return result;
}

std::string name_in_manifest(std::string_view json) {
  simdjson::dom::parser parser;
  simdjson::dom::object document;
  std::string_view schema, name;
  if (parser.parse(json.data(), json.size()).get(document) != simdjson::SUCCESS ||
      document["schema"].get(schema) != simdjson::SUCCESS ||
      !schema.starts_with("planex.manifest/") || document["name"].get(name) != simdjson::SUCCESS) {
    return {};
  }
  return std::string(name);
}

std::string model_in_record(std::string_view json) {
  simdjson::dom::parser parser;
  simdjson::dom::object document;
  std::string_view sha256;
  if (parser.parse(json.data(), json.size()).get(document) != simdjson::SUCCESS ||
      document["output_sha256"].get(sha256) != simdjson::SUCCESS) {
    return {};
  }
  return std::string(sha256);
}

std::vector<std::string> files_in_manifest(std::string_view json) {
  std::vector<std::string> files;
  simdjson::dom::parser parser;
  simdjson::dom::array artefacts;
  if (parser.parse(json.data(), json.size())["artefacts"].get(artefacts) != simdjson::SUCCESS) {
    return files;
  }
  for (const simdjson::dom::element& artefact : artefacts) {
    std::string_view file;
    if (artefact["file"].get(file) == simdjson::SUCCESS) files.emplace_back(file);
  }
  return files;
}

}  // namespace planex::drive
