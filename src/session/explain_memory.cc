#include "session/explain_memory.h"

#include "analyze/explain/memory_film.h"
#include "render/json/explain_memory_json.h"
#include "render/text/explain_memory_text.h"
#include "session/format.h"

namespace planex::session {

Result<std::string> explain_memory(const EngineToExplain& engine, const ExplainRequest& request,
                                   const View& view) {
  const analyze::MemoryFilm film = analyze::memory_film(engine.model, engine.summary.memory);
  const auto detail = request.all ? render::MemoryDetail::kAll : render::MemoryDetail::kMost;
  return write(
      {.json = [&] { return render::explain_memory_json(engine.model, film); },
       .table = [&] { return render::explain_memory_table(engine.model, film); },
       .markdown = [&] { return render::explain_memory_markdown(engine.model, film, detail); },
       .text =
           [&](const render::TableStyle& style) {
             return render::explain_memory_text(engine.model, film, detail, style);
           }},
      view);
}

}  // namespace planex::session
