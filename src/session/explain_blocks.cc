#include "session/explain_blocks.h"

#include "analyze/explain/blocks.h"
#include "graph/hierarchy.h"
#include "graph/plan_graph.h"
#include "render/json/explain_blocks_json.h"
#include "render/text/explain_blocks_text.h"
#include "session/format.h"

namespace planex::session {

Result<std::string> explain_blocks(const EngineToExplain& engine, const ExplainRequest& request,
                                   const View& view) {
  const graph::PlanGraph graph = graph::build_plan_graph(engine.model, {});
  const graph::GroupTree tree = graph::build_groups(engine.model, graph);
  const analyze::Blocks blocks =
      analyze::find_blocks(engine.model, graph, tree, engine.summary.time);
  const auto detail = request.all ? render::BlocksDetail::kAll : render::BlocksDetail::kMax;
  return write(
      {.json = [&] { return render::explain_blocks_json(engine.model, blocks); },
       .table = [&] { return render::explain_blocks_table(engine.model, blocks); },
       .markdown = [&] { return render::explain_blocks_markdown(engine.model, blocks, detail); },
       .text =
           [&](const render::TableStyle& style) {
             return render::explain_blocks_text(engine.model, blocks, detail, style);
           }},
      view);
}

}  // namespace planex::session
