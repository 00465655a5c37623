// Several inferences at once: on separate streams, contexts or requests.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "analyze/timing/reconcile.h"
#include "analyze/timing/steady_state.h"
#include "model/plan_model.h"

namespace planex::analyze {

struct Concurrency {
  std::int64_t at_once = 1;  // inferences
  // times: their times overlap; options: the run was started with this number.
  std::string_view source;
  std::optional<double> throughput_per_s, latency_ms;
  // Average number of inferences in flight: throughput × latency (Little's law). Below `at_once`,
  // the program did not keep all streams busy.
  std::optional<double> in_flight;
};

// Null where inferences follow one another, or no file records it.
std::optional<Concurrency> find_concurrency(const model::PlanModel& model,
                                            const Reconciliation& time,
                                            const std::optional<SteadyState>& state);

}  // namespace planex::analyze
