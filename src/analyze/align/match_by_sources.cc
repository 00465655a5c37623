#include "analyze/align/match_by_sources.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace planex::analyze::matching {
namespace {

// An operation shared by this many pairs of layers (one that all layers stem from) cannot
// distinguish them.
constexpr std::size_t kMaxPairsOfOperation = 1024;
// Layers on one side of a match that joins two others.
constexpr std::size_t kMaxMerged = 4;
// Weight of kind and dims relative to shared operations, whose weight is at most 1.
constexpr double kLikenessWeight = 0.3;

void keep_once(std::vector<Operation>& operations) {
  std::ranges::sort(operations);
  operations.erase(std::ranges::unique(operations).begin(), operations.end());
}

}  // namespace

SourceMatcher::SourceMatcher(Grouping& grouping)
    : grouping_(grouping), operations_(grouping.a(), grouping.b()) {}

void SourceMatcher::match() {
  make_edges();
  operations_.judge_counted_names(best_pairs());
  make_edges();
  match_alike();
  attach(/*doubtful=*/false);
  set_certainty();
}

void SourceMatcher::join() {
  attach(/*doubtful=*/true);
  merge_moved();
  set_certainty();
}

double SourceMatcher::weight_of(std::span<const Operation> operations) const {
  double sum = 0;
  for (const Operation operation : operations) {
    const SourceOperations::Facts& facts = operations_.facts(operation);
    if (facts.is_trusted) sum += facts.weight;
  }
  return sum;
}

std::span<const Operation> SourceMatcher::shared_of(const Edge& edge) const {
  return std::span(shared_).subspan(edge.first, edge.count);
}

