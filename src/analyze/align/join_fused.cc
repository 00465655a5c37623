#include <algorithm>
#include <vector>

#include "analyze/align/stages.h"
#include "analyze/align/surroundings.h"

namespace planex::analyze::matching {
namespace {

constexpr double kCertainty = 0.6;

// One engine's side of a match, and the other's.
struct JoinEnds {
  const Side& own;
  const Side& other;
  std::vector<Spot> Group::* own_spots;
  std::vector<Spot> Group::* other_spots;
};

bool any_has(const Side& side, const std::vector<Spot>& spots, Key Traits::* dims, Key value) {
  return std::ranges::any_of(spots, [&](Spot spot) { return side.traits[spot].*dims == value; });
}

// Whether the match writes (or reads) on the other side what this layer does, while nothing on this
// side does.
bool completes(const Group& group, const JoinEnds& ends, const Traits& free, Key Traits::* dims) {
  return free.*dims != 0 && any_has(ends.other, group.*ends.other_spots, dims, free.*dims) &&
         !any_has(ends.own, group.*ends.own_spots, dims, free.*dims);
}

struct Join {
  GroupId group = 0;
  Spot spot = 0;
};

std::vector<Join> joins_of(const Grouping& grouping, const JoinEnds& ends,
                           std::span<const GroupId> groups) {
  const FlowMatches flow(ends.own, groups);
  std::vector<Join> joins;
  for (Spot spot = 0; spot < ends.own.size(); ++spot) {
    const Traits& traits = ends.own.traits[spot];
    if (groups[spot] != kNoGroup || traits.moves_only) continue;
    const auto joins_one = [&](GroupId group, Key Traits::* dims) {
      return group != kNoGroup && completes(grouping.groups()[group], ends, traits, dims) &&
             grouping.places().fit(
                 traits.place,
                 ends.other.traits[(grouping.groups()[group].*ends.other_spots)[0]].place);
    };
    if (joins_one(flow.writer(spot), &Traits::out)) {
      joins.push_back({flow.writer(spot), spot});
    } else if (joins_one(flow.reader(spot), &Traits::in)) {
      joins.push_back({flow.reader(spot), spot});
    }
  }
  return joins;
}

}  // namespace

void join_fused(Grouping& grouping) {
  const JoinEnds from_a{grouping.a(), grouping.b(), &Group::a, &Group::b};
  const JoinEnds from_b{grouping.b(), grouping.a(), &Group::b, &Group::a};
  const std::vector<Join> joins_a = joins_of(grouping, from_a, grouping.groups_of_a());
  const std::vector<Join> joins_b = joins_of(grouping, from_b, grouping.groups_of_b());
  const auto weaken = [&](GroupId group) {
    double& certainty = grouping.groups()[group].certainty;
    certainty = std::min(certainty, kCertainty);
  };
  for (const auto& [group, spot] : joins_a) {
    // Only one: after the first, the match reads and writes the same on both sides.
    if (grouping.groups()[group].a.size() > 1) continue;
    grouping.add_a(group, spot);
    weaken(group);
  }
  for (const auto& [group, spot] : joins_b) {
    if (grouping.groups()[group].b.size() > 1) continue;
    grouping.add_b(group, spot);
    weaken(group);
  }
}

}  // namespace planex::analyze::matching
