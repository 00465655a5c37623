#include "ingest/tensorrt/log/log_runs.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "ingest/tensorrt/log/layer_block.h"
#include "ingest/tensorrt/log/log_banner.h"
#include "ingest/tensorrt/log/log_lines.h"
#include "ingest/tensorrt/log/log_message.h"
#include "ingest/tensorrt/log/profile_table.h"
#include "ingest/tensorrt/log/tuning_lines.h"

namespace planex::ingest::tensorrt {
namespace {

constexpr std::string_view kSummaryHead = "=== Performance summary ===";
constexpr std::string_view kProfileHead = "=== Profile (";
constexpr std::string_view kThroughputKey = "Throughput: ";

struct FoundLine {
  std::size_t begin = 0;
  LogLine line;
};

// The line around `at`, if its text, after any prefix, begins there.
std::optional<FoundLine> line_from(std::string_view text, std::size_t at) {
  // Longer than any prefix, so that a file without line ends is not scanned again and again.
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

// What a line of a script's log says about its builds.
enum class RunMark : std::uint8_t {
  kNone,
  kStart,     // may occur on several lines of a build, or on none
  kOptimize,  // once in each build
  kDone,      // once for each version of the engine that the builder tries
  kLayers,
  kSummary,
  kThroughput,  // in each summary, also if pasted without its heading
  kProfile,
  kProfileHeader  // in each table of layer times, also if pasted without its heading
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
      if (text.starts_with(kLayers)) return RunMark::kLayers;
      return !is_verbose && is_profile_header(text) ? RunMark::kProfileHeader : RunMark::kNone;
    case 'O':
      if (is_verbose && text.starts_with("Original: ")) return RunMark::kOptimize;
      return text.starts_with("ONNX IR version:") ? RunMark::kStart : RunMark::kNone;
    case '=':
      if (text.starts_with(kSummaryHead)) return RunMark::kSummary;
      return text.starts_with(kProfileHead) ? RunMark::kProfile : RunMark::kNone;
    case '[':
      if (text.starts_with("[MemUsageChange] Init builder kernel library")) return RunMark::kStart;
      return text.starts_with("[MemUsageChange] TensorRT-managed allocation in building engine")
                 ? RunMark::kDone
                 : RunMark::kNone;
    case 'T':
      if (!is_verbose && text.starts_with(kThroughputKey)) return RunMark::kThroughput;
      [[fallthrough]];
    case ' ':
      return !is_verbose && is_profile_header(text) ? RunMark::kProfileHeader : RunMark::kNone;
    default:
      return RunMark::kNone;
  }
}

// One run prints one summary and then one table of layer times: a second one belongs to another
// run, as when people paste the output of two engines.
class Measurements {
 public:
  // Whether the mark begins the measurements of another run.
  bool begins_another(RunMark mark) {
    switch (mark) {
      case RunMark::kSummary:
        return open_summary(true);
      case RunMark::kThroughput:
        return std::exchange(awaits_throughput_, false) ? false : open_summary(false);
      case RunMark::kProfile:
        return open_table(true);
      case RunMark::kProfileHeader:
        return std::exchange(awaits_header_, false) ? false : open_table(false);
      default:
        return false;
    }
  }

 private:
  bool open_summary(bool has_heading) {
    const bool is_another = has_summary_ || has_table_;
    *this = {};
    has_summary_ = true;
    awaits_throughput_ = has_heading;
    return is_another;
  }
  bool open_table(bool has_heading) {
    const bool is_another = has_table_;
    if (is_another) *this = {};
    has_table_ = true;
    awaits_header_ = has_heading;
    return is_another;
  }

