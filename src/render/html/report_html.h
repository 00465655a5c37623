// The report: one self-contained page. The template is built from web/; this fills in the data
// (docs/reference/report-data.md).
#ifndef PLANEX_RENDER_HTML_REPORT_HTML_H_
#define PLANEX_RENDER_HTML_REPORT_HTML_H_

#include <span>
#include <string>

#include "analyze/compare.h"
#include "analyze/explain/blocks.h"
#include "analyze/explain/memory_film.h"
#include "analyze/explain/precision.h"
#include "analyze/explain/reformats.h"
#include "analyze/explain/speed.h"
#include "analyze/summary.h"
#include "lint/run.h"
#include "model/plan_model.h"
#include "planex/error.h"

namespace planex::render {

// What the views show beside the tables: the figures of `planex explain`.
struct EngineAnalyses {
  analyze::MemoryFilm memory;
  analyze::PrecisionExplanation precision;
  analyze::ReformatExplanation reformats;
  analyze::SpeedOfLight speed;
  analyze::Blocks blocks;
};

struct ReportEngine {
  // How the engine is called beside others; short and unique.
  std::string label;
  const model::PlanModel* model = nullptr;
  const analyze::Summary* summary = nullptr;
  const lint::LintReport* lint = nullptr;
  const EngineAnalyses* analyses = nullptr;
};

// The data as JSON: planex.report/1. `comparison` may be null.
std::string report_json(std::span<const ReportEngine> engines,
                        const analyze::Comparison* comparison);

// The page. Errors: kInternal where the embedded template or the compression fails.
Result<std::string> report_html(std::span<const ReportEngine> engines,
                                const analyze::Comparison* comparison);

}  // namespace planex::render

#endif  // PLANEX_RENDER_HTML_REPORT_HTML_H_
