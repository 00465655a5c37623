// `planex export --format onnx` and `node-data`: the engine's own graph, or that of its source
// model, with times on the nodes.
#pragma once

#include "analyze/timing/reconcile.h"
#include "session/export/export.h"

namespace planex::session {

// Errors: kUsage: operations were requested but the source model is not available, or no layer
// comes from it; those of reading it.
Result<void> export_onnx(const EngineToExport& engine, const ExportRequest& request,
                         analyze::TimeBasis basis, const DocumentSink& write);
Result<void> export_node_data(const EngineToExport& engine, const ExportRequest& request,
                              analyze::TimeBasis basis, const DocumentSink& write);

}  // namespace planex::session
