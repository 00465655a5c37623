// `planex explain` for one engine: per topic, an analysis and its renderers.
#pragma once

#include <string>

#include "analyze/summary/summary.h"
#include "model/plan_model.h"
#include "planex/session.h"
#include "session/answer/format.h"

namespace planex::session {

struct EngineToExplain {
  const model::PlanModel& model;  // complete
  const analyze::Summary& summary;
};

// Errors: those of the topic, and of `take`.
Result<void> explain(const EngineToExplain& engine, const ExplainRequest& request,
                     const Take& take);

// The same as a document. Errors: kUsage: the topic has no such format; those of the topic.
Result<std::string> explain(const EngineToExplain& engine, const ExplainRequest& request,
                            const View& view);

}  // namespace planex::session
