// A search over build routes in a log: one trtexec runs another for each route, and prints marks
// between the runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ingest/reader.h"
#include "ingest/tensorrt/log/log_runs.h"

namespace planex::ingest::tensorrt {

// "-a=on -b=2" from a run's command, which contains blanks; empty if it is not part of a search.
std::string_view build_route_of(std::string_view command);
// Whether the run starts others, and measures nothing itself.
bool searches_routes(std::string_view command);

// The route that the log calls the best; empty if it names none.
std::string_view best_route(std::string_view text);

// As metadata, in the form of the search's cache. Cost: O(size).
void add_tuning(std::string_view text, const std::vector<LogRun>& runs, const Artefact& artefact,
                model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt
