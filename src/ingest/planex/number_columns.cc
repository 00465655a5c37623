#include "ingest/planex/number_columns.h"

#include <limits>

#include "base/text.h"
#include "base/try.h"

namespace planex::ingest::planex_files {

namespace ondemand = simdjson::ondemand;
using base::format;

Result<void> NumberColumns::skip(std::string_view key, ondemand::value& value,
                                 const JsonPlace& place) const {
  PLANEX_TRY(json.raw(value, place));
  builder.add_diagnostic({.code = "unknown-key",
                          .severity = model::Severity::kInfo,
                          .message = format("the column {} is not read", base::quoted(key)),
                          .file = artefact.path,
                          .json_pointer = place.pointer()});
  return {};
}

Result<void> NumberColumns::read(ondemand::value& value, const JsonPlace& place,
                                 std::vector<double>& column) const {
  column.clear();
  return json.each_item(
      value, place, expected, [&](ondemand::value& item, const JsonPlace& at) -> Result<void> {
        const std::size_t limit = builder.limits().iterations;
        if (column.size() >= limit) return fail(model::too_many(what, limit, artefact.path));
        PLANEX_ASSIGN(const auto number, json.number(item, at));
        column.push_back(number.value_or(std::numeric_limits<double>::quiet_NaN()));
        return {};
      });
}

bool NumberColumns::has_length(std::string_view key, std::size_t length, std::size_t rows) const {
  if (length == rows) return true;
  builder.add_diagnostic({.code = "column-length",
                          .message = format("the column {} has {} and was left out, because {} has "
                                            "{}",
                                            key, base::counted(length, "number"), key_column, rows),
                          .file = artefact.path,
                          .json_pointer = format("/columns/{}", key)});
  return false;
}

}  // namespace planex::ingest::planex_files
