#include "ingest/tensorrt/log/tuning_lines.h"

#include <algorithm>

#include "base/text.h"
#include "ingest/tensorrt/log/log_banner.h"
#include "ingest/tensorrt/log/log_numbers.h"

namespace planex::ingest::tensorrt {
namespace {

using base::format;

constexpr std::string_view kTask = "&&&& TASK_BEGIN [iter=";

std::string_view rest_of_line(std::string_view text, std::size_t at) {
  return base::trimmed(text.substr(at, text.find('\n', at) - at));
}

// The value of an option whose value contains blanks: up to the next option.
std::string_view spaced_value(std::string_view command, std::string_view option) {
  const std::size_t at = command.find(option);
  if (at == command.npos) return {};
  const std::string_view value = command.substr(at + option.size());
  return base::trimmed(value.substr(0, value.find(" --")));
}

// What follows `label` in the last such line.
std::string_view last_line_of(std::string_view text, std::string_view label) {
  const std::size_t at = text.rfind(label);
  return at == text.npos ? std::string_view() : rest_of_line(text, at + label.size());
}

}  // namespace

std::string_view build_route_of(std::string_view command) {
  return spaced_value(command, "--setBuildRoute=");
}

bool searches_routes(std::string_view command) {
  return command.find(" --tuneBuildRoute") != std::string_view::npos;
}

std::string_view best_route(std::string_view text) {
  const std::string_view best = last_line_of(text, "Best iteration: ");
  return base::trimmed(best.substr(0, best.find(" (gpu_time_ms=")));
}

void add_tuning(std::string_view text, const std::vector<LogRun>& runs, const Artefact& artefact,
                model::ModelBuilder& builder) {
  const auto add = [&](std::string_view section, std::string_view key, std::string_view value) {
    if (!value.empty()) builder.add_metadata(section, key, value, artefact.path);
  };
  const auto searching = std::ranges::find_if(
      runs, [](const LogRun& run) { return searches_routes(run.opening.command); });
  if (searching == runs.end()) return;
  const std::string_view command = searching->opening.command;
  add("tuning log", "command", command);
  add("tuning log", "expression", spaced_value(command, "--tuneBuildRoutes="));
  add("tuning log", "search", option_value(command, "tuningSearch"));
  add("tuning log", "model", option_value(command, "onnx"));
  add("tuning log", "routes",
      number_word(last_line_of(text, "] Expanded to ").empty()
                      ? last_line_of(text, "Expanded to ")
                      : last_line_of(text, "] Expanded to ")));
  add("tuning log", "best route", best_route(text));
  constexpr std::size_t kMaxTasks = 100'000;
  std::size_t count = 0;
  for (std::size_t at = text.find(kTask); at != text.npos && ++count <= kMaxTasks;) {
    const std::size_t next = text.find(kTask, at + kTask.size());
    const std::string_view task = text.substr(at, next - at);
    const auto iteration = count_of(task.substr(kTask.size(), task.find(']') - kTask.size()));
    at = next;
    if (!iteration) continue;
    const std::string section = format("tuning log iteration {}", *iteration);
    const std::string_view head = task.substr(0, task.find('\n'));
    const std::size_t open = head.find('\''), close = head.rfind('\'');
    if (open != head.npos && close > open) {
      add(section, "route", head.substr(open + 1, close - open - 1));
    }
    add(section, "mean gpu ms",
        word_after(last_line_of(task, "[I] GPU Compute Time: "), "mean = "));
    const bool has_failed = task.find("&&&& FAILED") != task.npos;
    if (has_failed) add(section, "crashed", "yes");
    if (has_failed) add(section, "error", last_line_of(task, "] [E] "));
  }
}

}  // namespace planex::ingest::tensorrt
