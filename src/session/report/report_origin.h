// The origin of what a report shows: hashes of the files, what was left out, how it was made.
#pragma once

#include "base/files.h"
#include "ingest/discover/discover.h"
#include "model/plan_model.h"
#include "render/html/report_html.h"

namespace planex::session {

// `request` is the request that the model was read with, and `files` the source. Never fails: what
// can't be determined any more is unknown. Cost: reads all files of the engine once more.
render::EngineOrigin origin_of(const model::PlanModel& model, const ingest::LoadRequest& request,
                               const base::FileSource& files);

}  // namespace planex::session
