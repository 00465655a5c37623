// Matches by the operations of the source model that layers of both engines stem from.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "analyze/align/grouping.h"
#include "analyze/align/source_operations.h"

namespace planex::analyze::matching {

// Cost: O(s log s) in sources, for both steps.
class SourceMatcher {
 public:
  explicit SourceMatcher(Grouping& grouping);

  // The first stage: layers that share most of their operations, one to one, plus what was fused
  // with them.
  void match();

  // The last stage: operations that the other stages left in two matches join these, and layers
  // that share any operation join.
  void join();

 private:
  // Two layers that share operations.
  struct Edge {
    Spot a = 0, b = 0;
    // Index into the shared operations of all edges.
    std::uint32_t first = 0, count = 0;
    double shared = 0;  // share of the weight of all operations of the two
    double score = 0;
    // Both are products of different sizes that only share what was fused with them: an addition
    // can be fused with either of the two layers that it adds.
    bool is_doubtful = false;
  };

  double weight_of(std::span<const Operation> operations) const;
  std::span<const Operation> shared_of(const Edge& edge) const;
  // Edges of trusted operations, best first.
  void make_edges();
  void judge(Edge& edge) const;
  // The pairs to match one to one.
  std::vector<std::pair<Spot, Spot>> best_pairs() const;
  void match_alike();
  void attach(bool doubtful);
  bool brings(const Edge& edge, std::span<const Spot> side, bool side_is_a) const;
  bool does_part(const Edge& edge, std::span<const Operation> own, bool own_is_a) const;
  void merge_moved();
  void set_certainty();
  double certainty_of(const Group& group, std::span<const std::uint32_t> edges_at_a,
                      std::span<const std::uint32_t> edges_at_b) const;

  Grouping& grouping_;
  SourceOperations operations_;
  std::vector<Edge> edges_;
  std::vector<Operation> shared_;
};

}  // namespace planex::analyze::matching
