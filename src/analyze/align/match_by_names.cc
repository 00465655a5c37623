#include <algorithm>
#include <unordered_map>

#include "analyze/align/stages.h"

namespace planex::analyze::matching {

void match_by_names(Grouping& grouping) {
  struct Bearers {
    std::uint32_t in_a = 0, in_b = 0;
    Spot a = 0, b = 0;
  };
  std::unordered_map<Key, Bearers> names;
  const auto usable = [](const Traits& traits) {
    return traits.name != 0 && !traits.name_is_counted;
  };
  for (Spot a = 0; a < grouping.a().size(); ++a) {
    const Traits& traits = grouping.a().traits[a];
    if (!usable(traits)) continue;
    Bearers& bearers = names[traits.name];
    ++bearers.in_a;
    bearers.a = a;
  }
  for (Spot b = 0; b < grouping.b().size(); ++b) {
    const Traits& traits = grouping.b().traits[b];
    if (!usable(traits)) continue;
    const auto found = names.find(traits.name);
    if (found == names.end()) continue;
    ++found->second.in_b;
    found->second.b = b;
  }
  for (Spot a = 0; a < grouping.a().size(); ++a) {
    const Traits& traits = grouping.a().traits[a];
    if (!usable(traits) || !grouping.a_is_free(a)) continue;
    const Bearers& bearers = names[traits.name];
    if (bearers.in_a != 1 || bearers.in_b != 1 || !grouping.b_is_free(bearers.b)) continue;
    if (!grouping.may_match(a, bearers.b)) continue;
    constexpr double kLike = 0.6, kSure = 0.9, kLessSure = 0.7;
    const double like = likeness(traits, grouping.b().traits[bearers.b]);
    grouping.match(a, bearers.b, MatchBy::kName, like >= kLike ? kSure : kLessSure);
  }
}

}  // namespace planex::analyze::matching
