#include <array>

#include "base/text.h"
#include "lint/layer_facts.h"
#include "lint/quantization.h"

namespace planex::lint::opaque_block_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTimes, Need::kTypes};

constexpr RuleInfo kInfo = {
    .id = "opaque-block",
    .pack = Pack::kTensorRt,
    .severity = Severity::kInfo,
    .summary =
        "a ForeignNode, which stands for a whole subgraph, takes more than 5 % of the layer time; "
        "one finding for all of them",
    .rationale =
        "Myelin compiles such a subgraph into kernels of its own, and before TensorRT 10 the "
        "engine inspector shows it as one layer: neither its kernels nor their types are known, "
        "so no other rule can judge it",
    .fix =
        "Build with TensorRT 10 or later and --profilingVerbosity=detailed, which list the "
        "kernels inside; until then, a profile with Nsight Systems shows them",
    .needs = kNeeds,
    .source =
        "TensorRT 8.6 and 10 engines of the test data; NVIDIA/TensorRT issues 3768, 4110 and 4236",
    .evidence = "the blocks and their times",
    .estimate = "none: it shows where to look",
    .action = ActionKind::kMeasureAgain};

constexpr double kMinShare = 0.05;

void run(const Context& context, FindingSink& sink) {
  const double total = context.total_ms().value_or(0);
  std::vector<LayerId> blocks;
  double ms = 0;
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer)) continue;
    sink.looked_at();
    if (context.type(layer) != "Myelin") continue;
    const auto time = context.time_ms(layer);
    if (!time || !(*time > kMinShare * total)) continue;
    blocks.push_back(layer);
    ms += *time;
  }
  if (blocks.empty()) return;
  FindingDraft draft;
  draft.layer = blocks.front();
  draft.message = blocks.size() == 1
                      ? format("a block with unknown contents takes {}", share_text(context, ms))
                      : format("{} blocks with unknown contents take {}", blocks.size(),
                               share_text(context, ms));
  draft.severity = Severity::kInfo;
  draft.evidence = listed_with_times(context, blocks);
  draft.estimate_method = "none: this shows where to look";
  draft.fix =
      "Build with TensorRT 10 or later and --profilingVerbosity=detailed to see the kernels "
      "inside; with this version, Nsight Systems shows them";
  sink.add(std::move(draft));
}

}  // namespace
}  // namespace planex::lint::opaque_block_rule

PLANEX_LINT_RULE(opaque_block)
