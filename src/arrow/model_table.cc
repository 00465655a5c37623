#include "arrow/model_table.h"

#include <span>
#include <string>

#include "arrow/column_builder.h"
#include "model/column.h"
#include "model/schema.h"

namespace planex::arrow {
namespace {

using model::PlanModel;

ColumnAbout about(const model::ColumnInfo& info) {
  return {.name = info.name, .unit = info.unit, .description = info.description};
}

// Which rows of a column, and what keeps it alive.
struct Source {
  const PlanModel& model;
  const model::ColumnInfo& info;
  // Null: all of them.
  const std::span<const std::size_t>* rows = nullptr;
  // Null: values are copied.
  const Buffer* owner = nullptr;
};

// One value per row, passed to the builder by `push`.
template <typename C, typename Push>
Column built(const Source& source, Kind kind, const C& column, const Push& push) {
  const std::size_t count = source.rows == nullptr ? column.size() : source.rows->size();
  ColumnBuilder builder(about(source.info), kind, count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = source.rows == nullptr ? i : (*source.rows)[i];
    if (column.is_null(row)) {
      builder.push_null();
    } else {
      push(builder, column[row]);
    }
  }
  return builder.finish();
}

template <typename T>
Column numbers(const Source& source, Kind kind, const model::Column<T>& column) {
  if (source.owner == nullptr) {
    return built(source, kind, column,
                 [](ColumnBuilder& builder, T value) { builder.push(value); });
  }
  return borrowed_column(about(source.info), kind, column.values(), *source.owner,
                         [&column](std::size_t row) { return !column.is_null(row); });
}

Column to_column(const Source& source, const model::Int& column) {
  return numbers(source, Kind::kInt64, column);
}
Column to_column(const Source& source, const model::Real& column) {
  return numbers(source, Kind::kDouble, column);
}
Column to_column(const Source& source, const model::Text& column) {
  return built(source, Kind::kText, column, [&source](ColumnBuilder& builder, base::StringId id) {
    builder.push(source.model.text(id));
  });
}
Column to_column(const Source& source, const model::IntList& column) {
  return built(
      source, Kind::kInt64List, column,
      [](ColumnBuilder& builder, std::span<const std::int64_t> list) { builder.push(list); });
}
template <typename Tag>
Column to_column(const Source& source, const model::Column<base::Id<Tag>>& column) {
  return built(source, Kind::kInt64, column, [](ColumnBuilder& builder, base::Id<Tag> id) {
    builder.push(static_cast<std::int64_t>(id.index()));
  });
}
// Words: enumerations and layouts.
template <typename E>
Column to_column(const Source& source, const model::Column<E>& column) {
  return built(source, Kind::kText, column, [](ColumnBuilder& builder, const E& value) {
    builder.push(std::string_view(to_string(value)));
  });
}

using ToColumn = Column (*)(const Source& source);

#define PLANEX_TO_COLUMN(kind, name, unit, description) \
  [](const Source& source) { return to_column(source, table_of(source.model).name); },
#define PLANEX_TO_COLUMNS(Struct, table, COLUMNS, description)                           \
  struct Struct##Arrow {                                                                 \
    static const model::Struct& table_of(const PlanModel& model) { return model.table; } \
    static constexpr ToColumn kColumns[] = {COLUMNS(PLANEX_TO_COLUMN)};                  \
  };
PLANEX_TABLES(PLANEX_TO_COLUMNS)
#undef PLANEX_TO_COLUMNS
#undef PLANEX_TO_COLUMN

#define PLANEX_TO_SPAN(Struct, table, COLUMNS, description) \
  std::span<const ToColumn>(Struct##Arrow::kColumns),
constexpr std::span<const ToColumn> kTables[] = {PLANEX_TABLES(PLANEX_TO_SPAN)};
#undef PLANEX_TO_SPAN

Table table_of(const PlanModel& model, std::size_t table, std::size_t row_count,
               const std::span<const std::size_t>* rows, const Buffer* owner) {
  const model::TableInfo& info = model::schema()[table];
  Table result{.name = std::string(info.name),
               .description = std::string(info.description),
               .row_count = static_cast<std::int64_t>(row_count)};
  for (std::size_t i = 0; i < info.columns.size(); ++i) {
    result.columns.push_back(
        kTables[table][i]({.model = model, .info = info.columns[i], .rows = rows, .owner = owner}));
  }
  return result;
}

}  // namespace

Table model_table(const PlanModel& model, std::size_t table, const Buffer& owner) {
  return table_of(model, table, model::TableView(model, table).row_count(), nullptr, &owner);
}

Table model_table_rows(const PlanModel& model, std::size_t table,
                       std::span<const std::size_t> rows) {
  return table_of(model, table, rows.size(), &rows, nullptr);
}

}  // namespace planex::arrow
