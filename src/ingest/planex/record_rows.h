// Objects of planex's own documents as rows of a table: members have the names of its columns, or
// names that the reader gives.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string_view>

#include "ingest/json_record.h"
#include "ingest/reader.h"
#include "model/builder.h"
#include "model/plan_columns.h"
#include "planex/error.h"

namespace planex::ingest::planex_files {

// A member with another name than its column.
struct RenamedMember {
  std::string_view member, column;
};
// For both the records of quantization and of accuracy.
inline constexpr auto kRenamedOfTensor = std::to_array<RenamedMember>({{"node", "op_name"}});
inline constexpr auto kRenamedOfOutput =
    std::to_array<RenamedMember>({{"row_count", "class_row_count"}});

// Consumes a member that is not a column, or returns that it did not.
using OtherMember = std::function<Result<bool>(
    std::string_view member, simdjson::ondemand::value& value, const JsonPlace& place)>;

class RecordRows {
 public:
  // `table`: from the schema. `renamed` is static.
  RecordRows(JsonRecords& json, model::ModelBuilder& builder, const Artefact& artefact,
             std::string_view table, std::span<const RenamedMember> renamed = {});

  // Adds the content of the object to an existing row. Members that are not columns are skipped,
  // unless `other` consumes them: they are the document's own, or come from a newer planex. True
  // and false are 1 and 0.
  // Errors: kBadInput, a value of another type than the column's; those of `other`.
  Result<void> read(simdjson::ondemand::value& value, const JsonPlace& place, std::size_t row,
                    const OtherMember& other = {});

 private:
  const model::PlanColumn* find(std::string_view member) const;
  Result<void> read_cell(const model::PlanColumn& column, simdjson::ondemand::value& value,
                         const JsonPlace& place, std::size_t row);
  Result<void> read_list(const model::PlanColumn& column, simdjson::ondemand::value& value,
                         const JsonPlace& place, std::size_t row);

  JsonRecords& json_;
  model::ModelBuilder& builder_;
  const Artefact& artefact_;
  std::span<const model::PlanColumn> columns_;
  std::span<const RenamedMember> renamed_;
};

using MemberReader = std::function<Result<void>(
    std::string_view key, simdjson::ondemand::value& value, const JsonPlace& place)>;

// Reads a record whose rows are in the list `list` of its document; `read_member` is called for
// every member. A second record of a kind, when there are already rows, is left out with a
// diagnostic. Errors: kBadInput (not JSON, no such list); those of `read_member`.
Result<void> read_record(JsonRecords& json, model::ModelBuilder& builder, const Artefact& artefact,
                         const Schema& schema, std::string_view list,
                         const std::function<std::size_t()>& row_count,
                         const MemberReader& read_member);

// A record can have at most as many rows as an engine can have layers. `what`: "tensors".
// Errors: kTooLarge, from model::too_many().
Result<void> check_count(const model::ModelBuilder& builder, const Artefact& artefact,
                         std::size_t count, std::string_view what);

// Adds the value to `metadata` unless it is null: texts and numbers unchanged, lists as one row per
// item ("notes.0"); objects and lists of objects are skipped.
Result<void> keep_fact(JsonRecords& json, model::ModelBuilder& builder, const Artefact& artefact,
                       std::string_view section, std::string_view key,
                       simdjson::ondemand::value& value, const JsonPlace& place);

}  // namespace planex::ingest::planex_files
