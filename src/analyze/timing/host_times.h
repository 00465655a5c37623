// Where the time of an inference outside the device goes: transfers, starting, waiting, and what
// the figure called end to end measures.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analyze/timing/reconcile.h"
#include "model/plan_model.h"

namespace planex::analyze {

struct HostPart {
  // latency (transfers and compute), compute, enqueue (the host's time to start it), h2d, d2h.
  std::string_view id;
  std::optional<double> median_ms, max_ms;
};

struct HostTimes {
  // times (a times file), or log (a performance summary).
  std::string_view source;
  // The part that end to end measures; empty: there is no end to end.
  std::string_view end_to_end_part;
  std::vector<HostPart> parts;  // in the order above, only known ones
  // For that part: the first inference, which only a times file has.
  std::optional<double> first_ms;
  // Every transfer took exactly no time: the run left them out (--noDataTransfers), and their cost
  // is unknown.
  bool has_no_transfers = false;
};

// Null where at most one part is known, or end to end comes from elsewhere.
std::optional<HostTimes> find_host_times(const model::PlanModel& model, const Reconciliation& time);

}  // namespace planex::analyze
