// The runs of trtexec in one log file, and which of them describe the engine.
#ifndef PLANEX_INGEST_TENSORRT_LOG_LOG_RUNS_H_
#define PLANEX_INGEST_TENSORRT_LOG_LOG_RUNS_H_

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "ingest/tensorrt/log/log_banner.h"

namespace planex::ingest::tensorrt {

struct LogRun {
  // Bytes [begin, end) of the log.
  std::size_t begin = 0, end = 0;
  std::size_t first_line = 1;
  // Its word is kNone where no banner opens the run: a script's log, or one whose head is missing.
  Banner opening;
  // kNone where no banner closes it.
  BannerWord outcome = BannerWord::kNone;
};

// At least one. What stands before the first banner belongs to the first run.
std::vector<LogRun> find_runs(std::string_view text);

struct RunChoice {
  std::size_t main = 0;
  // The run that built what the main run loads, where both are in the log.
  std::optional<std::size_t> build;
};

// The last complete run that tells most of an engine: its layers, then its performance. `runs` is
// not empty.
RunChoice choose_run(std::string_view text, const std::vector<LogRun>& runs);

}  // namespace planex::ingest::tensorrt

#endif  // PLANEX_INGEST_TENSORRT_LOG_LOG_RUNS_H_
