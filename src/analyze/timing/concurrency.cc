#include "analyze/timing/concurrency.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/json_text.h"

namespace planex::analyze {
namespace {

// Where trtexec, benchmark_app and planex's drivers record how many inferences run at once.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kConcurrencyOptions = {
    {{"inference_options", "Streams"},
     {"inference_options", "Inference Streams"},
     {"configuration setup", "number of parallel infer requests"},
     {"measurement", "streams"}}};
// More streams than any device has: then it is the number of something else.
constexpr std::int64_t kMaxAtOnce = 4096;

std::int64_t asked_for(const model::PlanModel& model) {
  std::int64_t most = 1;
  const model::MetadataTable& table = model.metadata;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const std::pair entry(model.text(table.section[row]), model.text(table.key[row]));
    if (std::ranges::find(kConcurrencyOptions, entry) == kConcurrencyOptions.end()) continue;
    const auto value = base::integer_in(model.text(table.value[row]));
    if (value && *value <= kMaxAtOnce) most = std::max(most, *value);
  }
  return most;
}

}  // namespace

std::optional<Concurrency> find_concurrency(const model::PlanModel& model,
                                            const Reconciliation& time,
                                            const std::optional<SteadyState>& state) {
  Concurrency found;
  if (state && state->concurrent > 1) {
    found.at_once = state->concurrent;
    found.source = "times";
  } else {
    // Times that do not overlap show that the streams, if any, took turns.
    if (state && state->sample_count > 1) return std::nullopt;
    found.at_once = asked_for(model);
    found.source = "options";
  }
  if (found.at_once <= 1) return std::nullopt;
  found.throughput_per_s = time.throughput_per_s;
  if (time.end_to_end) {
    found.latency_ms =
        time.end_to_end->median_ms ? time.end_to_end->median_ms : time.end_to_end->mean_ms;
  }
  if (found.throughput_per_s && found.latency_ms) {
    constexpr double kMsPerS = 1000;
    found.in_flight = *found.throughput_per_s * *found.latency_ms / kMsPerS;
  }
  return found;
}

}  // namespace planex::analyze
