// Several inferences at once: on streams, contexts or requests of their own.
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
  // times: their times overlap; options: the run was asked for them.
  std::string_view source;
  std::optional<double> throughput_per_s, latency_ms;
  // Inferences that were under way on average: throughput × latency (Little's law). Below `at_once`
  // the program did not keep all streams busy.
  std::optional<double> in_flight;
};

// Null where inferences follow one another, or no file says.
std::optional<Concurrency> find_concurrency(const model::PlanModel& model,
                                            const Reconciliation& time,
                                            const std::optional<SteadyState>& state);

}  // namespace planex::analyze
