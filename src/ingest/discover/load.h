// Reads one engine: finds its files, recognizes them by content, fills a model.
#pragma once

#include "base/files.h"
#include "ingest/discover/discover.h"
#include "model/plan_model.h"

namespace planex::ingest {

// The model contains what the files say; analyze::complete derives the rest.
// Errors: those of discover() and of the readers.
Result<model::PlanModel> load(const LoadRequest& request, const base::FileSource& source);

// The same from files that were found already.
Result<model::PlanModel> load(const Discovery& discovery, const base::FileSource& source);

}  // namespace planex::ingest
