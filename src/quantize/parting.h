// Finds where the two paths into an addition part.
#pragma once

#include <cstdint>
#include <optional>
#include <queue>
#include <vector>

#include "onnx/model.h"
#include "quantize/flow.h"

namespace planex::quantize {

// The lowest common ancestor of two tensors: the last node that both depend on; a tensor depends on
// its maker, too.
struct Parting {
  onnx::Index node = onnx::kNoIndex;  // kNoIndex: both come from one input of the graph
  // Nodes on the shortest way from there; 0 where the node makes the tensor itself.
  std::uint32_t first_steps = 0, second_steps = 0;
};

class Partings {
 public:
  // All walks together visit at most `budget` nodes, since a hostile model can have an addition of
  // long paths at each node. `flow` must outlive this.
  Partings(const Flow& flow, std::uint64_t budget);

  // Walks back from both, latest node first, and stops where they meet: only nodes between are
  // visited. Null where they have nothing in common, or the budget is used up.
  std::optional<Parting> find(TensorId first, TensorId second);

 private:
  static constexpr std::uint32_t kFar = 0xFFFF'FFFF;

  // Steps from a node to each of the two tensors.
  struct Steps {
    std::uint32_t first = kFar, second = kFar;
    bool is_common() const { return first != kFar && second != kFar; }
  };

  void add(TensorId tensor, Steps steps, onnx::Index reader);

  const Flow& flow_;
  std::uint64_t budget_;
  // By node, and after them by tensor for the graph's inputs; valid for the walk whose number is
  // next to it.
  std::vector<Steps> steps_;
  std::vector<std::uint32_t> walks_;
  std::uint32_t walk_ = 0;
  std::priority_queue<onnx::Index> open_;
  std::vector<TensorId> inputs_;
};

}  // namespace planex::quantize
