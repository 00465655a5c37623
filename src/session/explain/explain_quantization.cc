#include "session/explain/explain_quantization.h"

#include "analyze/quantization/quantization.h"
#include "render/fields/quantization.h"
#include "render/text/explain_quantization_text.h"
#include "session/answer/format.h"

namespace planex::session {

Result<void> explain_quantization(const EngineToExplain& engine, const ExplainRequest& request,
                                  const Take& take) {
  const model::PlanModel& model = engine.model;
  const auto explanation = analyze::explain_quantization(model, engine.summary.time);
  return take({.document = {render::quantization_document(), explanation, model},
               .rows =
                   [&] {
                     return record::rows_of(explanation.rows, render::quantization_row_fields(),
                                            model);
                   },
               .screen =
                   [&](const render::ScreenSize& size) {
                     return render::quantization_screen(model, explanation, size);
                   },
               .all = request.all});
}

}  // namespace planex::session
