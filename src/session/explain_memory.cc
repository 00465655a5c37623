#include "session/explain_memory.h"

#include "analyze/explain/memory_film.h"
#include "render/csv/table_csv.h"
#include "render/json/explain_memory_json.h"
#include "render/text/explain_memory_text.h"

namespace planex::session {

Result<std::string> explain_memory(const EngineToExplain& engine, const ExplainRequest& request,
                                   const View& view) {
  const analyze::MemoryFilm film = analyze::memory_film(engine.model, engine.summary.memory);
  const auto detail = request.all ? render::MemoryDetail::kAll : render::MemoryDetail::kMost;
  switch (view.format) {
    case Format::kJson:
      return render::explain_memory_json(engine.model, film);
    case Format::kCsv:
      return render::csv_table(render::explain_memory_table(engine.model, film));
    case Format::kMarkdown:
      return render::explain_memory_markdown(engine.model, film, detail);
    default:
      break;
  }
  return render::explain_memory_text(engine.model, film, detail,
                                     {.width = view.width, .color = view.color, .wide = view.wide});
}

}  // namespace planex::session
