#include "session/explain/explain_reformats.h"

#include "analyze/reformats/reformats.h"
#include "render/fields/reformats.h"
#include "render/text/explain_reformats_text.h"
#include "session/answer/format.h"

namespace planex::session {

Result<void> explain_reformats(const EngineToExplain& engine, const ExplainRequest& request,
                               const Take& take) {
  const model::PlanModel& model = engine.model;
  const auto explanation = analyze::explain_reformats(model, engine.summary.time);
  return take(
      {.document = {render::reformats_document(), explanation, model},
       .rows =
           [&] { return record::rows_of(explanation.rows, render::reformat_row_fields(), model); },
       .screen =
           [&](const render::ScreenSize& size) {
             return render::reformats_screen(model, explanation, size);
           },
       .all = request.all});
}

}  // namespace planex::session
