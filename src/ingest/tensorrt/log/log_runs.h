// The runs of trtexec in one log file, or the builds of one script, and which of them is shown.
//
// A log is of one engine after the other where trtexec ran more than once, which its banners tell,
// or where a script builds several, which the first steps of each build tell. Either way the parts
// of the log are runs, and everything that is shown is of one of them: options, memory,
// performance, layers, profile. It is the last one that is complete, so that a build that failed or
// was cut does not hide the engine before it; but a complete one that lists its layers, or
// measures, comes before a later one that doesn't. Only where one run loads what another has built,
// both tell of the engine.
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
  // Without a banner that closes it, kNone; a script's build that made its engine has passed.
  BannerWord outcome = BannerWord::kNone;
  bool is_script = false;
  // What it has; only told where there are several runs.
  bool lists_layers = false, measures = false;
};

// At least one. What stands before the first banner, or the first build, belongs to the first run.
// Cost: O(size).
std::vector<LogRun> find_runs(std::string_view text);

struct RunChoice {
  std::size_t main = 0;
  // The run that built what the main run loads, where both are in the log.
  std::optional<std::size_t> build;
};

// Of the complete runs, else of all, those that list layers, else all; of these the ones that
// measure, else all; of these the last. `runs` is not empty.
RunChoice choose_run(const std::vector<LogRun>& runs);

}  // namespace planex::ingest::tensorrt

#endif  // PLANEX_INGEST_TENSORRT_LOG_LOG_RUNS_H_
