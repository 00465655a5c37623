#include "session/report/report.h"

#include <deque>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyze/explain/accuracy.h"
#include "analyze/explain/blocks.h"
#include "analyze/explain/memory_timeline.h"
#include "analyze/explain/pointwise.h"
#include "analyze/explain/precision.h"
#include "analyze/explain/tactics.h"
#include "analyze/explain/timing.h"
#include "analyze/explain/windows.h"
#include "analyze/reformats/reformats.h"
#include "base/files.h"
#include "base/parallel.h"
#include "base/text.h"
#include "base/try.h"
#include "graph/hierarchy.h"
#include "graph/plan_graph.h"
#include "ingest/optimize_record.h"
#include "render/html/report_html.h"
#include "render/json/json_writer.h"
#include "render/json/plan_json.h"
#include "session/lint/lint.h"
#include "session/machine/engine_speed.h"
#include "session/open/engine.h"
#include "session/open/optimized.h"
#include "session/report/report_origin.h"
#include "session/report/solved_elsewhere.h"
#include "session/verbs/requests.h"

namespace planex::session {
namespace {

Result<render::EngineAnalyses> analyses_of(const EngineToReport& engine,
                                           const ExplainRequest& speed_request) {
  const analyze::Reconciliation& time = engine.summary.time;
  const graph::PlanGraph graph = graph::build_plan_graph(engine.model, {});
  const graph::GroupTree tree = graph::build_groups(engine.model, graph);
  PLANEX_ASSIGN(analyze::SpeedOfLight speed, speed_of(engine.model, engine.summary, speed_request));
  return render::EngineAnalyses{
      .timing = analyze::explain_timing(engine.model, engine.summary),
      .memory = analyze::memory_timeline(engine.model, engine.summary.memory),
      .precision = analyze::explain_precision(engine.model, time),
      .reformats = analyze::explain_reformats(engine.model, time),
      .speed = std::move(speed),
      .blocks = analyze::find_blocks(engine.model, graph, tree, time),
      .pointwise = analyze::explain_pointwise(engine.model, time),
      .windows = analyze::convolution_windows(engine.model),
      .tactics = analyze::has_tactics(engine.model)
                     ? std::optional(analyze::explain_tactics(engine.model))
                     : std::nullopt,
      .accuracy = analyze::has_accuracy(engine.model)
                      ? std::optional(analyze::explain_accuracy(engine.model))
                      : std::nullopt,
  };
}

// The command that makes the report again, as far as a command line can express it.
std::string command_of(const std::vector<EngineToReport>& engines, const analyze::Sweep* sweep,
                       const ReportRequest& request) {
  std::string line = "planex report";
  const auto word = [&](std::string_view text) {
    line += ' ';
    line += base::shell_word(text);
  };
  if (sweep != nullptr) word(sweep->folder);
  for (const EngineToReport& engine : engines) {
    if (sweep != nullptr) break;
    // Files without a path get a placeholder.
    word(engine.request.path.empty() ? "PLAN" : plan_word(engine.request.path));
  }
  ReportRequest said = request;
  for (const Option& option : options_of(said)) {
    // Waivers expire; without them the day does not matter.
    const bool is_idle = option.name == "today" && !request.lint.waivers;
    if (option.how.for_programs || is_idle) continue;
    for (const std::string& value : values_of(option)) {
      word(base::format("--{}", option.name));
      if (!std::holds_alternative<bool*>(option.member)) word(value);
    }
  }
  return line + " -o report.html";
}

// The folders of the engines, and of the files that the request names, on this machine.
std::vector<std::string> named_folders(const std::vector<EngineToReport>& engines,
                                       const ReportRequest& request) {
  std::set<std::string> folders;
  const auto add = [&](std::string_view path) {
    while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
    const std::string_view folder = base::folder_of(path);
    // A relative path does not show where it is, and "/run" has nothing to hide.
    if (folder.starts_with('/') && folder.size() > 1) folders.insert(std::string(folder) + "/");
  };
  for (const EngineToReport& engine : engines) {
    const ingest::LoadRequest& load = engine.request;
    add(load.path);
    for (const auto* file : {&load.graph, &load.profile, &load.times, &load.metadata, &load.log,
                             &load.nsight, &load.source_model, &load.accuracy}) {
      if (*file) add(**file);
    }
  }
  ReportRequest said = request;
  for (const Option& option : options_of(said)) {
    if (!names_file(option)) continue;
    for (const std::string& file : values_of(option)) add(file);
  }
  return {folders.begin(), folders.end()};
}

// Empty: none was named.
Result<std::string> named_record(const std::optional<std::string>& path) {
  if (!path) return std::string();
  PLANEX_ASSIGN(ingest::OptimizeRecord record, read_record(*path, base::disk()));
  return std::move(record.json);
}

// The file as it was read.
render::CarriedFile carried_file(std::string name, const std::string& path) {
  return {std::move(name), [path](const render::DocumentSink& write) -> Result<void> {
            PLANEX_ASSIGN(const auto bytes, base::disk().read(path));
            return write(bytes->view());
          }};
}

// What the page's core makes the report from again.
render::CarriedRequest carried_request(const std::vector<EngineToReport>& engines,
                                       const ReportRequest& request, const std::string& optimize,
                                       const std::vector<std::string>& hidden_folders) {
  // In a folder of its own, apart from files that are dropped on the page.
  constexpr std::string_view kFolder = "this-report";
  render::CarriedRequest carried;
  for (const EngineToReport& engine : engines) {
    const std::string name = base::format("{}/{}/plan.json", kFolder, carried.engines.size());
    carried.engines.push_back({{"path", name}, {"name", engine.label}});
    carried.files.push_back(
        {name, [&model = engine.model, &hidden_folders](const render::DocumentSink& write) {
           return render::write_plan(model, write, hidden_folders);
         }});
  }
  const auto add_file = [&](std::string_view option, const std::optional<std::string>& path) {
    if (!path) return;
    const std::string name = base::format("{}/{}.json", kFolder, option);
    carried.report.emplace_back(option, name);
    carried.files.push_back(carried_file(name, *path));
  };
  add_file("rules-file", request.lint.rules_file);
  add_file("waivers", request.lint.waivers);
  add_file("baseline", request.lint.baseline);
  add_file("devices", request.speed.devices);
  if (!optimize.empty()) {
    const std::string name = base::format("{}/optimize.json", kFolder);
    carried.report.emplace_back("optimize", name);
    carried.files.push_back({name, [&](const render::DocumentSink& write) {
                               render::JsonWriter json;
                               json.hide_folders(hidden_folders);
                               json.raw(optimize);
                               return write(json.take());
                             }});
  }
  if (request.speed.device) carried.report.emplace_back("device", *request.speed.device);
  // Only waivers depend on the date: a report without them is the same every day.
  if (request.lint.waivers && !request.lint.today.empty()) {
    carried.report.emplace_back("today", request.lint.today);
  }
  return carried;
}

}  // namespace

Result<std::string> report(const std::vector<EngineToReport>& engines,
                           const ComparedEngines* compared, const analyze::Sweep* sweep,
                           const ReportRequest& request) {
  if (request.is_overview && request.format != Format::kJson) {
    return fail(ErrorCode::kUsage, "an overview is available only as data, in the format json");
  }
  // Their addresses are kept.
  std::deque<render::EngineAnalyses> analyses;
  std::deque<render::EngineOrigin> origins;
  std::deque<lint::LintReport> chosen;
  std::vector<render::ReportEngine> parts;
  for (const EngineToReport& engine : engines) {
    if (request.is_overview) {
      origins.push_back({.path = engine.request.path});
      analyses.push_back(
          {.is_complete = false, .timing = analyze::explain_timing(engine.model, engine.summary)});
    } else {
      Result<render::EngineAnalyses> made = render::EngineAnalyses{};
      std::vector<render::GraphOfView> graphs;
      // The graphs of an engine with 100 000 layers take as long as all of its analyses.
      base::run_both(
          [&] {
            // Files are read once more for their hashes: first, while little else is in memory.
            origins.push_back(origin_of(engine.model, engine.request, engine.files));
            made = analyses_of(engine, request.speed);
          },
          [&] { graphs = render::graphs_of_views(engine.model); });
      if (!made) return fail(std::move(made).error());
      made->graphs = std::move(graphs);
      analyses.push_back(std::move(*made));
    }
    PLANEX_ASSIGN(std::optional<lint::LintReport> asked_for,
                  chosen_report(engine.model, engine.judgements, request.lint));
    const lint::LintReport* lint = &engine.lint;
    if (asked_for) lint = &chosen.emplace_back(std::move(*asked_for));
    parts.push_back({.label = engine.label,
                     .model = &engine.model,
                     .summary = &engine.summary,
                     .lint = lint,
                     .analyses = &analyses.back(),
                     .origin = &origins.back()});
  }
  render::ReportComparison comparison;
  if (compared != nullptr) {
    comparison = {&compared->comparison, compared->engine_pairs};
    std::vector<const lint::LintReport*> reports;
    for (const render::ReportEngine& part : parts) reports.push_back(part.lint);
    auto elsewhere = solved_elsewhere(compared->comparison, reports);
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i].elsewhere = std::move(elsewhere[i]);
  }
  const std::vector<std::string> hidden_folders =
      request.no_paths ? named_folders(engines, request) : std::vector<std::string>{};
  PLANEX_ASSIGN(const std::string optimize, named_record(request.optimize));
  const render::CarriedRequest carried =
      carried_request(engines, request, optimize, hidden_folders);
  const render::ReportParts all{.engines = parts,
                                .comparison = compared != nullptr ? &comparison : nullptr,
                                .sweep = sweep,
                                .optimize = optimize,
                                .command = command_of(engines, sweep, request),
                                .hidden_folders = hidden_folders,
                                .carried = request.is_light ? nullptr : &carried};
  switch (request.format) {
    case Format::kText:
      return render::report_html(all);
    case Format::kJson:
      return render::report_json(all) + "\n";
    default:
      return fail(ErrorCode::kUsage, "report has no such format; it has html and json");
  }
}

}  // namespace planex::session
