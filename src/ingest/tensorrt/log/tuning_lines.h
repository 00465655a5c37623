// A search over build routes in a log: one trtexec runs another for each route, between marks of
// its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ingest/reader.h"
#include "ingest/tensorrt/log/log_runs.h"

namespace planex::ingest::tensorrt {

// "-a=on -b=2" of a run's command, which has blanks; empty where it is none of a search.
std::string_view build_route_of(std::string_view command);
// Whether the run starts others, and measures nothing itself.
bool searches_routes(std::string_view command);

// The route that the log calls the best; empty where it does not.
std::string_view best_route(std::string_view text);

// As metadata, in the form of the search's cache. Cost: O(size).
void add_tuning(std::string_view text, const std::vector<LogRun>& runs, const Artefact& artefact,
                model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt
