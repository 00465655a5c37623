// A sweep's folder, opened.
#pragma once

#include <string>
#include <vector>

#include "analyze/sweep.h"
#include "base/files.h"
#include "planex/session.h"
#include "session/answer/format.h"

namespace planex::session {

bool is_sweep(const std::string& folder, const base::FileSource& files);

// Errors: kNotFound (no sweep there), kBadInput. A run that can't be read is its cell's error.
// Cost: that of opening all runs, and of aligning the engines at both ends of each cliff.
Result<analyze::Sweep> open_sweep(const std::string& folder, const base::FileSource& files);

// The cost of comparing engines grows with the square of their number, and a page lists all their
// names to choose from.
inline constexpr std::size_t kMaxSweepEngines = 12;
// The engines of a report: those of both fronts and of both ends of cliffs, up to the maximum, then
// others in the order of the grid. Sets report_engine of their cells.
std::vector<OpenRequest> report_engines(analyze::Sweep& sweep);

// `sweep` must outlive the result.
Writers sweep_writers(const analyze::Sweep& sweep);

}  // namespace planex::session