  bool has_summary_ = false, has_table_ = false;
  bool awaits_throughput_ = false, awaits_header_ = false;
};

// Whether the log ends within the list of layers of this run, its last one.
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

// The builds of a script in [begin, end) of a log: each after the first starts where the previous
// one was under way or done, or where something is measured again. At least one.
std::vector<LogRun> split_builds(std::string_view text, std::size_t begin, std::size_t end,
                                 std::size_t first_line) {
  std::vector<LogRun> runs;
  runs.push_back({.begin = begin, .end = end, .first_line = first_line, .is_script = true});
  LogLines lines(text, begin, end, first_line);
  LogLine line;
  bool was_optimized = false;
  Measurements measurements;
  const auto begin_run = [&] {
    const auto next = static_cast<std::size_t>(line.byte_offset);
    runs.back().end = next;
    runs.push_back({.begin = next, .end = end, .first_line = line.number, .is_script = true});
    was_optimized = false;
  };
  while (lines.next(line)) {
    const RunMark mark = mark_of(line);
    if (measurements.begins_another(mark)) begin_run();
    switch (mark) {
      case RunMark::kNone:
        break;
      case RunMark::kStart:
      case RunMark::kOptimize:
        if (was_optimized || runs.back().outcome == BannerWord::kPassed) {
          begin_run();
          measurements = {};
        }
        was_optimized = was_optimized || mark == RunMark::kOptimize;
        runs.back().builds = true;
        break;
      case RunMark::kDone:
        runs.back().outcome = BannerWord::kPassed;
        runs.back().builds = true;
        break;
      case RunMark::kLayers:
        runs.back().lists_layers = true;
        break;
      case RunMark::kSummary:
      case RunMark::kThroughput:
      case RunMark::kProfile:
      case RunMark::kProfileHeader:
        runs.back().measures = true;
        break;
    }
  }
  return runs;
}

// Contents of trtexec runs are only worth a search if there are several.
void find_contents(std::string_view text, LogRun& run) {
  const std::string_view lines = text.substr(run.begin, run.end - run.begin);
  const auto has = [&](std::string_view part) { return lines.find(part) != lines.npos; };
  run.measures = has(kSummaryHead) || has(kProfileHead);
  run.lists_layers = has(kEngineLayers);
  for (std::size_t at = lines.find(kLayers); at != lines.npos && !run.lists_layers;
       at = lines.find(kLayers, at + 1)) {
    run.lists_layers = at == 0 || lines[at - 1] == ' ' || lines[at - 1] == '\n';
  }
}

bool has_passed(const LogRun& run) { return run.outcome == BannerWord::kPassed; }

// Processes the banners of a log, from top to bottom.
class RunFinder {
 public:
  explicit RunFinder(std::string_view text) : text_(text), runs_{LogRun{.end = text.size()}} {}

  // `begin`: the start of the banner's line.
  void take(const Banner& banner, std::size_t begin) {
    if (banner.word != BannerWord::kRunning) {
      close(banner, begin);
      return;
    }
    const bool is_first = runs_.size() == 1 && runs_.back().opening.program.empty();
    if (is_first || closed_at_ != kNotClosed) {
      add_builds(closed_at_ == kNotClosed ? 0 : closed_at_, begin);
    }
    closed_at_ = kNotClosed;
    const bool is_whole_log =
        runs_.size() == 1 && runs_.back().opening.program.empty() && !runs_.back().is_script;
    if (!is_whole_log) add_run({.begin = begin, .end = text_.size(), .first_line = line_of(begin)});
    runs_.back().opening = banner;
  }

  std::vector<LogRun> finish() {
    const bool has_banner = runs_.size() > 1 || !runs_.front().opening.program.empty();
    if (!has_banner) {
      runs_ = split_builds(text_, 0, text_.size(), 1);
      if (runs_.size() > 1 && ends_in_layers(text_, runs_.back())) {
        runs_.back().outcome = BannerWord::kNone;
      }
      return std::move(runs_);
    }
    if (closed_at_ != kNotClosed) add_builds(closed_at_, text_.size());
    if (runs_.size() > 1) {
      for (LogRun& run : runs_) {
        if (!run.is_script) find_contents(text_, run);
      }
    }
    return std::move(runs_);
  }

 private:
  static constexpr std::size_t kNotClosed = std::string_view::npos;

  void close(const Banner& banner, std::size_t begin) {
    runs_.back().outcome = banner.word;
    closed_at_ = next_line(text_, begin);
    // A log whose beginning is missing still has the command in its last line.
    if (runs_.back().opening.program.empty()) {
      runs_.back().opening = banner;
      runs_.back().opening.word = BannerWord::kNone;
    }
  }

