#include "analyze/align/alignment.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "analyze/align/grouping.h"
#include "analyze/align/match_by_sources.h"
#include "analyze/align/predecessor_rules.h"
#include "analyze/align/sides.h"
#include "analyze/align/stages.h"

namespace planex::analyze {
namespace {

using matching::Group;
using matching::GroupId;
using matching::Grouping;
using matching::Key;
using matching::kNoGroup;
using matching::mixed;
using matching::Side;
using matching::Spot;

// What an engine's alignment depends on, in one number.
Key digest(const Side& side) {
  const model::PlanModel& model = *side.model;
  Key key = side.size();
  for (Spot spot = 0; spot < side.size(); ++spot) {
    const matching::Traits& traits = side.traits[spot];
    const model::LayerId layer = side.layers[spot];
    key = mixed(key, matching::key_of(model.text(model.layers.name[layer.index()])));
    key = mixed(key, mixed(mixed(traits.type, traits.dims), mixed(traits.product, traits.place)));
    const model::RowRange sources = model.sources_of(layer);
    for (std::size_t row = sources.first; row < sources.end(); ++row) {
      key = mixed(key, matching::key_of(model.text(model.sources.op_name[row])));
    }
    const model::RowRange ports = model.ports_of(layer);
    for (std::size_t port = ports.first; port < ports.end(); ++port) {
      const model::TensorId tensor = model.ports.tensor_id[port];
      key = mixed(key, tensor.is_null() ? 0 : side.flow[tensor.index()] + 1);
    }
  }
  return key;
}

std::vector<model::LayerId> layers_of(const Side& side, std::vector<Spot> spots) {
  std::ranges::sort(spots);
  std::vector<model::LayerId> layers;
  layers.reserve(spots.size());
  for (const Spot spot : spots) layers.push_back(side.layers[spot]);
  return layers;
}

// In the order of B; what only A has comes after what precedes it in A.
std::vector<Match> ordered(const Side& side_a, const Side& side_b, std::vector<Group> groups) {
  std::vector<GroupId> of_a(side_a.size(), kNoGroup), of_b(side_b.size(), kNoGroup);
  for (GroupId group = 0; group < groups.size(); ++group) {
    for (const Spot a : groups[group].a) of_a[a] = group;
    for (const Spot b : groups[group].b) of_b[b] = group;
  }
  // What only A has, by the match that it follows; the last list is for the start.
  std::vector<std::vector<Spot>> only_a(groups.size() + 1);
  std::size_t last = groups.size();
  for (Spot a = 0; a < of_a.size(); ++a) {
    if (of_a[a] == kNoGroup) {
      only_a[last].push_back(a);
    } else {
      last = of_a[a];
    }
  }
  std::vector<Match> matches;
  const auto add_only_a = [&](std::size_t behind) {
    for (const Spot a : only_a[behind]) matches.push_back({.a = {side_a.layers[a]}, .b = {}});
  };
  add_only_a(groups.size());
  std::vector<bool> is_done(groups.size());
  for (Spot b = 0; b < of_b.size(); ++b) {
    if (of_b[b] == kNoGroup) {
      matches.push_back({.a = {}, .b = {side_b.layers[b]}});
      continue;
    }
    const GroupId group = of_b[b];
    if (is_done[group]) continue;
    is_done[group] = true;
    matches.push_back({.a = layers_of(side_a, std::move(groups[group].a)),
                       .b = layers_of(side_b, std::move(groups[group].b)),
                       .by = groups[group].by,
                       .certainty = groups[group].certainty});
    add_only_a(group);
  }
  return matches;
}

struct Grouped {
  std::vector<Group> groups;
  std::size_t undecided_first = 0, undecided_second = 0;
};

// Layers that had a match before and no longer have one.
std::size_t count_freed(std::span<const GroupId> before, std::span<const GroupId> now) {
  std::size_t count = 0;
  for (std::size_t spot = 0; spot < before.size(); ++spot) {
    count += before[spot] != kNoGroup && now[spot] == kNoGroup;
  }
  return count;
}

Grouped grouped_by(const Side& first, const Side& second, AlignRule rule, bool are_equal) {
  Grouping grouping(first, second);
  Grouped result;
  if (rule == AlignRule::kBest) {
    matching::SourceMatcher by_sources(grouping);
    by_sources.match();
    match_by_names(grouping);
    match_by_surroundings(grouping);
    match_by_order(grouping);
    // Where everything known is equal, nothing was changed, even if several alignments are
    // possible.
    const auto copy = [](std::span<const GroupId> groups) {
      return std::vector(groups.begin(), groups.end());
    };
    const auto guessed_first = copy(grouping.groups_of_a());
    const auto guessed_second = copy(grouping.groups_of_b());
    if (!are_equal) weigh_order(grouping);
    // A layer that was moved past its neighbours is out of order, but its neighbours still identify
    // it.
    match_by_neighbours(grouping);
    join_fused(grouping);
    by_sources.join();
    result.undecided_first = count_freed(guessed_first, grouping.groups_of_a());
    result.undecided_second = count_freed(guessed_second, grouping.groups_of_b());
  } else {
    match_by_predecessor(grouping, rule);
  }
  result.groups = std::move(grouping.groups());
  std::erase_if(result.groups, [](const Group& group) { return group.a.empty(); });
  return result;
}

}  // namespace

std::string_view to_string(MatchBy by) {
  switch (by) {
    case MatchBy::kSource:
      return "source";
    case MatchBy::kName:
      return "name";
    case MatchBy::kShape:
      return "shape";
    case MatchBy::kOrder:
      return "order";
    case MatchBy::kUnmatched:
      break;
  }
  return "none";
}

Alignment align(const model::PlanModel& a, const model::PlanModel& b, AlignRule rule) {
  const Side side_a(a), side_b(b);
  // Which of two engines comes first must not depend on which is called A: only then is every tie
  // decided the same way, and the alignment symmetric.
  const auto key_a = std::pair(side_a.size(), digest(side_a));
  const auto key_b = std::pair(side_b.size(), digest(side_b));
  const bool is_mirrored = key_b < key_a;
  Grouped found = is_mirrored ? grouped_by(side_b, side_a, rule, /*are_equal=*/false)
                              : grouped_by(side_a, side_b, rule, key_a == key_b);
  if (is_mirrored) {
    for (Group& group : found.groups) std::swap(group.a, group.b);
    std::swap(found.undecided_first, found.undecided_second);
  }
  return {.matches = ordered(side_a, side_b, std::move(found.groups)),
          .undecided_a = found.undecided_first,
          .undecided_b = found.undecided_second};
}

}  // namespace planex::analyze
