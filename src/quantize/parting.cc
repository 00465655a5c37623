#include "quantize/parting.h"

#include <algorithm>

namespace planex::quantize {

using onnx::Index;
using onnx::kNoIndex;

Partings::Partings(const Flow& flow, std::uint64_t budget)
    : flow_(flow),
      budget_(budget),
      steps_(flow.node_count() + flow.tensor_count()),
      walks_(steps_.size()) {}

std::optional<Parting> Partings::find(TensorId first, TensorId second) {
  ++walk_;
  open_ = {};
  inputs_.clear();
  add(first, {.first = 0, .second = kFar}, kNoIndex);
  add(second, {.first = kFar, .second = 0}, kNoIndex);
  // A node comes after everything that it depends on, so the latest has all its steps.
  while (!open_.empty()) {
    if (budget_ == 0) return std::nullopt;
    --budget_;
    const Index node = open_.top();
    open_.pop();
    Steps steps = steps_[node];
    if (steps.is_common()) return Parting{node, steps.first, steps.second};
    if (steps.first != kFar) ++steps.first;
    if (steps.second != kFar) ++steps.second;
    for (const TensorId tensor : flow_.inputs(node)) add(tensor, steps, node);
  }
  for (const TensorId tensor : inputs_) {
    const Steps& steps = steps_[flow_.node_count() + tensor];
    if (steps.is_common()) return Parting{kNoIndex, steps.first, steps.second};
  }
  return std::nullopt;
}

void Partings::add(TensorId tensor, Steps steps, Index reader) {
  if (tensor == kNoTensor || flow_.is_fixed(tensor)) return;
  const Index maker = flow_.maker(tensor);
  const bool is_input = maker == kNoIndex;
  if (is_input ? !flow_.link(tensor).is_input : maker >= reader) return;
  const std::size_t place = is_input ? flow_.node_count() + std::size_t{tensor} : maker;
  if (walks_[place] != walk_) {
    walks_[place] = walk_;
    steps_[place] = {};
    if (is_input) {
      inputs_.push_back(tensor);
    } else {
      open_.push(maker);
    }
  }
  steps_[place].first = std::min(steps_[place].first, steps.first);
  steps_[place].second = std::min(steps_[place].second, steps.second);
}

}  // namespace planex::quantize
