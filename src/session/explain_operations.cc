#include "session/explain_operations.h"

#include "analyze/compare.h"
#include "render/compare/tables.h"
#include "render/csv/table_csv.h"
#include "render/json/table_json.h"
#include "render/markdown/table_markdown.h"
#include "render/text/compare_ledger.h"

namespace planex::session {

Result<std::string> explain_operations(const EngineToExplain& engine, const ExplainRequest& request,
                                       const View& view) {
  // A comparison of one engine with none: the same figures, the same words.
  const analyze::EngineToCompare alone[] = {
      {std::string(engine.model.text(engine.model.engine.name[0])),
       &engine.model,
       &engine.summary,
       {}}};
  const analyze::Comparison comparison = analyze::compare(alone, {});
  switch (view.format) {
    case Format::kJson:
      return render::json_table(render::ledger_table(comparison), "planex.explain-operations/1");
    case Format::kCsv:
      return render::csv_table(render::ledger_table(comparison));
    case Format::kMarkdown:
      return render::markdown_table(render::ledger_table(comparison));
    default:
      break;
  }
  return render::ledger_text(comparison, {.all = request.all},
                             {.width = view.width, .color = view.color, .wide = view.wide});
}

}  // namespace planex::session
