#include <algorithm>
#include <tuple>
#include <utility>

#include "analyze/align/source_operations.h"
#include "analyze/align/stages.h"

namespace planex::analyze::matching {
namespace {

// An operation that this many pairs of layers share (one that all layers stem from) tells none of
// them apart.
constexpr std::size_t kMostPairsOfOperation = 1024;
// Layers on one side of a match that ties two others together.
constexpr std::size_t kMostMerged = 4;
// What kind and dims weigh beside shared operations, whose weight is at most 1.
constexpr double kLikenessWeight = 0.3;

// Two layers that share operations.
struct Edge {
  Spot a = 0, b = 0;
  // Into the shared operations of all edges.
  std::uint32_t first = 0, count = 0;
  double shared = 0;  // share of the weight of all operations of the two
  double score = 0;
};

class SourceMatcher {
 public:
  explicit SourceMatcher(Grouping& grouping)
      : grouping_(grouping), operations_(grouping.a(), grouping.b()) {}

  void run() {
    make_edges();
    operations_.judge_counted_names(best_pairs());
    make_edges();
    match_alike();
    attach();
    merge_moved();
    set_certainty();
  }

 private:
  double weight_of(std::span<const Operation> operations) const {
    double sum = 0;
    for (const Operation operation : operations) sum += operations_.facts(operation).weight;
    return sum;
  }

  // Edges of trusted operations, best first.
  void make_edges() {
    std::vector<std::tuple<Spot, Spot, Operation>> shared;
    for (Operation operation = 0; operation < operations_.size(); ++operation) {
      if (!operations_.facts(operation).is_trusted) continue;
      const auto as = operations_.a_of(operation), bs = operations_.b_of(operation);
      if (as.size() * bs.size() > kMostPairsOfOperation) continue;
      for (const Spot a : as) {
        for (const Spot b : bs) {
          if (grouping_.places().fit(grouping_.a().traits[a].place,
                                     grouping_.b().traits[b].place)) {
            shared.emplace_back(a, b, operation);
          }
        }
      }
    }
    std::ranges::sort(shared);
    edges_.clear();
    shared_.clear();
    for (const auto& [a, b, operation] : shared) {
      if (edges_.empty() || edges_.back().a != a || edges_.back().b != b) {
        edges_.push_back({.a = a, .b = b, .first = static_cast<std::uint32_t>(shared_.size())});
      }
      ++edges_.back().count;
      shared_.push_back(operation);
    }
    for (Edge& edge : edges_) {
      const double both = weight_of(shared_of(edge));
      const double all = weight_of(operations_.of_a(edge.a)) + weight_of(operations_.of_b(edge.b));
      edge.shared = both / (all - both);
      edge.score = edge.shared + kLikenessWeight * likeness(grouping_.a().traits[edge.a],
                                                            grouping_.b().traits[edge.b]);
    }
    // Equal ones in execution order: the first with the first.
    std::ranges::stable_sort(edges_, std::ranges::greater(), &Edge::score);
  }

  std::span<const Operation> shared_of(const Edge& edge) const {
    return std::span(shared_).subspan(edge.first, edge.count);
  }

  // The pairs that would be matched one to one.
  std::vector<std::pair<Spot, Spot>> best_pairs() const {
    std::vector<std::pair<Spot, Spot>> pairs;
    std::vector<bool> has_a(grouping_.a().size()), has_b(grouping_.b().size());
    for (const Edge& edge : edges_) {
      if (has_a[edge.a] || has_b[edge.b] || !grouping_.may_match(edge.a, edge.b)) continue;
      has_a[edge.a] = has_b[edge.b] = true;
      pairs.emplace_back(edge.a, edge.b);
    }
    return pairs;
  }

  void match_alike() {
    for (const Edge& edge : edges_) {
      if (!grouping_.a_is_free(edge.a) || !grouping_.b_is_free(edge.b)) continue;
      if (!grouping_.may_match(edge.a, edge.b)) continue;
      grouping_.match(edge.a, edge.b, MatchBy::kSource, edge.shared);
    }
  }

  bool any_of_a_has(const Group& group, Operation operation) const {
    return std::ranges::any_of(group.a, [&](Spot a) {
      return std::ranges::binary_search(operations_.of_a(a), operation);
    });
  }
  bool any_of_b_has(const Group& group, Operation operation) const {
    return std::ranges::any_of(group.b, [&](Spot b) {
      return std::ranges::binary_search(operations_.of_b(b), operation);
    });
  }

