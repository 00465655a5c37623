#include "ingest/planex/manifest_reader.h"

#include <string>

#include "base/text.h"
#include "base/try.h"
#include "ingest/json_record.h"

namespace planex::ingest::planex_files {
namespace {

namespace ondemand = simdjson::ondemand;
using base::format;

constexpr Schema kManifestSchema = {.name = "planex.manifest", .version = 1, .what = "a manifest"};

// Flattens the document three levels deep, one function per level: section, key, "key.part". Values
// nested deeper stay JSON.
class ManifestReader {
 public:
  ManifestReader(const Artefact& artefact, model::ModelBuilder& builder)
      : artefact_(artefact), builder_(builder), json_(artefact, kManifestSchema) {}

  Result<void> read() {
    PLANEX_TRY(json_.read_document(
        [this](std::string_view key, ondemand::value& value, const JsonPlace& place) {
          return read_section(key, value, place);
        }));
    model::PlanModel& model = builder_.model();
    if (model.engine.device.is_null(0) && !device_.empty()) {
      model.engine.device.set(0, builder_.strings().intern(device_));
    }
    if (model.engine.producer_version.is_null(0) && !producer_version_.empty()) {
      model.engine.producer_version.set(0, builder_.strings().intern(producer_version_));
      model.engine.version_evidence.set(0, builder_.strings().intern("manifest"));
    }
    model.files.record_count.set(artefact_.file_row, row_count_);
    return {};
  }

 private:
  static bool is_object(ondemand::value& value) { return value.raw_json_token().starts_with('{'); }
  static bool is_list(ondemand::value& value) { return value.raw_json_token().starts_with('['); }

  Result<void> read_section(std::string_view section, ondemand::value& value,
                            const JsonPlace& place) {
    if (is_object(value)) {
      return json_.each_field(
          value, place, "an object",
          [&](std::string_view key, ondemand::value& item, const JsonPlace& at) {
            return read_member(section, key, item, at);
          });
    }
    if (section == "commands" && is_list(value)) {
      std::size_t index = 0;
      return json_.each_item(value, place, "a list of commands",
                             [&](ondemand::value& item, const JsonPlace& at) {
                               return read_command(section, format("{}", index++), item, at);
                             });
    }
    if (section == "launcher" && is_list(value)) {
      return read_command(section, "command", value, place);
    }
    if (is_list(value)) {
      std::size_t index = 0;
      return json_.each_item(value, place, "a list",
                             [&](ondemand::value& item, const JsonPlace& at) {
                               return read_member(section, format("{}", index++), item, at);
                             });
    }
    return read_leaf("manifest", section, value, place);
  }

  Result<void> read_member(std::string_view section, std::string_view key, ondemand::value& value,
                           const JsonPlace& place) {
    if (!is_object(value)) return read_leaf(section, key, value, place);
    return json_.each_field(value, place, "an object",
                            [&](std::string_view part, ondemand::value& item, const JsonPlace& at) {
                              return read_leaf(section, format("{}.{}", key, part), item, at);
                            });
  }

  Result<void> read_leaf(std::string_view section, std::string_view key, ondemand::value& value,
                         const JsonPlace& place) {
    if (JsonRecords::is_null(value)) return {};
    const bool is_container = is_list(value) || is_object(value);
    PLANEX_ASSIGN(const JsonText text, json_.written(value, place));
    if (text.view.empty() || text.view == "[]") return {};
    add(section, key, is_container ? compact_json(text.view) : std::string(text.view));
    // The engine's program knows its device better than the description of this machine.
    if (section == "result" && key == "engine.device") {
      device_ = text.view;
    } else if (section == "result" && key == "engine.producer_version") {
      producer_version_ = text.view;
    } else if (section == "host" && key == "cpu_model" && device_.empty()) {
      device_ = text.view;
    }
    return {};
  }

  // An argument vector. Anything else stays unchanged.
  Result<void> read_command(std::string_view section, std::string_view key, ondemand::value& value,
                            const JsonPlace& place) {
    if (!is_list(value)) return read_leaf(section, key, value, place);
    std::string line;
    PLANEX_TRY(json_.each_item(value, place, "a list of words",
                               [&](ondemand::value& item, const JsonPlace& at) -> Result<void> {
                                 PLANEX_ASSIGN(const JsonText word, json_.written(item, at));
                                 if (!line.empty()) line += ' ';
                                 line += base::shell_word(word.view);
                                 return {};
                               }));
    if (!line.empty()) add(section, key, line);
    return {};
  }

  void add(std::string_view section, std::string_view key, std::string_view value) {
    builder_.add_metadata(section, key, value, artefact_.path);
    ++row_count_;
  }

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  JsonRecords json_;
  std::int64_t row_count_ = 0;
  std::string device_;
  std::string producer_version_;
};

}  // namespace

Confidence sniff_manifest(std::string_view head) { return sniff_schema(head, kManifestSchema); }

Result<void> read_manifest(const Artefact& artefact, model::ModelBuilder& builder) {
  return ManifestReader(artefact, builder).read();
}

}  // namespace planex::ingest::planex_files
