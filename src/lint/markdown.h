// The reference page of the rules, from their own descriptions.
#ifndef PLANEX_LINT_MARKDOWN_H_
#define PLANEX_LINT_MARKDOWN_H_

#include <string>

namespace planex::lint {

// docs/reference/rules.md: `planex lint --rules --format markdown`.
std::string rules_reference();

}  // namespace planex::lint

#endif  // PLANEX_LINT_MARKDOWN_H_
