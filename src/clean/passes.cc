#include "clean/passes.h"

#include <array>

namespace planex::clean {

std::span<const Pass> all_passes() {
  // Constants first, since the others ask for them; what becomes another operator last, so that it
  // is seen in its plainest form.
  static const std::array kPasses = {
      passes::kDead,       passes::kConstantNodes, passes::kNoOps,      passes::kFold,
      passes::kBranches,   passes::kCasts,         passes::kDuplicates, passes::kDepthToSpace,
      passes::kReshapes,   passes::kTransposes,    passes::kReductions, passes::kPads,
      passes::kBatchNorms, passes::kScales,        passes::kGemm,       passes::kClips,
      passes::kHardSwish,  passes::kMish,          passes::kGelu,       passes::kLayerNorm,
      passes::kGroupNorm,
  };
  return kPasses;
}

}  // namespace planex::clean
