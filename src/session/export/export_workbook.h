// `planex export --format xlsx`: the analyses for the sheets, and writing them to the sink.
#pragma once

#include "session/export/export.h"

namespace planex::session {

// Errors: kUnsupported (no library for it), kIo, those of `write`.
Result<void> export_workbook(std::span<const EngineToExport> engines,
                             const analyze::Comparison& comparison, const DocumentSink& write);

}  // namespace planex::session
