#include "session/explain/explain_operations.h"

#include "analyze/compare/compare.h"
#include "render/fields/tables.h"
#include "render/markdown/table_markdown.h"
#include "render/tables/compare_tables.h"
#include "render/text/compare_ledger.h"
#include "session/answer/format.h"

namespace planex::session {

Result<void> explain_operations(const EngineToExplain& engine, const ExplainRequest& request,
                                const Take& take) {
  // A comparison with only one engine: the same figures, the same words.
  const analyze::EngineToCompare alone[] = {
      {std::string(engine.model.text(engine.model.engine.name[0])),
       &engine.model,
       &engine.summary,
       {}}};
  const analyze::Comparison comparison = analyze::compare(alone, {});
  const model::DataTable table = render::ledger_table(comparison);
  return take({.document = {render::table_document("planex.explain-operations/1"), table},
               .style = render::JsonStyle::kCompact,
               .rows = [&] { return table; },
               .markdown = [&] { return render::markdown_table(table); },
               .text =
                   [&](const render::TableStyle& style) {
                     return render::ledger_text(comparison, {.all = request.all}, style);
                   }});
}

}  // namespace planex::session
