// Cells of planex.plan/1: puts a JSON value into the column of its name. The columns, their kinds
// and their words come from the schema, so a new column needs no code here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/string_pool.h"
#include "ingest/json_record.h"
#include "model/plan_columns.h"

namespace planex::ingest::planex_files {

// The columns of one table, looked up by name. Files list them in the schema's order, so the search
// begins after the last one that was found.
class PlanTable {
 public:
  // `name` outlives this.
  explicit PlanTable(std::string_view name);

  // Null if there is none.
  const model::PlanColumn* find(std::string_view key);
  std::string_view unit_of(const model::PlanColumn& column) const;
  // Whether a number in it can be negative.
  bool may_be_negative(const model::PlanColumn& column) const;

 private:
  std::string_view name_;
  std::span<const model::PlanColumn> columns_;
  std::span<const model::ColumnInfo> infos_;
  std::size_t next_ = 0;
};

// Integers of lists, collected for one record.
struct IntRange {
  std::size_t first = 0, count = 0;
  bool is_known = false;
};

class PlanCells {
 public:
  PlanCells(const Artefact& artefact, JsonRecords& json, model::ModelBuilder& builder)
      : artefact_(artefact), json_(json), builder_(builder), words_(builder.strings()) {}

  // The value for a column; nothing if it is null, or invalid, which is then reported. A list is in
  // lists(), until clear_lists().
  Result<model::PlanValue> read(PlanTable& table, const model::PlanColumn& column,
                                simdjson::ondemand::value& value, const JsonPlace& place);
  // Reads it and sets the cell.
  Result<void> set(PlanTable& table, const model::PlanColumn& column, std::size_t row,
                   simdjson::ondemand::value& value, const JsonPlace& place);

  // One of a list of words, such as DType by its name; kNull and a diagnostic if it is not one.
  Result<model::DType> dtype(simdjson::ondemand::value& value, const JsonPlace& place);
  Result<model::Layout> layout(simdjson::ondemand::value& value, const JsonPlace& place);
  // A text that many records share; the null id if the value is null.
  Result<base::StringId> word(simdjson::ondemand::value& value, const JsonPlace& place);
  // A size or count; nothing if it is null or negative.
  Result<std::optional<std::int64_t>> size(simdjson::ondemand::value& value,
                                           const JsonPlace& place);
  Result<IntRange> list(simdjson::ondemand::value& value, const JsonPlace& place);
  std::span<const std::int64_t> ints(const IntRange& range) const {
    return std::span(lists_).subspan(range.first, range.count);
  }
  void clear_lists() { lists_.clear(); }

  // For a key without a column, after it was kept elsewhere.
  void report_unknown_key(std::string_view key, const JsonPlace& place, std::string_view kept_as);
  void report(std::string_view code, std::string message, const JsonPlace& place,
              model::Severity severity = model::Severity::kWarning);

 private:
  bool is_negative(std::int64_t number, const JsonPlace& place);
  void report_word(std::string_view word, const JsonPlace& place);

  const Artefact& artefact_;
  JsonRecords& json_;
  model::ModelBuilder& builder_;
  base::InternCache words_;
  std::vector<std::int64_t> lists_;
};

}  // namespace planex::ingest::planex_files
