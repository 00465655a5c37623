// The runs of trtexec in one log file, or the builds of one script, and which of them is shown.
//
// A log describes one engine after another if trtexec ran more than once, which its banners show,
// or if a script builds several, which the first steps of each build show; a script may also build
// an engine and let trtexec load it, again and again. Without banners, a second summary or table of
// layer times belongs to another run, as in pasted output of two runs. Either way the parts of the
// log are runs, and everything shown comes from one of them: options, memory, performance, layers,
// profile. Only if one run loads what another has built, both describe the engine.
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
  // Its word is kNone if no banner opens the run: a script's log, or one whose beginning is
  // missing.
  Banner opening;
  // kNone without a closing banner; a script's build that made its engine has passed.
  BannerWord outcome = BannerWord::kNone;
  bool is_script = false;
  bool builds = false;  // it contains the signs of a build in a script's log
  // Its contents; only set if there are several runs.
  bool lists_layers = false, measures = false;
};

// At least one. What precedes the first banner, or the first build, belongs to the first run; what
// is between two banners belongs to the run before, unless a script builds an engine there.
// Cost: O(size).
std::vector<LogRun> find_runs(std::string_view text);

// A choice of what to show from a log: a run, and the run that built what it loads, if that is in
// the log too.
struct RunChoice {
  std::size_t main = 0;
  std::optional<std::size_t> build;
};

// All choices, by their main runs: every run except the builds of a script that a later run loads,
// which are shown with that run. A script does not say where it saves an engine: trtexec is assumed
// to load what was last built before it, if that was one engine and trtexec has loaded no other
// since. `runs` is not empty, nor is the result.
std::vector<RunChoice> run_choices(const std::vector<LogRun>& runs);

// The one that is shown by default, as an index into `choices`. Of the complete ones, otherwise of
// all, those that list layers, otherwise all; of these the ones that measure, otherwise all; of
// these the last. So a build that failed or was truncated does not hide the engine before it.
std::size_t default_choice(const std::vector<LogRun>& runs, const std::vector<RunChoice>& choices);

}  // namespace planex::ingest::tensorrt
