// The matches found so far, extended stage by stage.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "analyze/align/alignment.h"
#include "analyze/align/sides.h"

namespace planex::analyze::matching {

using GroupId = std::uint32_t;
inline constexpr GroupId kNoGroup = std::numeric_limits<GroupId>::max();

struct Group {
  std::vector<Spot> a, b;
  MatchBy by = MatchBy::kUnmatched;
  double certainty = 0;
};

class Grouping {
 public:
  Grouping(const Side& a, const Side& b)
      : a_(&a), b_(&b), places_(a, b), of_a_(a.size(), kNoGroup), of_b_(b.size(), kNoGroup) {}

  const Side& a() const { return *a_; }
  const Side& b() const { return *b_; }
  const Places& places() const { return places_; }

  GroupId of_a(Spot a) const { return of_a_[a]; }
  GroupId of_b(Spot b) const { return of_b_[b]; }
  bool a_is_free(Spot a) const { return of_a_[a] == kNoGroup; }
  bool b_is_free(Spot b) const { return of_b_[b] == kNoGroup; }

  // The groups of all layers.
  std::span<const GroupId> groups_of_a() const { return of_a_; }
  std::span<const GroupId> groups_of_b() const { return of_b_; }

  std::vector<Group>& groups() { return groups_; }
  const std::vector<Group>& groups() const { return groups_; }

  // Both must be free.
  GroupId match(Spot a, Spot b, MatchBy by, double certainty);
  // A free layer joins a group.
  void add_a(GroupId group, Spot a);
  void add_b(GroupId group, Spot b);
  // Moves all of `from` into `to`; `from` is left empty.
  void merge(GroupId to, GroupId from);

  // Frees its layers again; it is left empty.
  void unmatch(GroupId group);

  // Whether the two can be matched at all.
  bool may_match(Spot a, Spot b) const {
    const Traits &x = a_->traits[a], &y = b_->traits[b];
    return x.moves_only == y.moves_only && x.quantizes * y.quantizes >= 0 &&
           places_.fit(x.place, y.place);
  }

 private:
  const Side* a_;
  const Side* b_;
  Places places_;
  std::vector<GroupId> of_a_, of_b_;
  std::vector<Group> groups_;
};

}  // namespace planex::analyze::matching
