#include "ingest/tensorrt/metadata_reader.h"

#include <array>

#include "base/text.h"
#include "base/try.h"
#include "ingest/json_input.h"

namespace planex::ingest::tensorrt {
namespace {

namespace ondemand = simdjson::ondemand;
using base::format;

constexpr std::string_view kMetadataFile = "a metadata file";
constexpr std::array<std::string_view, 5> kSections = {"model_options", "build_options",
                                                       "performance_summary", "inference_options",
                                                       "device_information"};

// Every key of one object, values unchanged: texts without quotes, the rest as JSON.
Result<std::size_t> read_section(JsonInput& input, std::string_view section,
                                 ondemand::object object, const std::string& pointer,
                                 const Artefact& artefact, model::ModelBuilder& builder) {
  std::size_t count = 0;
  for (auto entry : object) {
    ondemand::field field;
    if (const auto code = std::move(entry).get(field))
      return fail(input.broken(pointer, code, "a key"));
    const std::string_view key = JsonInput::key_of(field);
    ondemand::value value = field.value();
    JsonText text;
    if (JsonInput::text_of(value).get(text) == simdjson::SUCCESS) {
      builder.add_metadata(section, key, text.view, artefact.path);
    } else {
      const std::string place = format("{}/{}", pointer, pointer_token(key));
      std::string_view raw;
      if (const auto code = JsonInput::raw_of(value).get(raw)) {
        return fail(input.broken(place, code, "a value"));
      }
      if (!check_json_value(raw)) {
        return fail(input.wrong_value(place, base::quoted(raw, 40), "a JSON value"));
      }
      builder.add_metadata(section, key, raw, artefact.path);
    }
    ++count;
  }
  return count;
}

}  // namespace

Confidence sniff_metadata(std::string_view head) {
  const std::string_view text = base::trimmed(head).substr(0, 2048);
  if (text.empty()) return Confidence::kNo;
  if (text.front() == '{') {
    for (const std::string_view section : kSections) {
      if (text.find(format("\"{}\"", section)) != text.npos) return Confidence::kSure;
    }
  }
  const bool device_list = text.front() == '[' && text.find("\"Name\"") != text.npos &&
                           text.find("\"ComputeCapability\"") != text.npos;
  return device_list ? Confidence::kSure : Confidence::kNo;
}

Result<void> read_metadata(const Artefact& artefact, model::ModelBuilder& builder) {
  JsonInput input(artefact, kMetadataFile);
  PLANEX_TRY(input.open());
  std::size_t count = 0;
  ondemand::json_type type{};
  if (const auto code = input.document().type().get(type)) {
    return fail(input.broken("", code, "an object of sections"));
  }
  if (type == ondemand::json_type::array) {
    ondemand::array devices;
    if (const auto code = input.document().get_array().get(devices)) {
      return fail(input.broken("", code, "a list of devices"));
    }
    std::size_t index = 0;
    for (auto entry : devices) {
      ondemand::object device;
      const std::string pointer = format("/{}", index++);
      if (const auto code = entry.get_object().get(device)) {
        return fail(input.broken(pointer, code, "a device"));
      }
      PLANEX_ASSIGN(const std::size_t keys,
                    read_section(input, "device_properties", device, pointer, artefact, builder));
      count += keys;
    }
  } else {
    ondemand::object root;
    if (const auto code = input.document().get_object().get(root)) {
      return fail(input.broken("", code, "an object of sections"));
    }
    for (auto entry : root) {
      ondemand::field field;
      if (const auto code = std::move(entry).get(field))
        return fail(input.broken("", code, "a section"));
      const std::string section(JsonInput::key_of(field));
      const std::string pointer = "/" + pointer_token(section);
      ondemand::object object;
      ondemand::value value = field.value();
      if (const auto code = value.get_object().get(object)) {
        return fail(input.broken(pointer, code, "an object of options"));
      }
      PLANEX_ASSIGN(const std::size_t keys,
                    read_section(input, section, object, pointer, artefact, builder));
      count += keys;
    }
  }
  input.report_trailing(builder);
  builder.model().files.record_count.set(artefact.file_row, static_cast<std::int64_t>(count));
  return {};
}

}  // namespace planex::ingest::tensorrt