  // The builds of a script between two runs of trtexec, or before the first.
  void add_builds(std::size_t begin, std::size_t end) {
    std::vector<LogRun> runs = split_builds(text_, begin, end, line_of(begin));
    if (std::ranges::none_of(runs, &LogRun::builds)) return;
    if (begin == 0) {
      runs_ = std::move(runs);
      return;
    }
    runs_.back().end = begin;
    for (const LogRun& run : runs) runs_.push_back(run);
  }

  void add_run(const LogRun& run) {
    runs_.back().end = run.begin;
    runs_.push_back(run);
  }

  // Positions in ascending order.
  std::size_t line_of(std::size_t begin) {
    line_ += static_cast<std::size_t>(
        std::count(text_.begin() + static_cast<std::ptrdiff_t>(counted_to_),
                   text_.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
    counted_to_ = begin;
    return line_;
  }

  std::string_view text_;
  std::vector<LogRun> runs_;
  // Where the line after the last closing banner begins.
  std::size_t closed_at_ = kNotClosed;
  std::size_t counted_to_ = 0, line_ = 1;
};

// The run that built the engine that each run loads.
std::vector<std::optional<std::size_t>> find_builds(const std::vector<LogRun>& runs) {
  std::vector<std::optional<std::size_t>> builds(runs.size());
  // What a script has built since trtexec last ran, and what trtexec has loaded since.
  std::optional<std::size_t> script_build;
  std::size_t script_build_count = 0;
  std::string_view script_engine;
  std::unordered_map<std::string_view, std::size_t> saved_by;  // by the engine's file
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].is_script) {
      if (i > 0 && !runs[i - 1].is_script) script_build_count = 0;
      script_engine = {};
      if (!has_passed(runs[i])) continue;
      script_build = i;
      ++script_build_count;
      continue;
    }
    const std::string_view command = runs[i].opening.command;
    const std::string_view loaded = file_name(option_value(command, "loadEngine"));
    const std::string_view saved = file_name(option_value(command, "saveEngine"));
    const bool is_script_engine = script_engine.empty() || script_engine == loaded;
    if (const auto found = saved_by.find(loaded); !loaded.empty() && found != saved_by.end()) {
      builds[i] = found->second;
    } else if (!loaded.empty() && script_build_count == 1 && is_script_engine) {
      builds[i] = script_build;
      script_engine = loaded;
    }
    if (!saved.empty() && has_passed(runs[i])) saved_by[saved] = i;
  }
  return builds;
}

}  // namespace

std::vector<LogRun> find_runs(std::string_view text) {
  RunFinder finder(text);
  for (std::size_t at = text.find(kBannerStart); at != text.npos;
       at = text.find(kBannerStart, at)) {
    const auto found = line_from(text, at);
    const auto banner = found ? parse_banner(found->line.text) : std::nullopt;
    at += kBannerStart.size();
    if (banner) finder.take(*banner, found->begin);
  }
  return finder.finish();
}

std::vector<RunChoice> run_choices(const std::vector<LogRun>& runs) {
  const std::vector<std::optional<std::size_t>> builds = find_builds(runs);
  std::vector<bool> is_loaded_build(runs.size(), false);
  for (const std::optional<std::size_t>& build : builds) {
    if (build && runs[*build].is_script) is_loaded_build[*build] = true;
  }
  std::vector<RunChoice> choices;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    // A search over build routes measures in the runs that it starts.
    const bool starts_others = searches_routes(runs[i].opening.command) && i + 1 < runs.size() &&
                               !build_route_of(runs[i + 1].opening.command).empty();
    if (!is_loaded_build[i] && !starts_others) choices.push_back({i, builds[i]});
  }
  return choices;
}

std::size_t default_choice(const std::vector<LogRun>& runs, const std::vector<RunChoice>& choices) {
  const auto worth = [&](const RunChoice& choice) {
    const LogRun& run = runs[choice.main];
    const bool lists_layers =
        run.lists_layers || (choice.build && runs[*choice.build].lists_layers);
    return (has_passed(run) ? 4 : 0) + (lists_layers ? 2 : 0) + (run.measures ? 1 : 0);
  };
  std::size_t best = 0;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (worth(choices[i]) >= worth(choices[best])) best = i;
  }
  return best;
}

}  // namespace planex::ingest::tensorrt
