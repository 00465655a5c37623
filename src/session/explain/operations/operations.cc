#include "analyze/compare/compare.h"
#include "model/data_table.h"
#include "render/fields/tables.h"
#include "render/markdown/table_markdown.h"
#include "render/tables/compare_tables.h"
#include "render/text/compare_ledger.h"
#include "render/text/table_text.h"
#include "session/answer/format.h"
#include "session/explain/topic.h"

namespace planex::session::operations_topic {
namespace {

using render::JsonStyle;
using render::ledger_table;
using render::ledger_text;
using render::markdown_table;
using render::TableDocument;
using render::TableStyle;

const TableDocument& operations_document() {
  static const TableDocument kDocument = render::document_of_table(
      "planex.explain-operations/1",
      "Time by operation of the source model: planex explain operations --format json",
      "ExplainOperations", "Time by operation of the source model.");
  return kDocument;
}

Result<void> explain(const EngineToExplain& engine, const ExplainRequest& request,
                     const Take& take) {
  // A comparison with only one engine: the same figures, the same words.
  const analyze::EngineToCompare alone[] = {
      {std::string(engine.model.text(engine.model.engine.name[0])),
       &engine.model,
       &engine.summary,
       {}}};
  const analyze::Comparison comparison = analyze::compare(alone, {});
  const model::DataTable table = ledger_table(comparison);
  return take({.document = {operations_document(), table},
               .style = JsonStyle::kCompact,
               .rows = [&] { return table; },
               .markdown = [&] { return markdown_table(table); },
               .text =
                   [&](const TableStyle& style) {
                     return ledger_text(comparison, {.all = request.all}, style);
                   }});
}

constexpr Topic kTopic = {.name = "operations",
                          .summary = "time per operation of the model",
                          .document = [] { return record::DocumentInfo(operations_document()); },
                          .is_table = true,
                          .explain = explain};

}  // namespace
}  // namespace planex::session::operations_topic

PLANEX_TOPIC(operations)
