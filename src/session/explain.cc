#include "session/explain.h"

#include "base/text.h"

namespace planex::session {

Result<std::string> explain(const EngineToExplain& engine, const ExplainRequest& request,
                            const View& view) {
  (void)engine;
  (void)view;
  switch (request.topic) {
    case ExplainTopic::kReformats:
    case ExplainTopic::kSpeed:
    case ExplainTopic::kMemory:
    case ExplainTopic::kPrecision:
    case ExplainTopic::kBlocks:
    case ExplainTopic::kOperations:
      break;
  }
  return fail(ErrorCode::kUnsupported, "this topic can't be explained yet");
}

}  // namespace planex::session
