#include "query/result_units.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "model/schema.h"

namespace planex::query {
namespace {

constexpr auto kKeepUnit =
    std::to_array<std::string_view>({"sum", "total", "avg", "min", "max", "median", "percentile",
                                     "round", "abs", "coalesce", "ifnull"});

bool is_identifier(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::string_view unit_of_column(std::string_view name) {
  for (const model::TableInfo& table : model::schema()) {
    for (const model::ColumnInfo& column : table.columns) {
      if (column.name == name && !column.unit.empty()) return column.unit;
    }
  }
  return {};
}

// For an alias, only its own ending counts. `100 * sum(share) AS share` is not a ratio.
std::string_view unit_of_alias(std::string_view name) {
  constexpr auto kUnits = std::to_array<std::string_view>({"ms", "us", "bytes", "ratio", "count"});
  const auto unit = std::ranges::find(kUnits, name.substr(name.rfind('_') + 1));
  return unit == kUnits.end() ? std::string_view{} : *unit;
}

}  // namespace

std::string unit_of_expression(std::string_view name) {
  const std::string lower = base::lower(base::trimmed(name));
  if (is_identifier(lower)) return std::string(unit_of_alias(lower));
  std::string_view rest = lower;
  while (true) {
    const std::size_t open = rest.find('(');
    if (open == rest.npos || !rest.ends_with(')')) break;
    const std::string_view function = base::trimmed(rest.substr(0, open));
    if (function == "count") {
      // count(x) alone, not count(x)/count(y).
      return rest.find_first_of(")(", open + 1) == rest.size() - 1 ? "count" : std::string();
    }
    if (std::ranges::find(kKeepUnit, function) == kKeepUnit.end()) return {};
    rest = base::trimmed(rest.substr(open + 1, rest.size() - open - 2));
    // The last argument of percentile, round and ifnull; a bracket in it means another call.
    const std::size_t comma = rest.rfind(',');
    if (comma != rest.npos && rest.find_first_of("()", comma) == rest.npos) {
      rest = base::trimmed(rest.substr(0, comma));
    }
  }
  if (const std::size_t dot = rest.rfind('.'); dot != rest.npos) {
    if (!is_identifier(rest.substr(0, dot))) return {};
    rest = rest.substr(dot + 1);
  }
  return is_identifier(rest) ? std::string(unit_of_column(rest)) : std::string();
}

}  // namespace planex::query
