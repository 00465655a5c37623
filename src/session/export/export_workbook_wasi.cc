#include "session/export/export_workbook.h"

namespace planex::session {

Result<void> export_workbook(std::span<const EngineToExport>, const analyze::Comparison&,
                             const DocumentSink&) {
  return fail(ErrorCode::kUnsupported, "a page can't write Excel workbooks",
              "write CSV, or use the program: planex export --format xlsx");
}

}  // namespace planex::session
