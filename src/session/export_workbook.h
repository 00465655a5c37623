// `planex export --format xlsx`: the analyses behind the sheets, and the way to the sink.
#ifndef PLANEX_SESSION_EXPORT_WORKBOOK_H_
#define PLANEX_SESSION_EXPORT_WORKBOOK_H_

#include "session/export.h"

namespace planex::session {

// Errors: kUnsupported (no library for it), kIo, those of `write`.
Result<void> export_workbook(std::span<const EngineToExport> engines,
                             const analyze::Comparison& comparison, const DocumentSink& write);

}  // namespace planex::session

#endif  // PLANEX_SESSION_EXPORT_WORKBOOK_H_
