#include "ingest/tensorrt/samples_reader.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/statistics.h"
#include "base/text.h"
#include "base/try.h"
#include "ingest/json_input.h"
#include "ingest/tensorrt/layer_times.h"

namespace planex::ingest::tensorrt {

namespace ondemand = simdjson::ondemand;
namespace {

// A number of ms, or the first of [ms, "when"].
simdjson::error_code sample_of(JsonInput& input, ondemand::value& element,
                               std::optional<double>& sample) {
  ondemand::json_type type{};
  if (const auto code = element.type().get(type)) return code;
  if (type != ondemand::json_type::array) return input.number_of(element, sample);
  ondemand::array pair;
  if (const auto code = element.get_array().get(pair)) return code;
  bool is_first = true;
  for (auto member : pair) {
    ondemand::value value;
    if (const auto code = member.get(value)) return code;
    if (!std::exchange(is_first, false)) continue;
    if (const auto code = input.number_of(value, sample)) return code;
  }
  return simdjson::SUCCESS;
}

}  // namespace

Confidence sniff_samples(std::string_view head) {
  const std::string_view text = base::trimmed(head);
  if (text.empty() || text.front() != '{') return Confidence::kNo;
  // {"name": [0.02, ...: the first value is a list that begins with a number. Layers without
  // samples, with empty lists, may come before it.
  std::string_view rest = text.substr(1);
  const auto take = [&rest](char mark) {
    rest = base::trimmed(rest);
    if (!rest.starts_with(mark)) return false;
    rest.remove_prefix(1);
    return true;
  };
  do {
    if (!take('"')) return Confidence::kNo;
    std::size_t close = 0;
    while (close < rest.size() && rest[close] != '"') close += rest[close] == '\\' ? 2u : 1u;
    rest.remove_prefix(std::min(close + 1, rest.size()));
    if (!take(':') || !take('[')) return Confidence::kNo;
  } while (take(']') && take(','));
  // [[0.02, "10:31:04.5"], ...: each with the time of its measurement.
  const bool is_stamped = take('[');
  rest = base::trimmed(rest);
  if (is_stamped) {
    const std::size_t close = rest.find(']');
    const std::string_view pair = rest.substr(0, close);
    if (close == rest.npos || pair.find(',') == pair.npos || pair.find('[') != pair.npos) {
      return Confidence::kNo;
    }
  }
  return !rest.empty() && rest.front() >= '0' && rest.front() <= '9' ? Confidence::kMaybe
                                                                     : Confidence::kNo;
}

Result<void> read_samples(const Artefact& artefact, model::ModelBuilder& builder) {
  builder.keep(artefact.bytes);
  JsonInput input(artefact, "a profile");
  PLANEX_TRY(input.open(builder));
  ondemand::object root;
  if (const auto code = input.document().get_object().get(root)) {
    return fail(input.broken("", code, "an object of layer names with lists of ms"));
  }
  LayerTimes times(artefact, builder);
  const JsonPlace document;
  std::vector<double> samples;
  for (auto entry : root) {
    ondemand::field field;
    if (const auto code = std::move(entry).get(field)) {
      return fail(input.broken("", code, "a layer name"));
    }
    const JsonPlace place(document, JsonInput::key_of(field));
    JsonText name;
    if (const auto code = JsonInput::text_of_key(field).get(name)) {
      return fail(input.broken("", code, "a layer name"));
    }
    ondemand::array list;
    ondemand::value value = field.value();
    if (const auto code = value.get_array().get(list)) {
      return fail(input.broken(place.pointer(), code, "a list of ms"));
    }
    samples.clear();
    std::size_t index = 0;
    for (auto item : list) {
      ondemand::value element;
      std::optional<double> sample;
      auto code = item.get(element);
      if (!code) code = sample_of(input, element, sample);
      if (code) return fail(input.broken(JsonPlace(place, index).pointer(), code, "ms"));
      if (sample) samples.push_back(*sample);
      ++index;
    }
    LayerTime time;
    if (!samples.empty()) {
      const base::SampleStatistics statistics = base::sample_statistics(samples);
      time = {.count = static_cast<std::int64_t>(samples.size()),
              .total_ms = statistics.sum,
              .mean_ms = statistics.mean,
              .median_ms = statistics.median,
              .min_ms = statistics.min,
              .max_ms = statistics.max};
    }
    times.add(name, time);
  }
  input.report_trailing(builder);
  input.report_not_a_number(builder);
  times.finish();
  return {};
}

}  // namespace planex::ingest::tensorrt
