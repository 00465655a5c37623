#include "session/explain_reformats.h"

#include "analyze/explain/reformats.h"
#include "render/csv/table_csv.h"
#include "render/json/explain_reformats_json.h"
#include "render/text/explain_reformats_text.h"

namespace planex::session {

Result<std::string> explain_reformats(const EngineToExplain& engine, const ExplainRequest& request,
                                      const View& view) {
  const model::PlanModel& model = engine.model;
  const auto explanation = analyze::explain_reformats(model, engine.summary.time);
  switch (view.format) {
    case Format::kJson:
      return render::explain_reformats_json(model, explanation);
    case Format::kCsv:
      return render::csv_table(render::explain_reformats_table(model, explanation));
    case Format::kMarkdown:
      return render::explain_reformats_markdown(model, explanation);
    default:
      break;
  }
  return render::explain_reformats_text(
      model, explanation, request.all,
      {.width = view.width, .color = view.color, .wide = view.wide});
}

}  // namespace planex::session
