#include "ingest/planex/plan_cells.h"

#include "base/text.h"
#include "base/try.h"

namespace planex::ingest::planex_files {
namespace {

namespace ondemand = simdjson::ondemand;
using base::format;
using model::ColumnKind;
using model::PlanColumn;
using model::PlanUse;
using model::PlanValue;

// Texts that can also be given as the JSON that they represent.
bool takes_any_json(const PlanColumn& column) {
  return column.name == "value" || column.name == "parameters";
}

}  // namespace

PlanTable::PlanTable(std::string_view name) : name_(name) {
  const std::size_t table = *model::find_table(name);
  columns_ = model::plan_columns(table);
  infos_ = model::schema()[table].columns;
}

const PlanColumn* PlanTable::find(std::string_view key) {
  for (std::size_t tried = 0; tried < columns_.size(); ++tried) {
    const std::size_t at = next_;
    next_ = next_ + 1 == columns_.size() ? 0 : next_ + 1;
    if (columns_[at].name == key) return &columns_[at];
  }
  return nullptr;
}

bool PlanTable::may_be_negative(const PlanColumn& column) const {
  // Points in time have an arbitrary origin, and so can be before it.
  return column.name.starts_with("start") || column.name.starts_with("end") ||
         (name_ == "machine_samples" &&
          (column.name == "time_ms" || column.name == "inference_ms")) ||
         (name_ == "calibration" && (column.name == "min" || column.name == "max")) ||
         column.name.ends_with("cosine") || unit_of(column) == "dB" || unit_of(column) == "°C";
}

std::string_view PlanTable::unit_of(const PlanColumn& column) const {
  return infos_[static_cast<std::size_t>(&column - columns_.data())].unit;
}

Result<PlanValue> PlanCells::read(PlanTable& table, const PlanColumn& column,
                                  ondemand::value& value, const JsonPlace& place) {
  if (column.use != PlanUse::kFact) {
    PLANEX_TRY(json_.raw(value, place));
    report(
        "derived-key",
        format("{} is not read: it follows from the rest of the file", base::quoted(column.name)),
        place, model::Severity::kInfo);
    return PlanValue();
  }
  if (JsonRecords::is_null(value)) return PlanValue();
  switch (column.kind) {
    case ColumnKind::kInt: {
      const std::string_view unit = table.unit_of(column);
      if (unit == "bytes" || unit == "count") {
        PLANEX_ASSIGN(const auto number, size(value, place));
        return number ? PlanValue(*number) : PlanValue();
      }
      PLANEX_ASSIGN(const auto number, json_.integer(value, place));
      return PlanValue(*number);
    }
    case ColumnKind::kId: {
      PLANEX_ASSIGN(const auto number, json_.integer(value, place));
      if (*number < 0 || *number >= model::LayerId::kNullValue) {
        return fail(json_.input().wrong_value(place.pointer(), format("{}", *number),
                                              "the position of a record"));
      }
      return PlanValue(*number);
    }
    case ColumnKind::kReal: {
      PLANEX_ASSIGN(const auto number, json_.number(value, place));
      if (*number < 0 && !table.may_be_negative(column)) {
        report("negative-number", format("{} is not possible; treated as unknown", *number), place);
        return PlanValue();
      }
      return PlanValue(*number);
    }
    case ColumnKind::kText: {
      if (takes_any_json(column)) {
        PLANEX_ASSIGN(const JsonText text, json_.written(value, place));
        return PlanValue(builder_.strings().add(text.view, text.lifetime));
      }
      PLANEX_ASSIGN(const base::StringId id, word(value, place));
      return PlanValue(id);
    }
    case ColumnKind::kIntList: {
      PLANEX_ASSIGN(const IntRange range, list(value, place));
      return range.is_known ? PlanValue(ints(range)) : PlanValue();
    }
    case ColumnKind::kWord: {
      PLANEX_ASSIGN(const JsonText text, json_.text(value, place));
      return PlanValue(text.view);
    }
  }
  return PlanValue();
}

Result<void> PlanCells::set(PlanTable& table, const PlanColumn& column, std::size_t row,
                            ondemand::value& value, const JsonPlace& place) {
  PLANEX_ASSIGN(const PlanValue cell, read(table, column, value, place));
  if (std::holds_alternative<std::monostate>(cell)) return {};
  if (!column.set(builder_.model(), row, cell)) {
    report_word(std::get<std::string_view>(cell), place);
  }
  return {};
}

Result<model::DType> PlanCells::dtype(ondemand::value& value, const JsonPlace& place) {
  if (JsonRecords::is_null(value)) return model::DType::kNull;
  PLANEX_ASSIGN(const JsonText text, json_.text(value, place));
  const model::DType type = model::dtype_of(text.view);
  if (type == model::DType::kNull) report_word(text.view, place);
  return type;
}

Result<model::Layout> PlanCells::layout(ondemand::value& value, const JsonPlace& place) {
  if (JsonRecords::is_null(value)) return model::Layout{};
  PLANEX_ASSIGN(const JsonText text, json_.text(value, place));
  const model::Layout layout = model::layout_of(text.view);
  if (layout.order == model::Order::kNull) report_word(text.view, place);
  return layout;
}

Result<base::StringId> PlanCells::word(ondemand::value& value, const JsonPlace& place) {
  if (JsonRecords::is_null(value)) return base::StringId();
  PLANEX_ASSIGN(const JsonText text, json_.text(value, place));
  return words_.intern(text.view, text.lifetime);
}

Result<std::optional<std::int64_t>> PlanCells::size(ondemand::value& value,
                                                    const JsonPlace& place) {
  PLANEX_ASSIGN(const auto number, json_.integer(value, place));
  if (number && is_negative(*number, place)) return std::optional<std::int64_t>();
  return number;
}

Result<IntRange> PlanCells::list(ondemand::value& value, const JsonPlace& place) {
  if (JsonRecords::is_null(value)) return IntRange{};
  IntRange range{.first = lists_.size(), .is_known = true};
  PLANEX_TRY(json_.each_item(value, place, "a list of integers",
                             [&](ondemand::value& item, const JsonPlace& at) -> Result<void> {
                               PLANEX_ASSIGN(const auto number, json_.integer(item, at));
                               if (!number)
                                 return fail(
                                     json_.input().wrong_value(at.pointer(), "null", "an integer"));
                               lists_.push_back(*number);
                               return {};
                             }));
  range.count = lists_.size() - range.first;
  if (range.count >= model::IntList::kNullLength) {
    report("long-list", format("a list of {} numbers is too long and was dropped", range.count),
           place);
    return IntRange{};
  }
  return range;
}

bool PlanCells::is_negative(std::int64_t number, const JsonPlace& place) {
  if (number >= 0) return false;
  report("negative-number", format("{} is not possible; treated as unknown", number), place);
  return true;
}

void PlanCells::report_word(std::string_view word, const JsonPlace& place) {
  report("unknown-word",
         format("{} is not one of this column's words; treated as unknown", base::quoted(word)),
         place);
}

void PlanCells::report_unknown_key(std::string_view key, const JsonPlace& place,
                                   std::string_view kept_as) {
  report("unknown-key",
         format("the key {} was kept as {} and not read", base::quoted(key), kept_as), place,
         model::Severity::kInfo);
}

void PlanCells::report(std::string_view code, std::string message, const JsonPlace& place,
                       model::Severity severity) {
  builder_.add_diagnostic({.code = code,
                           .severity = severity,
                           .message = std::move(message),
                           .file = artefact_.path,
                           .json_pointer = place.pointer()});
}

}  // namespace planex::ingest::planex_files
