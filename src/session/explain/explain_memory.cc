#include "session/explain/explain_memory.h"

#include "analyze/explain/memory_timeline.h"
#include "render/fields/memory.h"
#include "render/text/explain_memory_text.h"
#include "session/answer/format.h"

namespace planex::session {

Result<void> explain_memory(const EngineToExplain& engine, const ExplainRequest& request,
                            const Take& take) {
  const analyze::MemoryTimeline timeline =
      analyze::memory_timeline(engine.model, engine.summary.memory);
  return take({.document = {render::memory_document(), timeline, engine.model},
               // Compact: a timeline has one or two numbers per layer.
               .style = render::JsonStyle::kCompact,
               .rows =
                   [&] {
                     return record::rows_of(timeline.frames, render::memory_frame_fields(),
                                            engine.model);
                   },
               .screen =
                   [&](const render::ScreenSize& size) {
                     return render::memory_screen(engine.model, timeline, size);
                   },
               .all = request.all});
}

}  // namespace planex::session
