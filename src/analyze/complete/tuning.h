// A search of the compiler over its build routes (trtexec --tuneBuildRoutes), and what its times
// prove.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/plan_model.h"

namespace planex::analyze {

struct TunedRoute {
  std::int64_t iteration = 0;
  std::string route;
  std::optional<double> mean_ms;  // of one measurement
  bool has_crashed = false;
  std::string error, accuracy_loss;  // as written
};

struct TuningSearch {
  std::vector<TunedRoute> routes;  // by iteration
  std::string default_route, algorithm, model;
  // Indices into routes, among the measured ones.
  std::optional<std::size_t> standard, winner, runner_up;
};

// Nothing where the files contain no search. The cache takes precedence over the log of the search.
std::optional<TuningSearch> find_tuning(const model::PlanModel& model);

// "conv_lowering on → off" for the knobs in which a route differs from another.
std::vector<std::string> changed_knobs(const std::string& from, const std::string& to);

// Adds diagnostics that say what the search found, whether it proves anything, and what would.
void report_tuning(model::PlanModel& model);

}  // namespace planex::analyze
