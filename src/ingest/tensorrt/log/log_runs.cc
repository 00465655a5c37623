#include "ingest/tensorrt/log/log_runs.h"

#include <algorithm>
#include <array>

#include "ingest/tensorrt/log/layer_block.h"
#include "ingest/tensorrt/log/log_lines.h"
#include "ingest/tensorrt/log/log_message.h"

namespace planex::ingest::tensorrt {
namespace {

struct FoundLine {
  std::size_t begin = 0;
  LogLine line;
};

// The line around `at`, if its text, behind any prefix, begins there.
std::optional<FoundLine> line_from(std::string_view text, std::size_t at) {
  // Longer than any prefix, so that a file without line ends is not walked again and again.
  constexpr std::size_t kLongestPrefix = 64;
  std::size_t begin = at;
  while (begin > 0 && text[begin - 1] != '\n') {
    if (at - begin >= kLongestPrefix) return std::nullopt;
    --begin;
  }
  FoundLine found{begin, parse_log_line(line_at(text, begin))};
  if (found.line.text.data() != text.data() + at) return std::nullopt;
  return found;
}

// The steps that a build takes. The first may show in several lines, or in none.
enum class Step : std::uint8_t { kStart, kOptimize, kDone };
struct StepMark {
  std::string_view text;
  Step step;
  bool is_verbose = false;
};
constexpr std::array<StepMark, 6> kStepMarks = {
    {{"Input filename:", Step::kStart},
     {"ONNX IR version:", Step::kStart},
     {"Adding network input: ", Step::kStart, true},
     {"[MemUsageChange] Init builder kernel library", Step::kStart},
     {"Original: ", Step::kOptimize, true},
     // Once for each version of the engine that the builder tries.
     {"Engine generation completed in ", Step::kDone}}};

// Walks the steps in a text, in order. Each mark is looked for once, whatever the others do.
class Steps {
 public:
  Steps(std::string_view text, std::size_t from) : text_(text) {
    for (std::size_t i = 0; i < kStepMarks.size(); ++i) find(i, from);
  }

  struct Found {
    Step step;
    std::size_t line_begin = 0;
  };
  std::optional<Found> next() {
    for (;;) {
      const auto first =
          static_cast<std::size_t>(std::ranges::min_element(places_) - places_.begin());
      const std::size_t at = places_[first];
      if (at == text_.npos) return std::nullopt;
      const StepMark& mark = kStepMarks[first];
      find(first, at + mark.text.size());
      const auto found = line_from(text_, at);
      if (!found || (mark.is_verbose && found->line.severity != LogSeverity::kVerbose)) continue;
      return Found{mark.step, found->begin};
    }
  }

 private:
  void find(std::size_t mark, std::size_t from) {
    places_[mark] = text_.find(kStepMarks[mark].text, from);
  }

