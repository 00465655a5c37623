#include <algorithm>
#include <array>
#include <vector>

#include "analyze/align/stages.h"
#include "analyze/align/surroundings.h"

namespace planex::analyze::matching {
namespace {

// How far one look goes, and how often it is taken with what the last one found. What lies further
// from all that is known is left to its order.
constexpr int kRadius = 4;
constexpr int kMostTurns = 4;

struct Bearer {
  Key key = 0;
  Spot spot = 0;
  auto operator<=>(const Bearer&) const = default;
};

// Layers with a hash that no other free layer of the same engine has, by hash.
std::vector<Bearer> only_bearers(std::span<const Key> keys, std::span<const GroupId> groups) {
  std::vector<Bearer> bearers;
  for (Spot spot = 0; spot < keys.size(); ++spot) {
    if (groups[spot] == kNoGroup) bearers.push_back({keys[spot], spot});
  }
  std::ranges::sort(bearers);
  std::vector<Bearer> only;
  for (std::size_t at = 0; at < bearers.size();) {
    std::size_t end = at + 1;
    while (end < bearers.size() && bearers[end].key == bearers[at].key) ++end;
    if (end == at + 1) only.push_back(bearers[at]);
    at = end;
  }
  return only;
}

bool has_free(std::span<const GroupId> groups) {
  return std::ranges::find(groups, kNoGroup) != groups.end();
}

// One look with hashes of all radii, the largest first. Returns whether it matched anything.
bool match_once(Grouping& grouping, Detail detail, double certainty) {
  const auto keys_of = [&](const Side& side, std::span<const GroupId> groups) {
    return surroundings(side, groups, grouping.places(), detail, kRadius);
  };
  const auto keys_a = keys_of(grouping.a(), grouping.groups_of_a());
  const auto keys_b = keys_of(grouping.b(), grouping.groups_of_b());
  const NearMatches near_a(grouping.a(), grouping.groups_of_a());
  bool any = false;
  for (int radius = kRadius; radius > 0; --radius) {
    const auto step = static_cast<std::size_t>(radius);
    const std::vector<Bearer> in_a = only_bearers(keys_a[step], grouping.groups_of_a());
    const std::vector<Bearer> in_b = only_bearers(keys_b[step], grouping.groups_of_b());
    for (std::size_t a = 0, b = 0; a < in_a.size() && b < in_b.size();) {
      if (in_a[a].key != in_b[b].key) {
        in_a[a].key < in_b[b].key ? ++a : ++b;
        continue;
      }
      // The closest surroundings tell nothing unless some of them are known.
      if (radius > 1 || !near_a.of(in_a[a].spot).empty()) {
        grouping.match(in_a[a].spot, in_b[b].spot, MatchBy::kShape, certainty);
        any = true;
      }
      ++a;
      ++b;
    }
  }
  return any;
}

}  // namespace

void match_by_surroundings(Grouping& grouping) {
  struct Look {
    Detail detail;
    double certainty;
  };
  for (const auto& [detail, certainty] :
       std::array{Look{Detail::kAll, 0.85}, Look{Detail::kOutline, 0.75}}) {
    for (int turn = 0; turn < kMostTurns; ++turn) {
      if (!has_free(grouping.groups_of_a()) || !has_free(grouping.groups_of_b())) return;
      if (!match_once(grouping, detail, certainty)) break;
    }
  }
}

}  // namespace planex::analyze::matching
