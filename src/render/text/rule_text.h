// One lint rule in full: `planex lint --explain RULE`.
#pragma once

#include <string>
#include <string_view>

#include "lint/rule.h"
#include "render/text/table_text.h"

namespace planex::render {

// `example`: a finding of a real engine, lines of its own; may be empty.
std::string rule_text(const lint::RuleInfo& info, std::string_view example,
                      const TableStyle& style);

// The SQL of a user's rule.
std::string rule_sql_text(std::string_view sql);

}  // namespace planex::render
