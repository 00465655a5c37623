#include "session/explain_precision.h"

#include "analyze/explain/precision.h"
#include "render/json/explain_precision_json.h"
#include "render/text/explain_precision_text.h"
#include "session/format.h"

namespace planex::session {

Result<std::string> explain_precision(const EngineToExplain& engine, const ExplainRequest& request,
                                      const View& view) {
  const model::PlanModel& model = engine.model;
  const auto explanation = analyze::explain_precision(model, engine.summary.time);
  return write({.json = [&] { return render::explain_precision_json(model, explanation); },
                .table = [&] { return render::explain_precision_table(model, explanation); },
                .markdown = [&] { return render::explain_precision_markdown(model, explanation); },
                .text =
                    [&](const render::TableStyle& style) {
                      return render::explain_precision_text(model, explanation, request.all, style);
                    }},
               view);
}

}  // namespace planex::session
