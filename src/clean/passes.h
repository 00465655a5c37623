// The passes: each looks for one thing and writes it more simply. One file per pass in passes/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "clean/draft.h"

namespace planex::clean {

// What a pass can do to results.
enum class Effect : std::uint8_t {
  kExact,    // the same bits, but for the sign of a zero
  kRounding  // the same values, rounded at other places
};

// What a pass works on.
class Work {
 public:
  Work(Draft& of, std::int64_t room) : draft(of), room_bytes(room) {}

  Draft& draft;
  // By how much constants that passes make may still grow the file.
  std::int64_t room_bytes = 0;
  // What may still be moved from files with external data into the model, as it changes.
  std::int64_t moved_room_bytes = std::int64_t{256} << 20;

  // Says that something was simplified, and at which node: before the node is removed.
  void tell(NodeId node) { nodes_.push_back(draft.name_of(node)); }
  void tell(std::string name) { nodes_.push_back(std::move(name)); }
  std::vector<std::string> take_told() { return std::exchange(nodes_, {}); }

 private:
  std::vector<std::string> nodes_;
};

struct Pass {
  std::string_view id;
  std::string_view summary;  // what it does, for a list
  Effect effect = Effect::kExact;
  void (*run)(Work& work) = nullptr;
};

// In the order in which they run.
std::span<const Pass> all_passes();

// Removes what nothing reads any more; returns the names of nodes and initializers.
std::vector<std::string> remove_dead(Draft& draft);

namespace passes {
extern const Pass kBatchNorms, kBranches, kCasts, kClips, kConstantNodes, kDead, kDepthToSpace,
    kDuplicates, kFold, kGelu, kGemm, kGroupNorm, kHardSwish, kLayerNorm, kMish, kNoOps, kPads,
    kReductions, kReshapes, kScales, kTransposes;
}  // namespace passes

}  // namespace planex::clean
