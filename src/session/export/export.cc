#include "session/export/export.h"

#include <algorithm>
#include <vector>

#include "analyze/explain/memory_timeline.h"
#include "analyze/timing/kernel_timeline.h"
#include "analyze/timing/timeline.h"
#include "base/text.h"
#include "base/try.h"
#include "render/json/plan_json.h"
#include "render/tables/model_tables.h"
#include "render/trace/trace_json.h"
#include "session/export/export_graph.h"
#include "session/export/export_workbook.h"

namespace planex::session {

using base::format;

Failure no_such_table(std::string_view name) {
  const std::vector<std::string_view> names = render::table_choices();
  const auto near = base::nearest(name, names);
  return fail(ErrorCode::kUsage, format("there is no table {}", base::quoted(name)),
              near ? format("did you mean {}?", *near)
                   : format("the tables are {}", base::join_words(names)));
}

namespace {

using analyze::TimeBasis;

Result<void> export_table(std::span<const EngineToExport> engines, const ExportRequest& request,
                          const DocumentSink& write) {
  const auto choice = render::find_table_choice(request.table);
  if (!choice) return no_such_table(request.table);
  std::vector<render::LabelledModel> models;
  for (const EngineToExport& engine : engines) models.push_back({engine.label, &engine.model});
  return request.format == ExportFormat::kCsv ? render::write_csv(models, *choice, write)
                                              : render::write_json_lines(models, *choice, write);
}

// Errors: kUsage: not every layer with a time has a time of that kind.
Result<TimeBasis> basis_of(const EngineToExport& engine, ExportTime time) {
  const TimeBasis best = engine.summary.time.basis;
  if (best == TimeBasis::kNone || time == ExportTime::kBest) return best;
  if (time == ExportTime::kMedian && best != TimeBasis::kMedian) {
    return fail(ErrorCode::kUsage, "not all layers of this engine have a median time",
                "use --basis mean");
  }
  return time == ExportTime::kMedian ? TimeBasis::kMedian : TimeBasis::kMean;
}

Result<void> export_trace(std::span<const EngineToExport> engines, const ExportRequest& request,
                          const DocumentSink& write) {
  const bool has_times = std::ranges::any_of(engines, [](const EngineToExport& engine) {
    return engine.summary.time.basis != TimeBasis::kNone;
  });
  if (!has_times) {
    return fail(ErrorCode::kUsage, "no layer has a time, so there is no time axis",
                "planex doctor PLAN says how to get the times");
  }
  std::vector<render::TraceEngine> traces;
  for (const EngineToExport& engine : engines) {
    PLANEX_ASSIGN(const TimeBasis basis, basis_of(engine, request.time));
    traces.push_back({.label = engine.label,
                      .model = &engine.model,
                      .timeline = analyze::timeline_of(engine.model, basis),
                      .memory = analyze::memory_timeline(engine.model, engine.summary.memory),
                      .kernels = analyze::kernel_timeline_of(engine.model)});
  }
  return render::write_trace(traces, write);
}

}  // namespace

Result<void> export_as(std::span<const EngineToExport> engines,
                       const std::function<analyze::Comparison()>& compare,
                       const ExportRequest& request, const DocumentSink& write) {
  switch (request.format) {
    case ExportFormat::kCsv:
    case ExportFormat::kJsonLines:
      return export_table(engines, request, write);
    case ExportFormat::kTrace:
      return export_trace(engines, request, write);
    case ExportFormat::kXlsx:
      return export_workbook(engines, compare(), write);
    default:
      break;
  }
  if (engines.size() > 1) {
    return fail(ErrorCode::kUsage, "this format supports one engine only",
                "csv, jsonl, xlsx and trace support several");
  }
  const EngineToExport& engine = engines.front();
  if (request.format == ExportFormat::kPlan) return render::write_plan(engine.model, write);
  PLANEX_ASSIGN(const TimeBasis basis, basis_of(engine, request.time));
  return request.format == ExportFormat::kOnnx ? export_onnx(engine, request, basis, write)
                                               : export_node_data(engine, request, basis, write);
}

}  // namespace planex::session

namespace planex {

std::vector<std::string> export_tables() {
  const std::vector<std::string_view> names = render::table_choices();
  return {names.begin(), names.end()};
}

}  // namespace planex
