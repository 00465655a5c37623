#include "session/explain_operations.h"

#include "analyze/compare.h"
#include "render/compare/tables.h"
#include "render/fields/tables.h"
#include "render/json/record_json.h"
#include "render/markdown/table_markdown.h"
#include "render/text/compare_ledger.h"
#include "session/format.h"

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
  const auto table = [&] { return render::ledger_table(comparison); };
  return write({.json =
                    [&] {
                      return render::json_document(
                          render::table_document("planex.explain-operations/1"), table(), {},
                          render::JsonStyle::kCompact);
                    },
                .table = table,
                .markdown = [&] { return render::markdown_table(table()); },
                .text =
                    [&](const render::TableStyle& style) {
                      return render::ledger_text(comparison, {.all = request.all}, style);
                    }},
               view);
}

}  // namespace planex::session
