// A finding of each rule as it looks on a real engine: from the rule's golden files.
#pragma once

#include <string_view>

namespace planex::lint {

// The first finding of the first case that fires, one part per line. Empty if there is no rule with
// this id, or no golden file for it. Static storage.
std::string_view example(std::string_view rule);

}  // namespace planex::lint
