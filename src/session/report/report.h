// `planex report`: the analyses that the page shows beside the tables, and the page made from them.
#pragma once

#include <string>
#include <vector>

#include "analyze/compare/compare.h"
#include "analyze/summary/summary.h"
#include "analyze/sweep.h"
#include "ingest/discover/discover.h"
#include "lint/run.h"
#include "model/plan_model.h"
#include "planex/session.h"

namespace planex::session {

struct EngineToReport {
  std::string label;
  const model::PlanModel& model;  // complete
  const analyze::Summary& summary;
  const lint::LintReport& lint;  // of all rules, made when the engine was opened
  const model::Judgements& judgements;
  const ingest::LoadRequest request;
  const base::FileSource& files;  // the source it was read from
};

struct ComparedEngines {
  analyze::Comparison comparison;
  // What it does not have of any two of the engines.
  std::vector<analyze::EngineDifference> engine_pairs;
};

// The page, or with Format::kJson its data (planex.report/2). `compared` may be null, and so may
// `sweep`: the grid that the engines are cells of.
// Errors: kUsage for another format; those of the device table and of named files.
Result<std::string> report(const std::vector<EngineToReport>& engines,
                           const ComparedEngines* compared, const analyze::Sweep* sweep,
                           const ReportRequest& request);

}  // namespace planex::session
