#include "session/explain_precision.h"

#include "analyze/explain/precision.h"
#include "render/csv/table_csv.h"
#include "render/json/explain_precision_json.h"
#include "render/text/explain_precision_text.h"

namespace planex::session {

Result<std::string> explain_precision(const EngineToExplain& engine, const ExplainRequest& request,
                                      const View& view) {
  const model::PlanModel& model = engine.model;
  const auto explanation = analyze::explain_precision(model, engine.summary.time);
  switch (view.format) {
    case Format::kJson:
      return render::explain_precision_json(model, explanation);
    case Format::kCsv:
      return render::csv_table(render::explain_precision_table(model, explanation));
    case Format::kMarkdown:
      return render::explain_precision_markdown(model, explanation);
    default:
      break;
  }
  return render::explain_precision_text(
      model, explanation, request.all,
      {.width = view.width, .color = view.color, .wide = view.wide});
}

}  // namespace planex::session
