// `planex export`: formats for other tools, made from what the session has.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "analyze/compare/compare.h"
#include "analyze/summary/summary.h"
#include "lint/run.h"
#include "model/plan_model.h"
#include "planex/export.h"
#include "planex/session.h"

namespace planex::session {

struct EngineToExport {
  std::string_view label;
  const model::PlanModel& model;  // complete
  const analyze::Summary& summary;
};

// At least one engine. `compare` compares all of them, if the format has a place for it. Errors:
// see Session::export_as.
Result<void> export_as(std::span<const EngineToExport> engines,
                       const std::function<analyze::Comparison()>& compare,
                       const ExportRequest& request, const DocumentSink& write);

// No table of export_tables() has this name; the message names the nearest.
Failure no_such_table(std::string_view name);

}  // namespace planex::session
