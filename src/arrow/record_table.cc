#include "arrow/record_table.h"

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "arrow/column_builder.h"
#include "base/text.h"

namespace planex::arrow {
namespace {

Kind arrow_kind(record::Kind kind) {
  switch (kind) {
    case record::Kind::kBool:
      return Kind::kBool;
    case record::Kind::kInteger:
      return Kind::kInt64;
    case record::Kind::kReal:
      return Kind::kDouble;
    case record::Kind::kList:
      return Kind::kInt64List;
    default:
      return Kind::kText;
  }
}

// Accepts a value in the form of the column.
struct PushCell {
  ColumnBuilder& builder;
  Kind kind;

  void operator()(std::monostate) const { builder.push_null(); }
  void operator()(bool truth) const {
    if (kind == Kind::kBool) return builder.push(truth);
    (*this)(std::int64_t{truth ? 1 : 0});
  }
  void operator()(std::int64_t number) const {
    if (kind == Kind::kInt64) return builder.push(number);
    // Counts and sizes among averages are written as whole numbers.
    if (kind == Kind::kDouble) return builder.push(static_cast<double>(number));
    (*this)(base::format("{}", number));
  }
  void operator()(double number) const {
    // As in JSON: a value that is not finite is unknown.
    if (!std::isfinite(number)) return builder.push_null();
    if (kind == Kind::kDouble) return builder.push(number);
    (*this)(base::format("{}", number));
  }
  void operator()(const std::string& text) const {
    kind == Kind::kText ? builder.push(std::string_view(text)) : builder.push_null();
  }
  void operator()(const std::vector<std::int64_t>& list) const {
    builder.push(std::span<const std::int64_t>(list));
  }
};

}  // namespace

Table record_table(const record::Rows& rows, std::string_view name) {
  const std::vector<record::RowColumn> fields = record::row_columns(*rows.record);
  std::vector<ColumnBuilder> builders;
  std::vector<Kind> kinds;
  for (const record::RowColumn& column : fields) {
    const record::Field& field = *column.field;
    kinds.push_back(arrow_kind(column.kind));
    builders.emplace_back(
        ColumnAbout{.name = field.name, .unit = field.unit, .description = field.description},
        kinds.back());
  }
  Table table{.name = std::string(name), .description = std::string(rows.record->description)};
  rows.each([&](const void* row, const void* context) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      std::visit(PushCell{builders[i], kinds[i]}, record::cell_of(fields[i], row, context));
    }
    ++table.row_count;
  });
  for (ColumnBuilder& builder : builders) table.columns.push_back(builder.finish());
  return table;
}

}  // namespace planex::arrow
