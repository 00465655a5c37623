#include "ingest/tensorrt/log/log_runs.h"

#include <algorithm>
#include <array>

#include "ingest/tensorrt/log/layer_block.h"
#include "ingest/tensorrt/log/log_lines.h"
#include "ingest/tensorrt/log/log_message.h"

namespace planex::ingest::tensorrt {
namespace {

constexpr std::string_view kSummary = "=== Performance summary ===";
constexpr std::string_view kProfile = "=== Profile (";

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

// What a line of a script's log tells of the builds in it.
enum class RunMark : std::uint8_t {
  kNone,
  kStart,     // may show in several lines of a build, or in none
  kOptimize,  // once in each build
  kDone,      // once for each version of the engine that the builder tries
  kLayers,
  kMeasure
};

RunMark mark_of(const LogLine& line) {
  const std::string_view text = line.text;
  const bool is_verbose = line.severity == LogSeverity::kVerbose;
  switch (text.empty() ? ' ' : text.front()) {
    case 'A':
      return is_verbose && text.starts_with("Adding network input: ") ? RunMark::kStart
                                                                      : RunMark::kNone;
    case 'E':
      if (text.starts_with("Engine generation completed in ")) return RunMark::kDone;
      return text.starts_with(kEngineLayers) ? RunMark::kLayers : RunMark::kNone;
    case 'I':
      return text.starts_with("Input filename:") ? RunMark::kStart : RunMark::kNone;
    case 'L':
      return text.starts_with(kLayers) ? RunMark::kLayers : RunMark::kNone;
    case 'O':
      if (is_verbose && text.starts_with("Original: ")) return RunMark::kOptimize;
      return text.starts_with("ONNX IR version:") ? RunMark::kStart : RunMark::kNone;
    case '=':
      return text.starts_with(kSummary) || text.starts_with(kProfile) ? RunMark::kMeasure
                                                                      : RunMark::kNone;
    case '[':
      return text.starts_with("[MemUsageChange] Init builder kernel library") ? RunMark::kStart
                                                                              : RunMark::kNone;
    default:
      return RunMark::kNone;
  }
}

// Whether the log ends within the list of the layers of this run, its last.
bool ends_in_layers(std::string_view text, const LogRun& run) {
  for (const std::string_view heading : {kLayers, kEngineLayers}) {
    const std::size_t at = text.substr(run.begin).rfind(heading);
    if (at == text.npos) continue;
    auto found = line_from(text, run.begin + at);
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
  LogLines lines(text);
  LogLine line;
  bool was_optimized = false;
  while (lines.next(line)) {
    const RunMark mark = mark_of(line);
    switch (mark) {
      case RunMark::kNone:
        break;
      case RunMark::kStart:
      case RunMark::kOptimize:
        if (was_optimized || runs.back().outcome == BannerWord::kPassed) {
          const auto begin = static_cast<std::size_t>(line.byte_offset);
          runs.back().end = begin;
          runs.push_back(
              {.begin = begin, .end = text.size(), .first_line = line.number, .is_script = true});
          was_optimized = false;
        }
        was_optimized = was_optimized || mark == RunMark::kOptimize;
        break;
      case RunMark::kDone:
        runs.back().outcome = BannerWord::kPassed;
        break;
      case RunMark::kLayers:
        runs.back().lists_layers = true;
        break;
      case RunMark::kMeasure:
        runs.back().measures = true;
        break;
    }
  }
  if (runs.size() > 1 && ends_in_layers(text, runs.back())) runs.back().outcome = BannerWord::kNone;
}

// What runs of trtexec have is only worth a search where there are several.
void find_contents(std::string_view text, LogRun& run) {
  const std::string_view lines = text.substr(run.begin, run.end - run.begin);
  const auto has = [&](std::string_view part) { return lines.find(part) != lines.npos; };
  run.measures = has(kSummary) || has(kProfile);
  run.lists_layers = has(kEngineLayers);
  for (std::size_t at = lines.find(kLayers); at != lines.npos && !run.lists_layers;
       at = lines.find(kLayers, at + 1)) {
    run.lists_layers = at == 0 || lines[at - 1] == ' ' || lines[at - 1] == '\n';
  }
}

int worth(const LogRun& run) {
  return (run.outcome == BannerWord::kPassed ? 4 : 0) + (run.lists_layers ? 2 : 0) +
         (run.measures ? 1 : 0);
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
    if (!first) {
      runs.back().end = found->begin;
      const LogRun& last = runs.back();
      const auto lines = std::count(text.begin() + static_cast<std::ptrdiff_t>(last.begin),
                                    text.begin() + static_cast<std::ptrdiff_t>(last.end), '\n');
      runs.push_back({.begin = found->begin,
                      .end = text.size(),
                      .first_line = last.first_line + static_cast<std::size_t>(lines)});
    }
    runs.back().opening = *banner;
  }
  const bool has_banner = runs.size() > 1 || !runs.front().opening.program.empty() ||
                          runs.front().opening.word != BannerWord::kNone;
  if (!has_banner) {
    split_builds(text, runs);
  } else if (runs.size() > 1) {
    for (LogRun& run : runs) find_contents(text, run);
  }
  return runs;
}

RunChoice choose_run(const std::vector<LogRun>& runs) {
  RunChoice choice;
  if (runs.size() == 1) return choice;
  int best = -1;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const int value = worth(runs[i]);
    if (value < best) continue;
    best = value;
    choice.main = i;
  }
  const auto passed = [&](std::size_t i) { return runs[i].outcome == BannerWord::kPassed; };
  // Where the best run saved its engine and a later one loads and times it, the two are one.
  const std::string_view saved =
      file_name(option_value(runs[choice.main].opening.command, "saveEngine"));
  if (!saved.empty() && passed(choice.main) && !runs[choice.main].measures) {
    for (std::size_t i = runs.size(); i-- > choice.main + 1;) {
      if (passed(i) && file_name(option_value(runs[i].opening.command, "loadEngine")) == saved &&
          runs[i].measures) {
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
