// How the operations of the source model feed one another, by the names of their tensors.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "model/plan_model.h"

namespace planex::test {

class OperationGraph {
 public:
  // An operation with a subgraph feeds all operations in it; those of them that nothing in the
  // subgraph reads feed what reads the outer operation's results.
  explicit OperationGraph(const model::PlanModel& model);

  std::size_t size() const { return after_.size(); }
  const std::set<std::size_t>& after(std::size_t operation) const { return after_[operation]; }
  // By operation: in `starts`, or after one of them.
  std::vector<bool> reached_from(const std::set<std::size_t>& starts) const;
  std::set<std::size_t> readers_of(std::string_view tensor) const;
  // Null where it is an input of the model or a weight.
  const std::size_t* writer_of(std::string_view tensor) const;

  // The first of those that compute the same as this one: quantisations of one tensor, and their
  // inverses. A compiler keeps one.
  std::size_t twin_of(std::size_t operation) const { return twin_[operation]; }

 private:
  void add_subgraphs(const model::PlanModel& model);
  void find_twins(const model::PlanModel& model);

  std::vector<std::set<std::size_t>> after_;
  std::vector<std::size_t> twin_;
  std::map<std::string_view, std::size_t> writers_;
  std::map<std::string_view, std::set<std::size_t>> readers_;
};

}  // namespace planex::test
