#include "session/explain/explain_kernels.h"

#include "analyze/explain/kernels.h"
#include "render/fields/kernels.h"
#include "render/text/explain_kernels_text.h"
#include "session/answer/format.h"

namespace planex::session {

Result<void> explain_kernels(const EngineToExplain& engine, const ExplainRequest& request,
                             const Take& take) {
  const model::PlanModel& model = engine.model;
  const auto explanation = analyze::explain_kernels(model, engine.summary.time);
  return take({.document = {render::kernels_document(), explanation, model},
               .rows =
                   [&] {
                     return record::rows_of(render::kernel_rows(explanation),
                                            render::kernel_row_fields(), model);
                   },
               .screen =
                   [&](const render::ScreenSize& size) {
                     return render::kernels_screen(model, explanation, size);
                   },
               .all = request.all});
}

}  // namespace planex::session
