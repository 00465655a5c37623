#include <algorithm>
#include <array>
#include <vector>

#include "analyze/align/sequences.h"
#include "analyze/align/stages.h"
#include "analyze/align/surroundings.h"

namespace planex::analyze::matching {
namespace {

// Radius of the search around layers with nothing known around them, and number of rounds, each
// using what the last one found. What is not found this way is matched by order.
constexpr int kRadius = 6;
constexpr int kMaxTurns = 8;

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

// One search over free layers by the hashes of one radius.
class Look {
 public:
  Look(Grouping& grouping, Detail detail, double certainty)
      : grouping_(grouping),
        keys_a_(keys_of(grouping.a(), grouping.groups_of_a(), detail)),
        keys_b_(keys_of(grouping.b(), grouping.groups_of_b(), detail)),
        near_a_(grouping.a(), grouping.groups_of_a()),
        near_b_(grouping.b(), grouping.groups_of_b()),
        certainty_(certainty) {}

  // Matches layers next to a match by the hash of the widest surroundings that only one layer has.
  // Returns whether there were any.
  bool match_next_to_matches() {
    bool any = false;
    for (int radius = kRadius; radius > 0; --radius) {
      for (const auto& [a, b] : only_pairs(radius)) {
        if (near_a_.of(a).empty() || near_b_.of(b).empty()) continue;
        grouping_.match(a, b, MatchBy::kShape, certainty_);
        any = true;
      }
    }
    return any;
  }

  // Matches layers with nothing known around them by their widest surroundings, if that agrees with
  // the order of all other matches: among many layers, two are similar by chance.
  bool match_far_from_matches() {
    std::vector<Step> pairs;
    for (const Group& group : grouping_.groups()) {
      if (!group.a.empty()) {
        pairs.emplace_back(std::ranges::min(group.a), std::ranges::min(group.b));
      }
    }
    for (const auto& [a, b] : only_pairs(kRadius)) pairs.emplace_back(a, b);
    std::ranges::sort(pairs);
    bool any = false;
    for (const auto& [a, b] : longest_ascending(pairs)) {
      if (!grouping_.a_is_free(a)) continue;
      grouping_.match(a, b, MatchBy::kShape, certainty_);
      any = true;
    }
    return any;
  }

 private:
  std::vector<std::vector<Key>> keys_of(const Side& side, std::span<const GroupId> groups,
                                        Detail detail) const {
    return surroundings(side, groups, grouping_.places(), detail, kRadius);
  }

  // Free layers with a hash that no other free layer has in either engine.
  std::vector<Step> only_pairs(int radius) const {
    const auto step = static_cast<std::size_t>(radius);
    const std::vector<Bearer> in_a = only_bearers(keys_a_[step], grouping_.groups_of_a());
    const std::vector<Bearer> in_b = only_bearers(keys_b_[step], grouping_.groups_of_b());
    std::vector<Step> pairs;
    for (std::size_t a = 0, b = 0; a < in_a.size() && b < in_b.size();) {
      if (in_a[a].key != in_b[b].key) {
        in_a[a].key < in_b[b].key ? ++a : ++b;
      } else {
        if (grouping_.may_match(in_a[a].spot, in_b[b].spot)) {
          pairs.emplace_back(in_a[a].spot, in_b[b].spot);
        }
        ++a;
        ++b;
      }
    }
    return pairs;
  }

  Grouping& grouping_;
  std::vector<std::vector<Key>> keys_a_, keys_b_;
  NearMatches near_a_, near_b_;
  double certainty_;
};

}  // namespace

void match_by_surroundings(Grouping& grouping) {
  struct Pass {
    Detail detail;
    double certainty;
  };
  for (const auto& [detail, certainty] :
       std::array{Pass{Detail::kAll, 0.85}, Pass{Detail::kOutline, 0.75}}) {
    for (int turn = 0; turn < kMaxTurns; ++turn) {
      if (!has_free(grouping.groups_of_a()) || !has_free(grouping.groups_of_b())) return;
      Look look(grouping, detail, certainty);
      if (!look.match_next_to_matches() && !look.match_far_from_matches()) break;
    }
  }
}

}  // namespace planex::analyze::matching
