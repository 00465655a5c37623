// How the layers of an engine feed one another, worked out from what they read and write as the
// program runs: names are written again, in parts, in branches and in loops.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "model/plan_model.h"

namespace planex::test {

class LayerGraph {
 public:
  explicit LayerGraph(const model::PlanModel& model);

  struct Read {
    std::size_t layer;
    model::TensorId tensor;
  };
  // Inputs that nobody can have written when the layer runs and that do not come from outside.
  std::span<const Read> unwritten() const { return unwritten_; }
  // Layers that read the engine's input as it came.
  const std::set<std::size_t>& readers_of(model::TensorId input) const;

  // Layers that read what the layer wrote, and those that it decides to run, if it jumps.
  const std::set<std::size_t>& after(std::size_t layer) const { return after_[layer]; }
  // By layer: in `starts`, or after one of them.
  std::vector<bool> reached_from(const std::set<std::size_t>& starts) const;

 private:
  // Who may have written each tensor last, before a layer runs.
  using Writers = std::vector<std::set<std::size_t>>;

  void follow_program(const model::PlanModel& model);
  static bool merge(const Writers& from, std::optional<Writers>& into);
  void run(const model::PlanModel& model, std::size_t layer, Writers& writers);
  bool writes_all(const model::PlanModel& model, std::size_t port) const;
  void add_decisions(const model::PlanModel& model);

  std::vector<std::set<std::size_t>> after_;
  std::vector<std::int64_t> whole_bytes_;                          // by tensor: of its largest view
  std::map<std::size_t, std::set<std::size_t>> readers_of_input_;  // by tensor
  std::vector<Read> unwritten_;
};

}  // namespace planex::test