  // What is left joins the match of what it was fused with; and where neither is matched, what
  // moves data in one engine may stand for what computes in the other.
  void attach() {
    for (const Edge& edge : edges_) {
      const bool a_is_free = grouping_.a_is_free(edge.a), b_is_free = grouping_.b_is_free(edge.b);
      if (a_is_free && b_is_free) {
        grouping_.match(edge.a, edge.b, MatchBy::kSource, edge.shared);
      } else if (a_is_free && joins(edge, grouping_.of_b(edge.b), operations_.of_a(edge.a),
                                    &SourceMatcher::any_of_a_has)) {
        grouping_.add_a(grouping_.of_b(edge.b), edge.a);
      } else if (b_is_free && joins(edge, grouping_.of_a(edge.a), operations_.of_b(edge.b),
                                    &SourceMatcher::any_of_b_has)) {
        grouping_.add_b(grouping_.of_a(edge.a), edge.b);
      }
    }
  }

  // A layer joins a match if it brings an operation that its side of it lacks; or if it does a part
  // of the same operations, not only moves their data.
  bool joins(const Edge& edge, GroupId group, std::span<const Operation> own,
             bool (SourceMatcher::*side_has)(const Group&, Operation) const) const {
    const Group& match = grouping_.groups()[group];
    if (std::ranges::any_of(shared_of(edge), [&](Operation operation) {
          return !(this->*side_has)(match, operation);
        })) {
      return true;
    }
    return grouping_.may_match(edge.a, edge.b) && 2UZ * edge.count >= own.size();
  }

  // An addition at the end of one of two branches may be fused with either: what was matched apart
  // does the same only taken together. Stays small: where operations move on from layer to layer,
  // nothing is won by putting all layers into one match.
  void merge_moved() {
    for (const Edge& edge : edges_) {
      const GroupId to = grouping_.of_a(edge.a), from = grouping_.of_b(edge.b);
      if (to == from || to == kNoGroup || from == kNoGroup) continue;
      if (!grouping_.may_match(edge.a, edge.b)) continue;
      const Group &one = grouping_.groups()[to], &other = grouping_.groups()[from];
      if (one.a.size() + other.a.size() > kMostMerged ||
          one.b.size() + other.b.size() > kMostMerged) {
        continue;
      }
      std::size_t moved = 0;
      bool computes = false;
      for (const Operation operation : shared_of(edge)) {
        if (any_of_b_has(one, operation) || any_of_a_has(other, operation)) continue;
        ++moved;
        computes = computes || !operations_.facts(operation).moves_only;
      }
      const std::size_t fewer =
          std::min(operations_.of_a(edge.a).size(), operations_.of_b(edge.b).size());
      if (computes && 2 * moved >= fewer) grouping_.merge(to, from);
    }
  }

  // The share of operations that both sides have; below 1 where there are others that share them.
  void set_certainty() {
    std::vector<std::uint32_t> rivals_a(grouping_.a().size()), rivals_b(grouping_.b().size());
    for (const Edge& edge : edges_) {
      ++rivals_a[edge.a];
      ++rivals_b[edge.b];
    }
    for (Group& group : grouping_.groups()) {
      if (group.a.empty()) continue;
      std::vector<Operation> in_a, in_b, in_both;
      bool has_rival = false;
      for (const Spot a : group.a) {
        in_a.insert(in_a.end(), operations_.of_a(a).begin(), operations_.of_a(a).end());
        has_rival = has_rival || rivals_a[a] > group.b.size();
      }
      for (const Spot b : group.b) {
        in_b.insert(in_b.end(), operations_.of_b(b).begin(), operations_.of_b(b).end());
        has_rival = has_rival || rivals_b[b] > group.a.size();
      }
      for (auto* operations : {&in_a, &in_b}) {
        std::ranges::sort(*operations);
        operations->erase(std::ranges::unique(*operations).begin(), operations->end());
      }
      std::ranges::set_intersection(in_a, in_b, std::back_inserter(in_both));
      const double both = weight_of(in_both);
      const double shared = both / (weight_of(in_a) + weight_of(in_b) - both);
      constexpr double kSurelyRelated = 0.6, kWithRival = 0.95;
      group.certainty = kSurelyRelated + (1 - kSurelyRelated) * shared;
      if (has_rival) group.certainty *= kWithRival;
    }
  }

  Grouping& grouping_;
  SourceOperations operations_;
  std::vector<Edge> edges_;
  std::vector<Operation> shared_;
};

}  // namespace

void match_by_sources(Grouping& grouping) { SourceMatcher(grouping).run(); }

}  // namespace planex::analyze::matching
