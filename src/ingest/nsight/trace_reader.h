// Turns the tables of an export into a trace: ranges of TensorRT, launches, and the calls and graph
// nodes they come from.
//
// Tables and columns: https://docs.nvidia.com/nsight-systems/UserGuide/ (SQLite schema reference).
// Tables exist only if something was recorded, columns were added over the years, and versions
// before 2021 write defaults where later ones write null; so nothing is required except what is
// needed to find a layer.
#pragma once

#include <string>

#include "base/string_pool.h"
#include "ingest/nsight/layer_names.h"
#include "ingest/nsight/sqlite_file.h"
#include "ingest/nsight/trace.h"
#include "planex/error.h"

namespace planex::ingest::nsight {

// No benchmark's trace has this many; each takes about 60 bytes of memory.
inline constexpr std::size_t kMaxLaunches = 100'000'000;
inline constexpr std::size_t kMaxRanges = 100'000'000;

// Errors: kBadInput (damaged), kUnsupported (too large). Cost: O(rows · log rows) for rows in any
// order, O(rows) in the order that Nsight Systems writes.
Result<Trace> read_trace(SqliteFile& file, const LayerNames& names, const std::string& path);

// Fills the texts of kinds, and the example of the counts.
Result<void> read_names(SqliteFile& file, Trace& trace, base::StringPool& strings);

}  // namespace planex::ingest::nsight
