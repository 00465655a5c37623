#include <algorithm>
#include <tuple>
#include <vector>

#include "analyze/align/lists.h"
#include "analyze/align/stages.h"
#include "analyze/align/surroundings.h"

namespace planex::analyze::matching {
namespace {

// Maximum number of free layers of one kind next to a match; a match with more of them next to it
// (a tensor that all read) can't tell them apart.
constexpr std::size_t kMaxNextToOne = 16;

// A free layer by what it is and a match next to it.
struct Place {
  Key what = 0;
  NearMatch next_to;
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
    for (const NearMatch& match : near.of(spot)) places.push_back({what, match, spot});
  }
  std::ranges::sort(places);
  return places;
}

struct Pair {
  // Matches that write what both read, and that read what both write.
  std::uint32_t before = 0, behind = 0;
  double like = 0;
  Spot a = 0, b = 0;
};

std::vector<Pair> pairs_next_to_one(const Grouping& grouping) {
  const NearMatches near_a(grouping.a(), grouping.groups_of_a());
  const NearMatches near_b(grouping.b(), grouping.groups_of_b());
  const std::vector<Place> in_a = places_of(grouping, grouping.a(), near_a, grouping.groups_of_a());
  const std::vector<Place> in_b = places_of(grouping, grouping.b(), near_b, grouping.groups_of_b());
  struct Meeting {
    Spot a = 0, b = 0;
    bool reads = false;
    auto operator<=>(const Meeting&) const = default;
  };
  std::vector<Meeting> met;
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
      for (std::size_t y = first_b; y < b; ++y) {
        met.push_back({in_a[x].spot, in_b[y].spot, in_a[x].next_to.reads});
      }
    }
  }
  std::ranges::sort(met);
  std::vector<Pair> pairs;
  for (const auto& [a, b, reads] : met) {
    if (pairs.empty() || pairs.back().a != a || pairs.back().b != b) {
      if (!grouping.may_match(a, b)) continue;
      pairs.push_back(
          {.like = likeness(grouping.a().traits[a], grouping.b().traits[b]), .a = a, .b = b});
    }
    ++(reads ? pairs.back().behind : pairs.back().before);
  }
  return pairs;
}

// Pairs between matches on both sides that no other pair comes near: with several pairs equally
// similar and near, a match would be a guess.
bool match_without_rivals(Grouping& grouping) {
  constexpr double kMinLike = 0.6, kByNeighbours = 0.7, kLessLike = 0.1;
  const std::vector<Pair> pairs = pairs_next_to_one(grouping);
  const auto comes_near = [](const Pair& rival, const Pair& pair) {
    return rival.like >= pair.like || (rival.before + rival.behind >= pair.before + pair.behind &&
                                       rival.like > pair.like - kLessLike);
  };
  // The pairs of each layer.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> of_a, of_b;
  for (std::uint32_t pair = 0; pair < pairs.size(); ++pair) {
    of_a.emplace_back(pairs[pair].a, pair);
    of_b.emplace_back(pairs[pair].b, pair);
  }
  const Lists pairs_of_a = grouped(of_a, grouping.a().size());
  const Lists pairs_of_b = grouped(of_b, grouping.b().size());
  const auto has_rival = [&](const Pair& pair, std::span<const std::uint32_t> others) {
    return std::ranges::any_of(others, [&](std::uint32_t other) {
      return &pairs[other] != &pair && comes_near(pairs[other], pair);
    });
  };
  std::vector<const Pair*> sure;
  for (const Pair& pair : pairs) {
    if (pair.like < kMinLike || pair.before == 0 || pair.behind == 0) continue;
    if (has_rival(pair, pairs_of_a[pair.a]) || has_rival(pair, pairs_of_b[pair.b])) continue;
    sure.push_back(&pair);
  }
  for (const Pair* pair : sure) {
    grouping.match(pair->a, pair->b, MatchBy::kShape, kByNeighbours * pair->like);
  }
  return !sure.empty();
}

}  // namespace

void match_by_neighbours(Grouping& grouping) {
  constexpr int kMaxRounds = 4;
  for (int round = 0; round < kMaxRounds && match_without_rivals(grouping); ++round) {
  }
}

}  // namespace planex::analyze::matching
