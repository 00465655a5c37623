// A topic of `planex explain`: a folder here. The build finds it, and lists it (CMakeLists.txt).
#pragma once

#include <string_view>

#include "analyze/summary/summary.h"
#include "model/plan_model.h"
#include "planex/error.h"
#include "planex/explain.h"
#include "record/fields.h"
#include "session/answer/format.h"

namespace planex::session {

struct EngineToExplain {
  const model::PlanModel& model;  // complete
  const analyze::Summary& summary;
};

struct Topic {
  // As users write it.
  std::string_view name;
  // What it is about, for help.
  std::string_view summary;
  // What its JSON is. Null: it is a page of Markdown, which is also its text.
  record::DocumentInfo (*document)() = nullptr;
  // Its document is a table whose columns are known only at run time: no struct has its members.
  bool is_table = false;

  // About an open engine. Errors: those of the topic, and of `take`.
  Result<void> (*explain)(const EngineToExplain& engine, const ExplainRequest& request,
                          const Take& take) = nullptr;
  // Or about none: a list; of one thing where `word` is not empty.
  Result<void> (*look_up)(std::string_view word, const ExplainRequest& request,
                          const Take& take) = nullptr;
  bool takes_word = false;
};

// Defined in a folder of the topic's name, in a namespace of its own, <name>_topic: several files
// are compiled as one.
#define PLANEX_TOPIC(name)                           \
  namespace planex::session::topics_by_name {        \
  extern const Topic name;                           \
  constinit const Topic name = name##_topic::kTopic; \
  }

}  // namespace planex::session
