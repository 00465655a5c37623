#include "session/explain.h"

#include "base/text.h"
#include "session/explain_blocks.h"
#include "session/explain_kernels.h"
#include "session/explain_memory.h"
#include "session/explain_operations.h"
#include "session/explain_precision.h"
#include "session/explain_quantization.h"
#include "session/explain_reformats.h"
#include "session/explain_speed.h"

namespace planex::session {

Result<std::string> explain(const EngineToExplain& engine, const ExplainRequest& request,
                            const View& view) {
  if (view.format == Format::kJunit || view.format == Format::kSarif) {
    return fail(ErrorCode::kUsage,
                "explain has no such format; it has text, json, csv and markdown");
  }
  switch (request.topic) {
    case ExplainTopic::kSpeed:
      return explain_speed(engine, request, view);
    case ExplainTopic::kMemory:
      return explain_memory(engine, request, view);
    case ExplainTopic::kBlocks:
      return explain_blocks(engine, request, view);
    case ExplainTopic::kKernels:
      return explain_kernels(engine, request, view);
    case ExplainTopic::kOperations:
      return explain_operations(engine, request, view);
    case ExplainTopic::kReformats:
      return explain_reformats(engine, request, view);
    case ExplainTopic::kPrecision:
      return explain_precision(engine, request, view);
    case ExplainTopic::kQuantization:
      return explain_quantization(engine, request, view);
  }
  return fail(ErrorCode::kUnsupported, "this topic can't be explained yet");
}

}  // namespace planex::session
