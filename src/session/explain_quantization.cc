#include "session/explain_quantization.h"

#include "analyze/explain/quantization.h"
#include "render/fields/quantization.h"
#include "render/json/record_json.h"
#include "render/record_table.h"
#include "render/text/explain_quantization_text.h"
#include "session/format.h"

namespace planex::session {

Result<std::string> explain_quantization(const EngineToExplain& engine,
                                         const ExplainRequest& request, const View& view) {
  const model::PlanModel& model = engine.model;
  const auto explanation = analyze::explain_quantization(model, engine.summary.time);
  return write(
      {.json =
           [&] {
             return render::json_document(render::quantization_document(), explanation, model);
           },
       .table =
           [&] {
             return render::table_of(explanation.rows, render::quantization_row_fields(), model);
           },
       .markdown = [&] { return render::explain_quantization_markdown(model, explanation); },
       .text =
           [&](const render::TableStyle& style) {
             return render::explain_quantization_text(model, explanation, request.all, style);
           }},
      view);
}

}  // namespace planex::session
