// Objects of planex's own documents as rows of a table: members are called as its columns, or as
// the reader says.
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

// A member that is not called as its column.
struct RenamedMember {
  std::string_view member, column;
};
// Of the records of quantizing and of accuracy alike.
inline constexpr auto kRenamedOfTensor = std::to_array<RenamedMember>({{"node", "op_name"}});
inline constexpr auto kRenamedOfOutput =
    std::to_array<RenamedMember>({{"row_count", "class_row_count"}});

// Takes a member that is no column, or says that it did not.
using OtherMember = std::function<Result<bool>(
    std::string_view member, simdjson::ondemand::value& value, const JsonPlace& place)>;

class RecordRows {
 public:
  // `table`: of the schema. `renamed` is static.
  RecordRows(JsonRecords& json, model::ModelBuilder& builder, const Artefact& artefact,
             std::string_view table, std::span<const RenamedMember> renamed = {});

  // Adds what the object says to a row that is there. Members that are no column are passed over,
  // unless `other` takes them: they are the document's own, or a newer planex's. True and false are
  // 1 and 0.
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
// every member. A second record of a kind, where there are rows already, is left out with a
// diagnostic. Errors: kBadInput (no JSON, no such list); those of `read_member`.
Result<void> read_record(JsonRecords& json, model::ModelBuilder& builder, const Artefact& artefact,
                         const Schema& schema, std::string_view list,
                         const std::function<std::size_t()>& row_count,
                         const MemberReader& read_member);

// A record has as many rows as an engine may have layers, at most. `what`: "tensors".
// Errors: kTooLarge as model::too_many() says.
Result<void> check_count(const model::ModelBuilder& builder, const Artefact& artefact,
                         std::size_t count, std::string_view what);

// Adds the value to `metadata` unless it is null: texts and numbers as they are, lists an item a
// row ("notes.0"); objects and lists of objects are passed over.
Result<void> keep_fact(JsonRecords& json, model::ModelBuilder& builder, const Artefact& artefact,
                       std::string_view section, std::string_view key,
                       simdjson::ondemand::value& value, const JsonPlace& place);

}  // namespace planex::ingest::planex_files
