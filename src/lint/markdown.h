// The reference page of the rules, from their own descriptions.
#pragma once

#include <string>

namespace planex::lint {

// docs/reference/rules.md: `planex lint --rules --format markdown`.
std::string rules_reference();

}  // namespace planex::lint
