#include <algorithm>
#include <tuple>
#include <vector>

#include "analyze/align/stages.h"
#include "analyze/align/surroundings.h"

namespace planex::analyze::matching {
namespace {

// Free layers of one kind next to one match that are looked at; a match with more of them next to
// it (a tensor that all read) can't tell them apart.
constexpr std::size_t kMaxNextToOne = 16;

// A free layer by what it is and a match next to it.
struct Place {
  Key what = 0;
  GroupId next_to = 0;
  Spot spot = 0;
  auto operator<=>(const Place&) const = default;
  bool is_with(const Place& other) const { return what == other.what && next_to == other.next_to; }
};

std::vector<Place> places_of(const Grouping& grouping, const Side& side, const NearMatches& near,
                             std::span<const GroupId> groups) {
  std::vector<Place> places;
  for (Spot spot = 0; spot < side.size(); ++spot) {
    if (groups[spot] != kNoGroup) continue;
    const Key what = outline(side.traits[spot], Detail::kResult, grouping.places());
    for (const GroupId group : near.of(spot)) places.push_back({what, group, spot});
  }
  std::ranges::sort(places);
  return places;
}

struct Pair {
  std::uint32_t common = 0;  // matches next to both
  double like = 0;
  Spot a = 0, b = 0;
};

std::vector<Pair> pairs_next_to_one(const Grouping& grouping) {
  const NearMatches near_a(grouping.a(), grouping.groups_of_a());
  const NearMatches near_b(grouping.b(), grouping.groups_of_b());
  const std::vector<Place> in_a = places_of(grouping, grouping.a(), near_a, grouping.groups_of_a());
  const std::vector<Place> in_b = places_of(grouping, grouping.b(), near_b, grouping.groups_of_b());
  std::vector<std::pair<Spot, Spot>> met;
  for (std::size_t a = 0, b = 0; a < in_a.size() && b < in_b.size();) {
    if (!in_a[a].is_with(in_b[b])) {
      std::tie(in_a[a].what, in_a[a].next_to) < std::tie(in_b[b].what, in_b[b].next_to) ? ++a : ++b;
      continue;
    }
    const std::size_t first_a = a, first_b = b;
    while (a < in_a.size() && in_a[a].is_with(in_a[first_a])) ++a;
    while (b < in_b.size() && in_b[b].is_with(in_b[first_b])) ++b;
    if (a - first_a > kMaxNextToOne || b - first_b > kMaxNextToOne) continue;
    for (std::size_t x = first_a; x < a; ++x) {
      for (std::size_t y = first_b; y < b; ++y) met.emplace_back(in_a[x].spot, in_b[y].spot);
    }
  }
  std::ranges::sort(met);
  std::vector<Pair> pairs;
  for (const auto& [a, b] : met) {
    if (pairs.empty() || pairs.back().a != a || pairs.back().b != b) {
      if (!grouping.may_match(a, b)) continue;
      pairs.push_back(
          {.like = likeness(grouping.a().traits[a], grouping.b().traits[b]), .a = a, .b = b});
    }
    ++pairs.back().common;
  }
  return pairs;
}

}  // namespace

void match_by_neighbours(Grouping& grouping) {
  constexpr double kAlike = 0.6, kCertainty = 0.7;
  std::vector<Pair> pairs = pairs_next_to_one(grouping);
  std::ranges::stable_sort(pairs, [](const Pair& x, const Pair& y) {
    return std::tie(y.common, y.like) < std::tie(x.common, x.like);
  });
  for (const Pair& pair : pairs) {
    if (pair.like < kAlike || !grouping.a_is_free(pair.a) || !grouping.b_is_free(pair.b)) continue;
    grouping.match(pair.a, pair.b, MatchBy::kShape, kCertainty * pair.like);
  }
}

}  // namespace planex::analyze::matching
