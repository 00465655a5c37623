#include "ingest/tensorrt/profile_reader.h"

#include <optional>

#include "base/text.h"
#include "base/try.h"
#include "ingest/json_input.h"
#include "ingest/tensorrt/layer_times.h"

namespace planex::ingest::tensorrt {
namespace {

namespace ondemand = simdjson::ondemand;

struct ProfileRow {
  JsonText name;
  bool has_name = false;
  std::optional<double> count;
  LayerTime time;
};

Result<ProfileRow> read_row(JsonInput& input, ondemand::value& value, const JsonPlace& place) {
  ondemand::object object;
  if (const auto code = value.get_object().get(object)) {
    return fail(input.broken(place.pointer(), code, "a row of times"));
  }
  ProfileRow row;
  PLANEX_TRY(input.each_field(
      object, place,
      [&](std::string_view key, ondemand::value& item, const JsonPlace& at) -> Result<void> {
        if (key == "name") {
          if (const auto code = JsonInput::text_of(item).get(row.name)) {
            return fail(input.broken(at.pointer(), code, "a layer name"));
          }
          row.has_name = true;
          return {};
        }
        std::optional<double>* target = key == "timeMs"      ? &row.time.total_ms
                                        : key == "averageMs" ? &row.time.mean_ms
                                        : key == "medianMs"  ? &row.time.median_ms
                                        : key == "count"     ? &row.count
                                                             : nullptr;
        if (target == nullptr) return {};
        if (const auto code = input.number_of(item, *target)) {
          return fail(input.broken(at.pointer(), code, "a number"));
        }
        return {};
      }));
  return row;
}

}  // namespace

Confidence sniff_profile(std::string_view head) {
  const std::string_view text = base::trimmed(head);
  if (text.empty() || text.front() != '[') return Confidence::kNo;
  const std::string_view first = text.substr(0, 2048);
  if (first.find("\"startEnqMs\"") != first.npos || first.find("\"latencyMs\"") != first.npos) {
    return Confidence::kNo;
  }
  if (first.find("\"averageMs\"") != first.npos || first.find("\"timeMs\"") != first.npos) {
    return Confidence::kSure;
  }
  return first.find("\"count\"") != first.npos ? Confidence::kMaybe : Confidence::kNo;
}

Result<void> read_profile(const Artefact& artefact, model::ModelBuilder& builder) {
  builder.keep(artefact.bytes);
  JsonInput input(artefact, "a profile");
  PLANEX_TRY(input.open(builder));
  ondemand::array rows;
  if (const auto code = input.document().get_array().get(rows)) {
    Error error = input.broken("", code, "a list of rows with \"name\" and \"averageMs\"");
    error.hint = "create a profile with `trtexec --exportProfile=FILE`";
    return fail(std::move(error));
  }
  LayerTimes times(artefact, builder);
  std::optional<std::int64_t> inference_count;
  const auto take = [&](ondemand::value& value, const JsonPlace& place) -> Result<void> {
    PLANEX_ASSIGN(ProfileRow row, read_row(input, value, place));
    if (row.has_name) {
      row.time.count = inference_count;
      times.add(row.name, row.time);
    } else if (row.count && *row.count >= 0 && *row.count < 1e15) {
      inference_count = static_cast<std::int64_t>(*row.count);
    }
    return {};
  };
  PLANEX_TRY(input.each_item(rows, JsonPlace(), "a row of times", take));
  input.report_trailing(builder);
  input.report_not_a_number(builder);
  times.finish();
  return {};
}

}  // namespace planex::ingest::tensorrt
