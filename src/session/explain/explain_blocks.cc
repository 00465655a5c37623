#include "session/explain/explain_blocks.h"

#include "analyze/explain/blocks.h"
#include "graph/hierarchy.h"
#include "graph/plan_graph.h"
#include "render/fields/blocks.h"
#include "render/text/explain_blocks_text.h"
#include "session/answer/format.h"

namespace planex::session {

Result<void> explain_blocks(const EngineToExplain& engine, const ExplainRequest& request,
                            const Take& take) {
  const graph::PlanGraph graph = graph::build_plan_graph(engine.model, {});
  const graph::GroupTree tree = graph::build_groups(engine.model, graph);
  const analyze::Blocks blocks =
      analyze::find_blocks(engine.model, graph, tree, engine.summary.time);
  return take({.document = {render::blocks_document(), blocks, engine.model},
               .rows =
                   [&] {
                     return record::rows_of(render::block_rows(engine.model, blocks),
                                            render::block_row_fields());
                   },
               .screen =
                   [&](const render::ScreenSize& size) {
                     return render::blocks_screen(engine.model, blocks, size);
                   },
               .all = request.all});
}

}  // namespace planex::session
