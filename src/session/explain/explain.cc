#include "session/explain/explain.h"

#include "base/try.h"
#include "session/explain/explain_blocks.h"
#include "session/explain/explain_kernels.h"
#include "session/explain/explain_memory.h"
#include "session/explain/explain_operations.h"
#include "session/explain/explain_precision.h"
#include "session/explain/explain_quantization.h"
#include "session/explain/explain_reformats.h"
#include "session/explain/explain_speed.h"
#include "session/explain/explain_tactics.h"

namespace planex::session {

Result<void> explain(const EngineToExplain& engine, const ExplainRequest& request,
                     const Take& take) {
  switch (request.topic) {
    case ExplainTopic::kSpeed:
      return explain_speed(engine, request, take);
    case ExplainTopic::kMemory:
      return explain_memory(engine, request, take);
    case ExplainTopic::kBlocks:
      return explain_blocks(engine, request, take);
    case ExplainTopic::kKernels:
      return explain_kernels(engine, request, take);
    case ExplainTopic::kOperations:
      return explain_operations(engine, request, take);
    case ExplainTopic::kReformats:
      return explain_reformats(engine, request, take);
    case ExplainTopic::kPrecision:
      return explain_precision(engine, request, take);
    case ExplainTopic::kQuantization:
      return explain_quantization(engine, request, take);
    case ExplainTopic::kTactics:
      return explain_tactics(engine, request, take);
  }
  return fail(ErrorCode::kUnsupported, "this topic can't be explained yet");
}

Result<std::string> explain(const EngineToExplain& engine, const ExplainRequest& request,
                            const View& view) {
  if (view.format == Format::kJunit || view.format == Format::kSarif) {
    return fail(ErrorCode::kUsage,
                "explain has no such format; it has text, json, csv and markdown");
  }
  std::string document;
  PLANEX_TRY(explain(engine, request, [&](const Writers& writers) -> Result<void> {
    document = write(writers, view);
    return {};
  }));
  return document;
}

}  // namespace planex::session
