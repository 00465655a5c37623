#include "session/explain_memory.h"

#include "analyze/explain/memory_timeline.h"
#include "render/json/explain_memory_json.h"
#include "render/text/explain_memory_text.h"
#include "session/format.h"

namespace planex::session {

Result<std::string> explain_memory(const EngineToExplain& engine, const ExplainRequest& request,
                                   const View& view) {
  const analyze::MemoryTimeline timeline =
      analyze::memory_timeline(engine.model, engine.summary.memory);
  const auto detail = request.all ? render::MemoryDetail::kAll : render::MemoryDetail::kMax;
  return write(
      {.json = [&] { return render::explain_memory_json(engine.model, timeline); },
       .table = [&] { return render::explain_memory_table(engine.model, timeline); },
       .markdown = [&] { return render::explain_memory_markdown(engine.model, timeline, detail); },
       .text =
           [&](const render::TableStyle& style) {
             return render::explain_memory_text(engine.model, timeline, detail, style);
           }},
      view);
}

}  // namespace planex::session