  std::string_view text_;
  std::array<std::size_t, kStepMarks.size()> places_{};
};

// Ends the last run at `begin` and starts the next one there.
void start_run(std::string_view text, std::size_t begin, std::vector<LogRun>& runs) {
  LogRun& last = runs.back();
  LogRun next{.begin = begin, .end = last.end};
  last.end = begin;
  const auto lines = std::count(text.begin() + static_cast<std::ptrdiff_t>(last.begin),
                                text.begin() + static_cast<std::ptrdiff_t>(last.end), '\n');
  next.first_line = last.first_line + static_cast<std::size_t>(lines);
  runs.push_back(next);
}

// Whether the log ends within the list of the layers of this run, its last.
bool ends_in_layers(std::string_view text, const LogRun& run) {
  for (const std::string_view heading : {kLayers, kEngineLayers}) {
    const std::size_t at = text.rfind(heading);
    if (at == text.npos || at < run.begin) continue;
    auto found = line_from(text, at);
    if (!found) continue;
    found->line.byte_offset = found->begin;
    LayerBlock block;
    if (find_layer_block(text, found->line, block) && !block.complete) return true;
  }
  return false;
}

// A script's log: each build after the first starts where the last one was under way or done.
void split_builds(std::string_view text, std::vector<LogRun>& runs) {
  runs.back().is_script = true;
  Steps steps(text, runs.back().begin);
  bool was_optimized = false;
  while (const auto found = steps.next()) {
    const bool is_done = runs.back().outcome == BannerWord::kPassed;
    if (found->step != Step::kDone && (was_optimized || is_done)) {
      start_run(text, found->line_begin, runs);
      runs.back().is_script = true;
      was_optimized = false;
    }
    if (found->step == Step::kOptimize) was_optimized = true;
    if (found->step == Step::kDone) runs.back().outcome = BannerWord::kPassed;
  }
  if (runs.size() > 1 && ends_in_layers(text, runs.back())) runs.back().outcome = BannerWord::kNone;
}

bool contains(std::string_view text, const LogRun& run, std::string_view part) {
  return text.substr(run.begin, run.end - run.begin).find(part) != text.npos;
}

bool has_performance(std::string_view text, const LogRun& run) {
  return contains(text, run, "=== Performance summary ===") || contains(text, run, "=== Profile (");
}

// A line "Layers:", whatever its prefix, or "Engine Layer Information:".
bool lists_layers(std::string_view text, const LogRun& run) {
  const std::string_view lines = text.substr(run.begin, run.end - run.begin);
  for (std::size_t at = lines.find(kLayers); at != lines.npos; at = lines.find(kLayers, at + 1)) {
    if (at == 0 || lines[at - 1] == ' ' || lines[at - 1] == '\n') return true;
  }
  return contains(text, run, kEngineLayers);
}

int worth(std::string_view text, const LogRun& run) {
  return (run.outcome == BannerWord::kPassed ? 4 : 0) + (lists_layers(text, run) ? 2 : 0) +
         (has_performance(text, run) ? 1 : 0);
}

std::string_view file_name(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  return slash == path.npos ? path : path.substr(slash + 1);
}

}  // namespace

std::vector<LogRun> find_runs(std::string_view text) {
  std::vector<LogRun> runs = {LogRun{.end = text.size()}};
  for (std::size_t at = text.find(kBannerStart); at != text.npos;
       at = text.find(kBannerStart, at)) {
    const auto found = line_from(text, at);
    const auto banner = found ? parse_banner(found->line.text) : std::nullopt;
    at += kBannerStart.size();
    if (!banner) continue;
    if (banner->word != BannerWord::kRunning) {
      runs.back().outcome = banner->word;
      // A log whose head is missing still names the command in its last line.
      if (runs.back().opening.command.empty()) {
        runs.back().opening = *banner;
        runs.back().opening.word = BannerWord::kNone;
      }
      continue;
    }
    const bool first = runs.size() == 1 && runs.back().opening.command.empty() &&
                       runs.back().opening.word == BannerWord::kNone;
    if (!first) start_run(text, found->begin, runs);
    runs.back().opening = *banner;
  }
  const bool has_banner = runs.size() > 1 || !runs.front().opening.program.empty() ||
                          runs.front().opening.word != BannerWord::kNone;
  if (!has_banner) split_builds(text, runs);
  return runs;
}

RunChoice choose_run(std::string_view text, const std::vector<LogRun>& runs) {
  RunChoice choice;
  if (runs.size() == 1) return choice;
  int best = -1;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const int value = worth(text, runs[i]);
    if (value < best) continue;
    best = value;
    choice.main = i;
  }
  const auto passed = [&](std::size_t i) { return runs[i].outcome == BannerWord::kPassed; };
  // Where the best run saved its engine and a later one loads and times it, the two are one.
  const std::string_view saved =
      file_name(option_value(runs[choice.main].opening.command, "saveEngine"));
  if (!saved.empty() && passed(choice.main) && !has_performance(text, runs[choice.main])) {
    for (std::size_t i = runs.size(); i-- > choice.main + 1;) {
      if (passed(i) && file_name(option_value(runs[i].opening.command, "loadEngine")) == saved &&
          has_performance(text, runs[i])) {
        choice.build = choice.main;
        choice.main = i;
        return choice;
      }
    }
  }
  const std::string_view loaded =
      file_name(option_value(runs[choice.main].opening.command, "loadEngine"));
  for (std::size_t i = choice.main; !loaded.empty() && i-- > 0;) {
    if (passed(i) && file_name(option_value(runs[i].opening.command, "saveEngine")) == loaded) {
      choice.build = i;
      break;
    }
  }
  return choice;
}

}  // namespace planex::ingest::tensorrt
