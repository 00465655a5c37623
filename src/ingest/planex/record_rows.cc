#include "ingest/planex/record_rows.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "base/try.h"
#include "model/plan_model.h"

namespace planex::ingest::planex_files {
namespace {

namespace ondemand = simdjson::ondemand;
using model::ColumnKind;
using model::PlanColumn;
using model::PlanValue;

// Whether the value begins with one of these.
bool begins_with(ondemand::value& value, std::string_view characters) {
  const std::string_view token = value.raw_json_token();
  return !token.empty() && characters.find(token.front()) != characters.npos;
}

}  // namespace

RecordRows::RecordRows(JsonRecords& json, model::ModelBuilder& builder, const Artefact& artefact,
                       std::string_view table, std::span<const RenamedMember> renamed)
    : json_(json),
      builder_(builder),
      artefact_(artefact),
      columns_(model::plan_columns(*model::find_table(table))),
      renamed_(renamed) {}

const PlanColumn* RecordRows::find(std::string_view member) const {
  const auto renamed = std::ranges::find(renamed_, member, &RenamedMember::member);
  const std::string_view name = renamed == renamed_.end() ? member : renamed->column;
  const auto found = std::ranges::find(columns_, name, &PlanColumn::name);
  return found == columns_.end() || found->kind == ColumnKind::kId ? nullptr : &*found;
}

Result<void> RecordRows::read(ondemand::value& value, const JsonPlace& place, std::size_t row,
                              const OtherMember& other) {
  return json_.each_field(
      value, place, "an object",
      [&](std::string_view member, ondemand::value& item, const JsonPlace& at) -> Result<void> {
        const PlanColumn* column = find(member);
        if (column != nullptr) return read_cell(*column, item, at, row);
        if (other) {
          PLANEX_ASSIGN(const bool is_taken, other(member, item, at));
          if (is_taken) return {};
        }
        PLANEX_TRY(json_.raw(item, at));
        return {};
      });
}

Result<void> RecordRows::read_cell(const PlanColumn& column, ondemand::value& value,
                                   const JsonPlace& place, std::size_t row) {
  if (JsonRecords::is_null(value)) return {};
  PlanValue cell;
  if (column.kind == ColumnKind::kIntList) return read_list(column, value, place, row);
  if (column.kind == ColumnKind::kReal) {
    PLANEX_ASSIGN(const auto number, json_.number(value, place));
    if (number) cell = PlanValue(*number);
  } else if (column.kind == ColumnKind::kInt && begins_with(value, "tf")) {
    PLANEX_ASSIGN(const bool flag, json_.boolean(value, place));
    cell = PlanValue(std::int64_t{flag ? 1 : 0});
  } else if (column.kind == ColumnKind::kInt) {
    PLANEX_ASSIGN(const auto number, json_.integer(value, place));
    if (number) cell = PlanValue(*number);
  } else if (column.kind == ColumnKind::kWord) {
    PLANEX_ASSIGN(const JsonText text, json_.text(value, place));
    if (!column.set(builder_.model(), row, PlanValue(text.view))) {
      builder_.add_diagnostic({.code = "unknown-word",
                               .message = base::format("{} is not one of this column's words; "
                                                       "treated as unknown",
                                                       base::quoted(text.view)),
                               .file = artefact_.path,
                               .json_pointer = place.pointer()});
    }
    return {};
  } else {
    PLANEX_ASSIGN(const JsonText text, json_.text(value, place));
    if (!text.view.empty()) cell = PlanValue(builder_.strings().intern(text.view));
  }
  if (!std::holds_alternative<std::monostate>(cell)) column.set(builder_.model(), row, cell);
  return {};
}

Result<void> RecordRows::read_list(const PlanColumn& column, ondemand::value& value,
                                   const JsonPlace& place, std::size_t row) {
  std::vector<std::int64_t> numbers;
  PLANEX_TRY(json_.each_item(value, place, "a list of integers",
                             [&](ondemand::value& item, const JsonPlace& at) -> Result<void> {
                               PLANEX_ASSIGN(const auto number, json_.integer(item, at));
                               if (!number || *number < 0) {
                                 return fail(json_.input().wrong_value(
                                     at.pointer(), number ? base::format("{}", *number) : "null",
                                     "a count"));
                               }
                               numbers.push_back(*number);
                               return {};
                             }));
  if (numbers.size() >= model::IntList::kNullLength) {
    builder_.add_diagnostic(
        {.code = "long-list",
         .message =
             base::format("a list of {} numbers is too long and was dropped", numbers.size()),
         .file = artefact_.path,
         .json_pointer = place.pointer()});
    return {};
  }
  column.set(builder_.model(), row, PlanValue(std::span<const std::int64_t>(numbers)));
  return {};
}

Result<void> read_record(JsonRecords& json, model::ModelBuilder& builder, const Artefact& artefact,
                         const Schema& schema, std::string_view list,
                         const std::function<std::size_t()>& row_count,
                         const MemberReader& read_member) {
  if (row_count() > 0) {
    builder.add_diagnostic({.code = "left-out",
                            .message = base::format("another {} was read before this one",
                                                    schema.what.substr(schema.what.find(' ') + 1)),
                            .file = artefact.path});
    return {};
  }
  bool has_list = false;
  PLANEX_TRY(
      json.read_document([&](std::string_view key, ondemand::value& value, const JsonPlace& place) {
        has_list |= key == list;
        return read_member(key, value, place);
      }));
  if (!has_list) {
    return fail({.code = ErrorCode::kBadInput,
                 .message = base::format("not {}: it has no list \"{}\"", schema.what, list),
                 .file = artefact.path,
                 .hint = std::string(schema.hint)});
  }
  builder.model().files.record_count.set(artefact.file_row, static_cast<std::int64_t>(row_count()));
  return {};
}

Result<void> check_count(const model::ModelBuilder& builder, const Artefact& artefact,
                         std::size_t count, std::string_view what) {
  if (count < builder.limits().layers) return {};
  return fail(model::too_many(what, builder.limits().layers, artefact.path));
}

Result<void> keep_fact(JsonRecords& json, model::ModelBuilder& builder, const Artefact& artefact,
                       std::string_view section, std::string_view key, ondemand::value& value,
                       const JsonPlace& place) {
  if (JsonRecords::is_null(value)) return {};
  const auto pass_over = [&](ondemand::value& item, const JsonPlace& at) -> Result<void> {
    PLANEX_TRY(json.raw(item, at));
    return {};
  };
  if (begins_with(value, "{")) return pass_over(value, place);
  if (begins_with(value, "[")) {
    std::size_t index = 0;
    return json.each_item(value, place, "a list",
                          [&](ondemand::value& item, const JsonPlace& at) -> Result<void> {
                            if (begins_with(item, "{[")) return pass_over(item, at);
                            const std::string name = base::format("{}.{}", key, index++);
                            return keep_fact(json, builder, artefact, section, name, item, at);
                          });
  }
  PLANEX_ASSIGN(const JsonText text, json.written(value, place));
  if (!text.view.empty()) builder.add_metadata(section, key, text.view, artefact.path);
  return {};
}

}  // namespace planex::ingest::planex_files
