// The typed columns of planex/table.h, from the tables of the model.
#include <algorithm>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/text.h"
#include "model/column_kind.h"
#include "model/plan_model.h"
#include "planex/table.h"
#include "session/open/engine.h"

namespace planex {
namespace {

using base::format;

model::Cell cell_at(const ColumnPlace& place, std::size_t row) {
  return model::TableView(place.engine->model, place.table).cell(place.column, row);
}

Column to_public(const model::Int& column, const ColumnPlace&) { return Integers(column.values()); }
Column to_public(const model::Real& column, const ColumnPlace&) { return Reals(column.values()); }
template <typename Tag>
Column to_public(const model::Column<base::Id<Tag>>& column, const ColumnPlace&) {
  // An id is just its position; null is the largest value.
  using Id = base::Id<Tag>;
  static_assert(sizeof(Id) == sizeof(std::uint32_t) && std::is_standard_layout_v<Id>);
  static_assert(Id::kNullValue == kNullId);
  const std::span<const Id> ids = column.values();
  return Ids({reinterpret_cast<const std::uint32_t*>(ids.data()), ids.size()});
}
Column to_public(const model::Text&, const ColumnPlace& place) { return Texts(place); }
Column to_public(const model::IntList&, const ColumnPlace& place) { return IntegerLists(place); }
// Words.
template <typename T>
Column to_public(const model::Column<T>&, const ColumnPlace& place) {
  return Texts(place);
}

static_assert(model::NullOf<std::int64_t>::value == kNullInteger);

using ToPublic = Column (*)(const model::PlanModel& model, const ColumnPlace& place);

#define PLANEX_TO_PUBLIC(kind, name, unit, description)         \
  [](const model::PlanModel& model, const ColumnPlace& place) { \
    return to_public(table_of(model).name, place);              \
  },
#define PLANEX_TO_PUBLIC_TABLE(Struct, table, COLUMNS, description)                             \
  struct Struct##Public {                                                                       \
    static const model::Struct& table_of(const model::PlanModel& model) { return model.table; } \
    static constexpr ToPublic kColumns[] = {COLUMNS(PLANEX_TO_PUBLIC)};                         \
  };
PLANEX_TABLES(PLANEX_TO_PUBLIC_TABLE)
#undef PLANEX_TO_PUBLIC_TABLE
#undef PLANEX_TO_PUBLIC

#define PLANEX_TO_PUBLIC_SPAN(Struct, table, COLUMNS, description) \
  std::span<const ToPublic>(Struct##Public::kColumns),
constexpr std::span<const ToPublic> kPublicColumns[] = {PLANEX_TABLES(PLANEX_TO_PUBLIC_SPAN)};
#undef PLANEX_TO_PUBLIC_SPAN

}  // namespace

bool Texts::is_null(std::size_t row) const {
  return std::holds_alternative<std::monostate>(cell_at(place_, row));
}

std::string_view Texts::operator[](std::size_t row) const {
  const model::Cell cell = cell_at(place_, row);
  const auto* text = std::get_if<std::string_view>(&cell);
  return text == nullptr ? std::string_view() : *text;
}

bool IntegerLists::is_null(std::size_t row) const {
  return std::holds_alternative<std::monostate>(cell_at(place_, row));
}

std::span<const std::int64_t> IntegerLists::operator[](std::size_t row) const {
  const model::Cell cell = cell_at(place_, row);
  const auto* list = std::get_if<std::span<const std::int64_t>>(&cell);
  return list == nullptr ? std::span<const std::int64_t>() : *list;
}

Table::Table(std::shared_ptr<const session::Engine> engine, std::string_view name)
    : engine_(std::move(engine)),
      table_(model::find_table(name).value_or(0)),
      row_count_(model::TableView(engine_->model, table_).row_count()) {}

std::string_view Table::table_name() const { return model::schema()[table_].name; }
std::string_view Table::table_description() const { return model::schema()[table_].description; }

std::vector<ColumnAbout> Table::columns() const {
  std::vector<ColumnAbout> columns;
  for (const model::ColumnInfo& column : model::schema()[table_].columns) {
    columns.push_back({.name = column.name,
                       .type = to_string(column.type),
                       .unit = column.unit,
                       .description = column.description});
  }
  return columns;
}

Result<Column> Table::column(std::string_view name) const {
  const std::span<const model::ColumnInfo> columns = model::schema()[table_].columns;
  const auto found = std::ranges::find(columns, name, &model::ColumnInfo::name);
  if (found == columns.end()) {
    std::vector<std::string_view> names;
    for (const model::ColumnInfo& column : columns) names.push_back(column.name);
    const auto near = base::nearest(name, names);
    return fail(ErrorCode::kUsage,
                format("the table {} has no column {}", table_name(), base::quoted(name)),
                near ? format("did you mean {}?", *near) : "");
  }
  const auto index = static_cast<std::size_t>(found - columns.begin());
  return kPublicColumns[table_][index](
      engine_->model,
      {.engine = engine_.get(), .table = table_, .column = index, .rows = row_count_});
}

template <typename Wanted>
Wanted Table::typed(std::string_view name) const {
  const Result<Column> column = this->column(name);
  const auto* wanted = column ? std::get_if<Wanted>(&*column) : nullptr;
  return wanted == nullptr ? Wanted() : *wanted;
}

Integers Table::integers(std::string_view name) const { return typed<Integers>(name); }
Reals Table::reals(std::string_view name) const { return typed<Reals>(name); }
Ids Table::ids(std::string_view name) const { return typed<Ids>(name); }
Texts Table::texts(std::string_view name) const { return typed<Texts>(name); }
IntegerLists Table::lists(std::string_view name) const { return typed<IntegerLists>(name); }

}  // namespace planex
