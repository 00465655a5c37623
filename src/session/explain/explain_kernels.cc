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
  return take(
      {.document = {render::kernels_document(), explanation, model},
       .rows =
           [&] {
             return record::rows_of(render::kernel_rows(explanation), render::kernel_row_fields(),
                                    model);
           },
       .markdown =
           [&] { return render::explain_kernels_markdown(model, explanation, request.all); },
       .text =
           [&](const render::TableStyle& style) {
             return render::explain_kernels_text(model, explanation, request.all, style);
           }});
}

}  // namespace planex::session
