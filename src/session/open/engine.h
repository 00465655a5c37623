// An engine that was opened: read, completed, linted and summed up.
#pragma once

#include <string>
#include <vector>

#include "analyze/compare/compare.h"
#include "analyze/summary/summary.h"
#include "base/files.h"
#include "ingest/discover/discover.h"
#include "lint/run.h"
#include "model/judgements.h"
#include "model/plan_model.h"
#include "planex/error.h"
#include "planex/session.h"

namespace planex::session {

struct Engine {
  ingest::LoadRequest request;
  // The source it was read from. Never null.
  const base::FileSource* files = nullptr;
  model::PlanModel model;
  // The judgements of analyses; lint uses them, whichever rules are requested.
  model::Judgements judgements;
  lint::LintReport lint;
  analyze::Summary summary;
  // Further runs of the same engine.
  std::vector<analyze::MeasuredRun> repeats;
};

ingest::LoadRequest to_load_request(const OpenRequest& request);

// An engine's path as a command accepts it: `-` for standard input.
inline std::string plan_word(const std::string& path) {
  return path == kStandardInput ? "-" : path;
}

// Without repeats. `files` must outlive the result. Errors: those of ingest::load.
Result<Engine> open_engine(const OpenRequest& request, const base::FileSource& files);

}  // namespace planex::session