void SourceMatcher::make_edges() {
  std::vector<std::tuple<Spot, Spot, Operation>> shared;
  const Side &side_a = grouping_.a(), &side_b = grouping_.b();
  for (Operation operation = 0; operation < operations_.size(); ++operation) {
    if (!operations_.facts(operation).is_trusted) continue;
    const auto as = operations_.a_of(operation), bs = operations_.b_of(operation);
    if (as.size() * bs.size() > kMaxPairsOfOperation) continue;
    for (const Spot a : as) {
      for (const Spot b : bs) {
        if (grouping_.places().fit(side_a.traits[a].place, side_b.traits[b].place)) {
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
  for (Edge& edge : edges_) judge(edge);
  // Equal ones in execution order: the first with the first.
  std::ranges::stable_sort(edges_, std::ranges::greater(), &Edge::score);
}

void SourceMatcher::judge(Edge& edge) const {
  const Traits &a = grouping_.a().traits[edge.a], &b = grouping_.b().traits[edge.b];
  const double both = weight_of(shared_of(edge));
  const double all = weight_of(operations_.of_a(edge.a)) + weight_of(operations_.of_b(edge.b));
  edge.shared = both / (all - both);
  edge.score = edge.shared + kLikenessWeight * likeness(a, b);
  edge.is_doubtful = a.product != 0 && b.product != 0 && a.product != b.product &&
                     std::ranges::none_of(shared_of(edge), [this](Operation operation) {
                       return operations_.facts(operation).is_product;
                     });
}

std::vector<std::pair<Spot, Spot>> SourceMatcher::best_pairs() const {
  std::vector<std::pair<Spot, Spot>> pairs;
  std::vector<bool> has_a(grouping_.a().size()), has_b(grouping_.b().size());
  for (const Edge& edge : edges_) {
    if (edge.is_doubtful || has_a[edge.a] || has_b[edge.b]) continue;
    if (!grouping_.may_match(edge.a, edge.b)) continue;
    has_a[edge.a] = has_b[edge.b] = true;
    pairs.emplace_back(edge.a, edge.b);
  }
  return pairs;
}

void SourceMatcher::match_alike() {
  for (const auto& [a, b] : best_pairs()) grouping_.match(a, b, MatchBy::kSource, 0);
}

// What is left joins the match of what it was fused with. Where neither is matched, a layer that
// moves data in one engine can correspond to one that computes in the other.
void SourceMatcher::attach(bool doubtful) {
  for (const Edge& edge : edges_) {
    if (edge.is_doubtful && !doubtful) continue;
    const bool a_is_free = grouping_.a_is_free(edge.a), b_is_free = grouping_.b_is_free(edge.b);
    if (a_is_free && b_is_free) {
      grouping_.match(edge.a, edge.b, MatchBy::kSource, 0);
    } else if (a_is_free) {
      const GroupId group = grouping_.of_b(edge.b);
      if (!brings(edge, grouping_.groups()[group].a, true) &&
          !does_part(edge, operations_.of_a(edge.a), true)) {
        continue;
      }
      grouping_.add_a(group, edge.a);
      grouping_.groups()[group].by = MatchBy::kSource;
    } else if (b_is_free) {
      const GroupId group = grouping_.of_a(edge.a);
      if (!brings(edge, grouping_.groups()[group].b, false) &&
          !does_part(edge, operations_.of_b(edge.b), false)) {
        continue;
      }
      grouping_.add_b(group, edge.b);
      grouping_.groups()[group].by = MatchBy::kSource;
    }
  }
}

// Whether the two share an operation that no layer of one side of a match has.
bool SourceMatcher::brings(const Edge& edge, std::span<const Spot> side, bool side_is_a) const {
  return std::ranges::any_of(shared_of(edge), [&](Operation operation) {
    return std::ranges::none_of(side, [&](Spot spot) {
      return std::ranges::binary_search(side_is_a ? operations_.of_a(spot) : operations_.of_b(spot),
                                        operation);
    });
  });
}

// Whether a layer does a part of what another does: it is not a reformat in front of it, and most
// of its operations that both engines have also belong to the other.
bool SourceMatcher::does_part(const Edge& edge, std::span<const Operation> own,
                              bool own_is_a) const {
  if (!grouping_.may_match(edge.a, edge.b)) return false;
  const auto in_both = std::ranges::count_if(own, [&](Operation operation) {
    return operations_.facts(operation).is_trusted &&
           !(own_is_a ? operations_.b_of(operation) : operations_.a_of(operation)).empty();
  });
  return 2 * static_cast<std::ptrdiff_t>(edge.count) >= in_both;
}

// An addition at the end of two branches can be fused with either: layers that were matched
// separately do the same only taken together. Groups stay small: where operations move from layer
// to layer, putting all layers into one match gains nothing. Does not apply where the operation
// only converts or moves data.
void SourceMatcher::merge_moved() {
  for (const Edge& edge : edges_) {
    const GroupId to = grouping_.of_a(edge.a), from = grouping_.of_b(edge.b);
    if (to == from || to == kNoGroup || from == kNoGroup) continue;
    if (!grouping_.may_match(edge.a, edge.b)) continue;
    const Group &one = grouping_.groups()[to], &other = grouping_.groups()[from];
    if (one.a.size() + other.a.size() > kMaxMerged || one.b.size() + other.b.size() > kMaxMerged) {
      continue;
    }
    const auto has = [](std::span<const Operation> operations, Operation operation) {
      return std::ranges::binary_search(operations, operation);
    };
    const bool moved = std::ranges::any_of(shared_of(edge), [&](Operation operation) {
      return !operations_.facts(operation).moves_only && std::ranges::none_of(one.b, [&](Spot b) {
        return has(operations_.of_b(b), operation);
      }) && std::ranges::none_of(other.a, [&](Spot a) {
        return has(operations_.of_a(a), operation);
      });
    });
    if (!moved) continue;
    grouping_.merge(to, from);
    grouping_.groups()[to].by = MatchBy::kSource;
  }
}

void SourceMatcher::set_certainty() {
  std::vector<std::uint32_t> edges_at_a(grouping_.a().size()), edges_at_b(grouping_.b().size());
  for (const Edge& edge : edges_) {
    ++edges_at_a[edge.a];
    ++edges_at_b[edge.b];
  }
  for (Group& group : grouping_.groups()) {
    if (group.by == MatchBy::kSource) {
      group.certainty = certainty_of(group, edges_at_a, edges_at_b);
    }
  }
}

// From the share of operations that both sides have; below 1 where other layers share them too.
double SourceMatcher::certainty_of(const Group& group, std::span<const std::uint32_t> edges_at_a,
                                   std::span<const std::uint32_t> edges_at_b) const {
  std::vector<Operation> in_a, in_b, in_both;
  bool has_rival = false;
  for (const Spot a : group.a) {
    in_a.insert(in_a.end(), operations_.of_a(a).begin(), operations_.of_a(a).end());
    has_rival = has_rival || edges_at_a[a] > group.b.size();
  }
  for (const Spot b : group.b) {
    in_b.insert(in_b.end(), operations_.of_b(b).begin(), operations_.of_b(b).end());
    has_rival = has_rival || edges_at_b[b] > group.a.size();
  }
  keep_once(in_a);
  keep_once(in_b);
  std::ranges::set_intersection(in_a, in_b, std::back_inserter(in_both));
  const double both = weight_of(in_both);
  const double shared = both / (weight_of(in_a) + weight_of(in_b) - both);
  constexpr double kRelated = 0.6, kWithRival = 0.95;
  const double certainty = kRelated + (1 - kRelated) * shared;
  return has_rival ? certainty * kWithRival : certainty;
}

}  // namespace planex::analyze::matching
