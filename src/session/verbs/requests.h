// The options of each request.
#pragma once

#include <string>
#include <vector>

#include "planex/archive.h"
#include "planex/session.h"
#include "session/verbs/option.h"

namespace planex::session {

// Bound to a request, which they are not to outlive.
Options options_of(OpenRequest& request);
Options options_of(View& request);
Options options_of(QueryLimits& request);
Options options_of(LayersRequest& request);
Options options_of(ExplainRequest& request);
Options options_of(LintRequest& request);
Options options_of(CompareRequest& request);
Options options_of(ListRequest& request);
Options options_of(DrawRequest& request);
Options options_of(ExportRequest& request);
// Its own, and those of lint and of explain speed that it takes.
Options options_of(ReportRequest& request);
// Without, and with those of the engine.
Options own_options_of(ArchiveRequest& request);
Options options_of(ArchiveRequest& request);

}  // namespace planex::session
