#include "session/export/export_workbook.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/scratch_file.h"
#include "base/try.h"
#include "render/xlsx/engine_workbook.h"
#include "session/machine/engine_speed.h"

namespace planex::session {
namespace {

Result<render::WorkbookEngine> analysed(const EngineToExport& engine) {
  const analyze::Reconciliation& time = engine.summary.time;
  PLANEX_ASSIGN(analyze::SpeedOfLight speed, speed_of(engine.model, engine.summary, {}));
  return render::WorkbookEngine{
      .label = engine.label,
      .model = &engine.model,
      .summary = &engine.summary,
      .timing = analyze::explain_timing(engine.model, engine.summary),
      .memory = analyze::memory_timeline(engine.model, engine.summary.memory),
      .precision = analyze::explain_precision(engine.model, time),
      .reformats = analyze::explain_reformats(engine.model, time),
      .speed = std::move(speed),
  };
}

Result<void> hand_on(std::string_view content, const DocumentSink& write) {
  constexpr std::size_t kPieceBytes = 1 << 20;
  for (; !content.empty(); content.remove_prefix(std::min(kPieceBytes, content.size()))) {
    PLANEX_TRY(write(content.substr(0, kPieceBytes)));
  }
  return {};
}

}  // namespace

Result<void> export_workbook(std::span<const EngineToExport> engines,
                             const analyze::Comparison& comparison, const DocumentSink& write) {
  std::vector<render::WorkbookEngine> parts;
  for (const EngineToExport& engine : engines) {
    PLANEX_ASSIGN(render::WorkbookEngine part, analysed(engine));
    parts.push_back(std::move(part));
  }
  // The library writes to a file only.
  PLANEX_ASSIGN(const base::ScratchFile file, base::ScratchFile::create(".xlsx"));
  PLANEX_TRY(render::write_workbook(parts, comparison, file.path()));
  PLANEX_ASSIGN(const auto bytes, base::disk().read(file.path()));
  return hand_on(bytes->view(), write);
}

}  // namespace planex::session
