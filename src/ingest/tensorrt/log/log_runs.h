// The runs of trtexec in one log file, or the builds of one script, and which of them is shown.
//
// A log is of one engine after the other where trtexec ran more than once, which its banners tell,
// or where a script builds several, which the first steps of each build tell; a script may also
// build an engine and let trtexec load it, again and again. Without banners a second summary or
// table of layer times is of another run, as in what people paste of two. Either way the parts of
// the log are runs, and everything that is shown is of one of them: options, memory, performance,
// layers, profile. Only where one run loads what another has built, both tell of the engine.
#pragma once

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
  bool builds = false;  // what a script's log shows of a build is in it
  // What it has; only told where there are several runs.
  bool lists_layers = false, measures = false;
};

// At least one. What stands before the first banner, or the first build, belongs to the first run,
// what stands between two banners to the run before, unless a script builds an engine there.
// Cost: O(size).
std::vector<LogRun> find_runs(std::string_view text);

// What can be shown of a log: a run, and the run that built what it loads, where that is in the
// log too.
struct RunChoice {
  std::size_t main = 0;
  std::optional<std::size_t> build;
};

// All choices, by their main runs: every run but the builds of a script that a later run loads,
// which are shown with that one. A script does not say where it saves an engine: what trtexec loads
// is what was built last before it, if that was one engine and trtexec has loaded no other since.
// `runs` is not empty, nor is the result.
std::vector<RunChoice> run_choices(const std::vector<LogRun>& runs);

// The one that is shown unless the user asks for another, as an index into `choices`. Of the
// complete ones, else of all, those that list layers, else all; of these the ones that measure,
// else all; of these the last. So a build that failed or was cut does not hide the engine before
// it.
std::size_t default_choice(const std::vector<LogRun>& runs, const std::vector<RunChoice>& choices);

}  // namespace planex::ingest::tensorrt
