#include "ingest/tensorrt/profile_reader.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/statistics.h"
#include "base/text.h"
#include "base/try.h"
#include "ingest/join_report.h"
#include "ingest/json_input.h"
#include "ingest/layer_join.h"

namespace planex::ingest::tensorrt {
namespace {

namespace ondemand = simdjson::ondemand;
using base::format;
using model::LayerId;

constexpr std::string_view kWhat = "a profile";

struct ProfileRow {
  JsonText name;
  bool has_name = false;
  std::optional<double> total_ms, mean_ms, median_ms, count;
};

Result<ProfileRow> read_row(JsonInput& input, ondemand::value& value, std::size_t index) {
  // Only made when something is wrong.
  const auto pointer = [&](std::string_view key) {
    return key.empty() ? format("/{}", index) : format("/{}/{}", index, pointer_token(key));
  };
  ondemand::object object;
  if (const auto code = value.get_object().get(object)) {
    return fail(input.broken(pointer({}), code, "a row of times"));
  }
  ProfileRow row;
  for (auto entry : object) {
    ondemand::field field;
    if (const auto code = std::move(entry).get(field))
      return fail(input.broken(pointer({}), code, "a key"));
    const std::string_view key = JsonInput::key_of(field);
    ondemand::value item = field.value();
    if (key == "name") {
      if (const auto code = JsonInput::text_of(item).get(row.name)) {
        return fail(input.broken(pointer(key), code, "a layer name"));
      }
      row.has_name = true;
      continue;
    }
    std::optional<double>* target = key == "timeMs"      ? &row.total_ms
                                    : key == "averageMs" ? &row.mean_ms
                                    : key == "medianMs"  ? &row.median_ms
                                    : key == "count"     ? &row.count
                                                         : nullptr;
    if (target == nullptr) continue;
    double number = 0;
    if (const auto code = item.get_double().get(number)) {
      return fail(input.broken(pointer(key), code, "a number"));
    }
    *target = number;
  }
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
  JsonInput input(artefact, kWhat);
  PLANEX_TRY(input.open());
  ondemand::array rows;
  if (const auto code = input.document().get_array().get(rows)) {
    Error error = input.broken("", code, "a list of rows with \"name\" and \"averageMs\"");
    error.hint = "a profile comes from `trtexec --exportProfile=FILE`";
    return fail(std::move(error));
  }
  model::LayersTable& layers = builder.model().layers;
  LayerJoin join(builder.model());
  JoinReport report;
  std::optional<std::int64_t> inference_count;
  std::size_t index = 0, named_rows = 0;
  for (auto entry : rows) {
    ondemand::value value;
    if (const auto code = entry.get(value)) {
      return fail(input.broken(format("/{}", index), code, "a row of times"));
    }
    PLANEX_ASSIGN(const ProfileRow row, read_row(input, value, index));
    ++index;
    if (!row.has_name) {
      if (row.count && *row.count >= 0 && *row.count < 1e15) {
        inference_count = static_cast<std::int64_t>(*row.count);
      }
      continue;
    }
    ++named_rows;
    const LayerId layer = join.next(row.name.view);
    if (layer.is_null()) {
      report.missed(row.name.view);
      continue;
    }
    const std::size_t at = layer.index();
    layers.total_ms.set(at, row.total_ms);
    layers.mean_ms.set(at, row.mean_ms);
    layers.median_ms.set(at, row.median_ms);
    if (inference_count) layers.count.set(at, *inference_count);
  }
  input.report_trailing(builder);
  builder.model().files.record_count.set(artefact.file_row, static_cast<std::int64_t>(named_rows));
  report.finish(artefact, join.joined_count(), layers.row_count(), builder);
  return {};
}

Confidence sniff_samples(std::string_view head) {
  const std::string_view text = base::trimmed(head);
  if (text.empty() || text.front() != '{') return Confidence::kNo;
  // {"name": [0.02, ...: the first value is a list that begins with a number.
  const std::size_t open = text.find('"');
  if (open == text.npos || !base::trimmed(text.substr(1, open - 1)).empty()) return Confidence::kNo;
  std::size_t close = open + 1;
  while (close < text.size() && text[close] != '"') close += text[close] == '\\' ? 2u : 1u;
  if (close >= text.size()) return Confidence::kNo;
  std::string_view rest = base::trimmed(text.substr(close + 1));
  if (!rest.starts_with(':')) return Confidence::kNo;
  rest = base::trimmed(rest.substr(1));
  if (!rest.starts_with('[')) return Confidence::kNo;
  rest = base::trimmed(rest.substr(1));
  return !rest.empty() && rest.front() >= '0' && rest.front() <= '9' ? Confidence::kMaybe
                                                                     : Confidence::kNo;
}

Result<void> read_samples(const Artefact& artefact, model::ModelBuilder& builder) {
  JsonInput input(artefact, kWhat);
  PLANEX_TRY(input.open());
  ondemand::object root;
  if (const auto code = input.document().get_object().get(root)) {
    return fail(input.broken("", code, "an object of layer names with lists of ms"));
  }
  model::LayersTable& layers = builder.model().layers;
  LayerJoin join(builder.model());
  JoinReport report;
  std::size_t row_count = 0;
  std::vector<double> samples;
  for (auto entry : root) {
    ondemand::field field;
    if (const auto code = std::move(entry).get(field))
      return fail(input.broken("", code, "a layer name"));
    const std::string_view name = JsonInput::key_of(field);
    const std::string pointer = "/" + pointer_token(name);
    ondemand::array list;
    ondemand::value value = field.value();
    if (const auto code = value.get_array().get(list)) {
      return fail(input.broken(pointer, code, "a list of ms"));
    }
    samples.clear();
    for (auto item : list) {
      double sample = 0;
      if (const auto code = item.get_double().get(sample)) {
        return fail(input.broken(format("{}/{}", pointer, samples.size()), code, "ms"));
      }
      samples.push_back(sample);
    }
    ++row_count;
    const LayerId layer = join.next(name);
    if (layer.is_null()) {
      report.missed(name);
      continue;
    }
    if (samples.empty()) continue;
    const std::size_t at = layer.index();
    const base::SampleStatistics statistics = base::sample_statistics(samples);
    layers.count.set(at, static_cast<std::int64_t>(samples.size()));
    layers.total_ms.set(at, statistics.sum);
    layers.mean_ms.set(at, statistics.mean);
    layers.median_ms.set(at, statistics.median);
    layers.min_ms.set(at, statistics.min);
    layers.max_ms.set(at, statistics.max);
  }
  input.report_trailing(builder);
  builder.model().files.record_count.set(artefact.file_row, static_cast<std::int64_t>(row_count));
  report.finish(artefact, join.joined_count(), layers.row_count(), builder);
  return {};
}

}  // namespace planex::ingest::tensorrt
