// `planex explain`: asks a topic, and writes what it answers.
#pragma once

#include <string>
#include <string_view>

#include "planex/session.h"
#include "session/answer/format.h"
#include "session/explain/topic.h"

namespace planex::session {

// Errors: kUsage (no such topic, or not one about an engine); those of the topic, and of `take`.
Result<void> explain(const EngineToExplain& engine, const ExplainRequest& request,
                     const Take& take);

// The same as a document. Errors: kUsage: the topic has no such format; those of the topic.
Result<std::string> explain(const EngineToExplain& engine, const ExplainRequest& request,
                            const View& view);

// A topic that is not about an engine; about one thing of its list where `word` is not empty.
// Errors: kUsage (not such a topic, or it has no such format); those of the topic.
Result<std::string> look_up(std::string_view word, const ExplainRequest& request, const View& view);

}  // namespace planex::session
