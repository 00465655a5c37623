#include "ingest/tensorrt/log/run_table.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/text.h"
#include "ingest/shown_run.h"
#include "ingest/tensorrt/log/log_lines.h"
#include "ingest/tensorrt/log/log_numbers.h"
#include "ingest/tensorrt/log/section_lines.h"
#include "ingest/tensorrt/log/tuning_lines.h"

namespace planex::ingest::tensorrt {
namespace {

using base::format;

// Limit for the runs of one log that are listed. A log of a search over options has hundreds.
constexpr std::size_t kMaxListedRuns = 200;

std::string_view outcome_of(const LogRun& run) {
  switch (run.outcome) {
    case BannerWord::kPassed:
      return "passed";
    case BannerWord::kFailed:
      return "failed";
    default:
      return "not finished";
  }
}

// "x: 1x3": from "Created input binding for x with dimensions 1x3" and "Input binding for x with
// dimensions 1x3 is created."
std::string input_of(std::string_view text) {
  if (!take_start(text, "Created input binding for ") && !take_start(text, "Input binding for ")) {
    return {};
  }
  constexpr std::string_view kWith = " with dimensions ";
  const std::size_t with = text.rfind(kWith);
  if (with == text.npos) return {};
  return format("{}: {}", text.substr(0, with), number_word(text.substr(with + kWith.size())));
}

// The member at `index` of "[1, 2, null]".
std::string member_of(std::string_view list, std::size_t index) {
  if (list.starts_with('[')) list.remove_prefix(1);
  for (; index > 0; --index) {
    const std::size_t comma = list.find(", ");
    if (comma == list.npos) return {};
    list.remove_prefix(comma + 2);
  }
  const std::string_view member = list.substr(0, list.find_first_of(",]"));
  return real_of(member) ? std::string(member) : std::string();
}

}  // namespace

RunFigures figures_of(std::string_view text, const LogRun& run) {
  RunFigures figures;
  SectionLines sections;
  LogLines lines(text, run.begin, run.end, run.first_line);
  LogLine line;
  while (lines.next(line)) {
    if (line.severity != LogSeverity::kInfo) {
      // Verbose text ends a section.
      if (line.text.starts_with("=== ")) sections.take(line);
      continue;
    }
    if (const std::string input = input_of(line.text); !input.empty()) {
      figures.shapes += format("{}{}", figures.shapes.empty() ? "" : ", ", input);
      continue;
    }
    sections.take(line);
  }
  sections.close();
  const std::string_view command = run.opening.command;
  if (figures.shapes.empty()) {
    const std::string_view batch = option_value(command, "batch");
    figures.shapes =
        batch.empty() ? std::string(option_value(command, "shapes")) : format("batch {}", batch);
  }
  constexpr std::size_t kMedian = 3;  // [min, max, mean, median, ...]
  // The time that a summary shows as end to end.
  for (const std::string_view key : {"GPU Compute Time", "Latency"}) {
    if (!figures.median_ms.empty()) break;
    figures.median_ms = member_of(sections.value(kPerformanceSection, key), kMedian);
  }
  const std::string_view throughput = sections.value(kPerformanceSection, "Throughput");
  const auto queries = real_of(throughput);
  if (queries) figures.throughput = throughput;
  // With an implicit batch trtexec counts the items.
  const auto items = count_of(option_value(command, "batch"));
  if (queries && items && *items > 1) {
    figures.throughput = format("{:.6g}", *queries / static_cast<double>(*items));
  }
  return figures;
}

void add_runs(const std::vector<LogRun>& runs, const std::vector<RunChoice>& choices,
              std::size_t shown, const Artefact& artefact, model::ModelBuilder& builder) {
  if (choices.size() < 2) return;
  const std::string_view text = artefact.bytes->view();
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (i >= kMaxListedRuns && i != shown) continue;
    const LogRun& run = runs[choices[i].main];
    const RunFigures figures = figures_of(text, run);
    const std::string section = format("run {}", i + 1);
    const auto add = [&](std::string_view key, std::string_view value) {
      if (!value.empty()) builder.add_metadata(section, key, value, artefact.path);
    };
    add("line", format("{}", run.first_line));
    if (i == shown) add("shown", "yes");
    if (choices[i].build) add("build line", format("{}", runs[*choices[i].build].first_line));
    const std::string_view command = run.opening.command;
    add("command", command);
    const std::string_view loaded = option_value(command, "loadEngine");
    add("engine", loaded.empty() ? option_value(command, "saveEngine") : loaded);
    // For a pasted table it is unknown how its run ended.
    if (!run.is_script || run.builds) add("outcome", outcome_of(run));
    add("shapes", figures.shapes);
    add("median ms", figures.median_ms);
    add("throughput", figures.throughput);
  }
  const RunChoice& choice = choices[shown];
  ShownRun said{.count = choices.size(),
                .shown = shown,
                .first_line = runs[choice.main].first_line,
                .begin = runs[choice.main].begin};
  if (choice.build) {
    const LogRun& build = runs[*choice.build];
    said.with = build.is_script
                    ? format(", with the engine that a script built before it, from line {} on",
                             build.first_line)
                    : format(", with the engine that line {} built", build.first_line);
  }
  const std::string_view best = best_route(text);
  if (!best.empty() && build_route_of(runs[choice.main].opening.command) == best) {
    said.why = "the route that the search calls the best";
  }
  report_shown_run(said, artefact, builder);
}

}  // namespace planex::ingest::tensorrt
