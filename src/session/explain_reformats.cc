#include "session/explain_reformats.h"

#include "analyze/explain/reformats.h"
#include "render/json/explain_reformats_json.h"
#include "render/text/explain_reformats_text.h"
#include "session/format.h"

namespace planex::session {

Result<std::string> explain_reformats(const EngineToExplain& engine, const ExplainRequest& request,
                                      const View& view) {
  const model::PlanModel& model = engine.model;
  const auto explanation = analyze::explain_reformats(model, engine.summary.time);
  return write({.json = [&] { return render::explain_reformats_json(model, explanation); },
                .table = [&] { return render::explain_reformats_table(model, explanation); },
                .markdown = [&] { return render::explain_reformats_markdown(model, explanation); },
                .text =
                    [&](const render::TableStyle& style) {
                      return render::explain_reformats_text(model, explanation, request.all, style);
                    }},
               view);
}

}  // namespace planex::session
