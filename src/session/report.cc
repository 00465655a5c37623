#include "session/report.h"

#include <deque>

#include "analyze/explain/blocks.h"
#include "analyze/explain/memory_film.h"
#include "analyze/explain/precision.h"
#include "analyze/explain/reformats.h"
#include "base/try.h"
#include "graph/hierarchy.h"
#include "graph/plan_graph.h"
#include "render/html/report_html.h"
#include "session/explain_speed.h"

namespace planex::session {
namespace {

Result<render::EngineAnalyses> analyses_of(const EngineToReport& engine) {
  const analyze::Reconciliation& time = engine.summary.time;
  const graph::PlanGraph graph = graph::build_plan_graph(engine.model, {});
  const graph::GroupTree tree = graph::build_groups(engine.model, graph);
  PLANEX_ASSIGN(analyze::SpeedOfLight speed, speed_of({engine.model, engine.summary}, {}));
  return render::EngineAnalyses{
      .memory = analyze::memory_film(engine.model, engine.summary.memory),
      .precision = analyze::explain_precision(engine.model, time),
      .reformats = analyze::explain_reformats(engine.model, time),
      .speed = std::move(speed),
      .blocks = analyze::find_blocks(engine.model, graph, tree, time),
  };
}

}  // namespace

Result<std::string> report(const std::vector<EngineToReport>& engines,
                           const analyze::Comparison* comparison, Format format) {
  std::deque<render::EngineAnalyses> analyses;
  std::vector<render::ReportEngine> parts;
  for (const EngineToReport& engine : engines) {
    PLANEX_ASSIGN(render::EngineAnalyses made, analyses_of(engine));
    analyses.push_back(std::move(made));
    parts.push_back({engine.label, &engine.model, &engine.summary, &engine.lint, &analyses.back()});
  }
  switch (format) {
    case Format::kText:
      return render::report_html(parts, comparison);
    case Format::kJson:
      return render::report_json(parts, comparison) + "\n";
    default:
      return fail(ErrorCode::kUsage, "report has no such format; it has html and json");
  }
}

}  // namespace planex::session
