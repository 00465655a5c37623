#include "session/explain/explain_precision.h"

#include "analyze/explain/precision.h"
#include "render/fields/precision.h"
#include "render/text/explain_precision_text.h"
#include "session/answer/format.h"

namespace planex::session {

Result<void> explain_precision(const EngineToExplain& engine, const ExplainRequest& request,
                               const Take& take) {
  const model::PlanModel& model = engine.model;
  const auto explanation = analyze::explain_precision(model, engine.summary.time);
  return take({.document = {render::precision_document(), explanation, model},
               .rows =
                   [&] {
                     return record::rows_of(render::precision_rows(model, explanation),
                                            render::precision_row_fields(), model);
                   },
               .screen =
                   [&](const render::ScreenSize& size) {
                     return render::precision_screen(model, explanation, size);
                   },
               .all = request.all});
}

}  // namespace planex::session
