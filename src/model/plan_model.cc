#include "model/plan_model.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "model/column_kind.h"

namespace planex::model {
namespace {

constexpr ColumnType type_of(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::kInt:
    case ColumnKind::kId:
      return ColumnType::kInt64;
    case ColumnKind::kReal:
      return ColumnType::kDouble;
    case ColumnKind::kIntList:
      return ColumnType::kList;
    case ColumnKind::kText:
    case ColumnKind::kWord:
      break;
  }
  return ColumnType::kText;
}

#define PLANEX_COLUMN_INFO(kind, name, unit, description) \
  ColumnInfo{#name, type_of(kKindOf<kind>), unit, description},
#define PLANEX_DEFINE_COLUMNS(Struct, table, COLUMNS, description) \
  constexpr ColumnInfo k##Struct##Columns[] = {COLUMNS(PLANEX_COLUMN_INFO)};
PLANEX_TABLES(PLANEX_DEFINE_COLUMNS)
#undef PLANEX_DEFINE_COLUMNS
#undef PLANEX_COLUMN_INFO

#define PLANEX_TABLE_INFO(Struct, table, COLUMNS, description) \
  TableInfo{#table, description, k##Struct##Columns},
constexpr TableInfo kTables[] = {PLANEX_TABLES(PLANEX_TABLE_INFO)};
#undef PLANEX_TABLE_INFO

Cell to_cell(const PlanModel&, const Int& column, std::size_t row) { return column[row]; }
Cell to_cell(const PlanModel&, const Real& column, std::size_t row) { return column[row]; }
Cell to_cell(const PlanModel&, const IntList& column, std::size_t row) { return column[row]; }
Cell to_cell(const PlanModel& model, const Text& column, std::size_t row) {
  return model.text(column[row]);
}
template <typename Tag>
Cell to_cell(const PlanModel&, const Column<base::Id<Tag>>& column, std::size_t row) {
  return static_cast<std::int64_t>(column[row].index());
}
template <typename E>
Cell to_cell(const PlanModel&, const Column<E>& column, std::size_t row) {
  return to_string(column[row]);
}

using Accessor = Cell (*)(const PlanModel&, std::size_t row);

#define PLANEX_ACCESSOR(kind, name, unit, description)                 \
  [](const PlanModel& model, std::size_t row) -> Cell {                \
    const auto& column = table_of(model).name;                         \
    return column.is_null(row) ? Cell{} : to_cell(model, column, row); \
  },
#define PLANEX_DEFINE_ACCESSORS(Struct, table, COLUMNS, description)                         \
  struct Struct##Accessors {                                                                 \
    static const Struct& table_of(const PlanModel& model) { return model.table; }            \
    static std::size_t row_count(const PlanModel& model) { return model.table.row_count(); } \
    static constexpr Accessor kColumns[] = {COLUMNS(PLANEX_ACCESSOR)};                       \
  };
PLANEX_TABLES(PLANEX_DEFINE_ACCESSORS)
#undef PLANEX_DEFINE_ACCESSORS
#undef PLANEX_ACCESSOR

struct TableAccess {
  std::size_t (*row_count)(const PlanModel&);
  std::span<const Accessor> columns;
};
#define PLANEX_TABLE_ACCESS(Struct, table, COLUMNS, description) \
  TableAccess{&Struct##Accessors::row_count, Struct##Accessors::kColumns},
constexpr TableAccess kAccess[] = {PLANEX_TABLES(PLANEX_TABLE_ACCESS)};
#undef PLANEX_TABLE_ACCESS

}  // namespace

std::string_view to_string(ColumnType type) {
  constexpr std::array<std::string_view, 4> kNames = {"int64", "double", "text", "list"};
  const auto index = static_cast<std::size_t>(type);
  return index < kNames.size() ? kNames[index] : std::string_view();
}

std::span<const TableInfo> schema() { return kTables; }

std::optional<std::size_t> find_table(std::string_view name) {
  const auto found = std::ranges::find(kTables, name, &TableInfo::name);
  if (found == std::end(kTables)) return std::nullopt;
  return static_cast<std::size_t>(found - std::begin(kTables));
}

std::size_t TableView::row_count() const { return kAccess[table_].row_count(*model_); }

Cell TableView::cell(std::size_t column, std::size_t row) const {
  return kAccess[table_].columns[column](*model_, row);
}

std::string_view PlanModel::attribute(LayerId layer, std::string_view key) const {
  return attribute(layer, strings.find(key));
}

std::string_view PlanModel::attribute(LayerId layer, base::StringId key) const {
  if (key.is_null()) return {};
  const RowRange rows = attributes_of(layer);
  const auto keys = attributes.key.values().subspan(rows.first, rows.count);
  const auto found = std::ranges::find(keys, key);
  if (found == keys.end()) return {};
  return text(attributes.value[rows.first + static_cast<std::size_t>(found - keys.begin())]);
}

}  // namespace planex::model
