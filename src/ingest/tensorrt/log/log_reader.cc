#include "ingest/tensorrt/log/log_reader.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "base/try.h"
#include "ingest/shown_run.h"
#include "ingest/tensorrt/log/layer_lines.h"
#include "ingest/tensorrt/log/line_filter.h"
#include "ingest/tensorrt/log/log_lines.h"
#include "ingest/tensorrt/log/log_numbers.h"
#include "ingest/tensorrt/log/log_runs.h"
#include "ingest/tensorrt/log/parser_lines.h"
#include "ingest/tensorrt/log/report_lines.h"
#include "ingest/tensorrt/log/run_table.h"
#include "ingest/tensorrt/log/tactic_lines.h"
#include "ingest/tensorrt/log/tuning_lines.h"

namespace planex::ingest::tensorrt {
namespace {

// The run that is shown by default: in a search over build routes, the one that it calls the best.
std::size_t shown_choice(std::string_view text, const std::vector<LogRun>& runs,
                         const std::vector<RunChoice>& choices) {
  const bool is_search = std::ranges::any_of(
      runs, [](const LogRun& run) { return searches_routes(run.opening.command); });
  if (is_search) {
    const std::string_view best = best_route(text);
    for (std::size_t i = 0; i < choices.size() && !best.empty(); ++i) {
      if (build_route_of(runs[choices[i].main].opening.command) == best) return i;
    }
  }
  return default_choice(runs, choices);
}

// Passes the lines of a run to the readers that need them.
class Dispatch {
 public:
  Dispatch(const Artefact& artefact, model::ModelBuilder& builder)
      : artefact_(artefact),
        layers_(artefact, builder),
        parser_(artefact, builder),
        tactics_(builder) {}

  void read(const LogRun& run, ReportLines& report) {
    LogLines lines(artefact_.bytes->view(), run.begin, run.end, run.first_line);
    LineFilter filter;
    LogLine line;
    while (lines.next(line)) {
      tactics_.look_at(line);
      report.look_at(line);
      const LineUsers users = filter.users_of(line, parser_.waits_for_ports());
      // A reader in the middle of a multi-line item gets bare lines first.
      if (users.layers && layers_.take(line)) {
        filter.layers_took_it();
        continue;
      }
      if (users.parser && parser_.take(line)) continue;
      if (users.report) report.take(line);
    }
  }

  // `has_names`: the reader of the rest of the log knows layers by name.
  Result<void> finish(bool has_names) {
    PLANEX_TRY(parser_.finish());
    PLANEX_TRY(layers_.finish(has_names));
    tactics_.finish();
    return {};
  }

 private:
  const Artefact& artefact_;
  LayerLines layers_;
  ParserLines parser_;
  TacticLines tactics_;
};

}  // namespace

std::vector<LoggedRun> logged_runs(std::string_view text) {
  constexpr std::array<std::string_view, 4> kModelOptions = {"onnx", "uff", "deploy", "model"};
  std::vector<LoggedRun> runs;
  for (const LogRun& run : find_runs(text)) {
    const std::string_view command = run.opening.command;
    if (command.empty()) continue;
    LoggedRun& logged = runs.emplace_back();
    logged.written = exported_files(command);
    logged.saved_engine = option_value(command, "saveEngine");
    logged.loaded_engine = option_value(command, "loadEngine");
    logged.version = banner_version(run.opening.version_digits);
    logged.builds = logged.loaded_engine.empty() &&
                    std::ranges::any_of(kModelOptions, [&](std::string_view option) {
                      return has_option(command, option);
                    });
    logged.measures = !has_option(command, "skipInference") && !has_option(command, "buildOnly");
    logged.has_failed = run.outcome == BannerWord::kFailed;
  }
  return runs;
}

MeasuredRuns measured_runs(std::string_view text) {
  const std::vector<LogRun> runs = find_runs(text);
  const std::vector<RunChoice> choices = run_choices(runs);
  MeasuredRuns measured{.runs = {}, .shown = shown_choice(text, runs, choices)};
  for (const RunChoice& choice : choices) {
    const LogRun& run = runs[choice.main];
    measured.runs.push_back({.exports_profile = has_option(run.opening.command, "exportProfile"),
                             .exports_times = has_option(run.opening.command, "exportTimes"),
                             .median_ms = real_of(figures_of(text, run).median_ms)});
  }
  return measured;
}

Result<void> read_log(const Artefact& artefact, model::ModelBuilder& builder) {
  builder.keep(artefact.bytes);
  const std::string_view text = artefact.bytes->view();
  const std::vector<LogRun> runs = find_runs(text);
  const std::vector<RunChoice> choices = run_choices(runs);
  const std::size_t shown = artefact.run ? static_cast<std::size_t>(*artefact.run - 1)
                                         : shown_choice(text, runs, choices);
  if (shown >= choices.size()) return fail(no_such_run(choices.size(), artefact));
  const RunChoice& choice = choices[shown];
  add_runs(runs, choices, shown, artefact, builder);
  add_tuning(text, runs, artefact, builder);

  Dispatch dispatch(artefact, builder);
  std::optional<ReportLines> build;
  if (choice.build) {
    build.emplace(artefact, builder, runs[*choice.build], ReportLines::Scope::kBuild);
    dispatch.read(runs[*choice.build], *build);
  }
  ReportLines report(
      artefact, builder, runs[choice.main],
      artefact.is_build_only ? ReportLines::Scope::kBuild : ReportLines::Scope::kWholeRun);
  dispatch.read(runs[choice.main], report);
  PLANEX_TRY(dispatch.finish(report.has_layer_names() || (build && build->has_layer_names())));
  std::size_t facts = build ? build->finish() : 0;
  facts += report.finish();

  // The layers' reader counts its own records if there are any.
  model::Int& records = builder.model().files.record_count;
  if (records.is_null(artefact.file_row)) {
    records.set(artefact.file_row, static_cast<std::int64_t>(facts));
  }
  return {};
}

}  // namespace planex::ingest::tensorrt
