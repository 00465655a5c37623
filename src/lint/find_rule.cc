#include <algorithm>

#include "lint/run.h"

namespace planex::lint {

const Rule* find_rule(std::string_view id) {
  const auto all = rules();
  const auto found = std::ranges::find(all, id, [](const Rule* rule) { return rule->info.id; });
  return found == all.end() ? nullptr : *found;
}

}  // namespace planex::lint
