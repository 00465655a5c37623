#include "arrow/table.h"

#include <array>
#include <exception>
#include <string>
#include <utility>

#include "arrow/export.h"
#include "planex/arrow.h"

namespace planex {
namespace arrow {

std::string_view to_string(Kind kind) {
  constexpr std::array<std::string_view, 5> kNames = {"bool", "int64", "double", "text", "list"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace arrow

namespace {

template <typename Export>
Result<void> guarded(const Export& work) try {
  work();
  return {};
} catch (const std::exception& exception) {
  return fail(ErrorCode::kInternal,
              std::string("the table can't be exported: ") + exception.what());
}

}  // namespace

ArrowTable::ArrowTable(std::shared_ptr<const arrow::Table> table) : table_(std::move(table)) {}

std::string_view ArrowTable::name() const { return table_->name; }
std::string_view ArrowTable::description() const { return table_->description; }
std::int64_t ArrowTable::row_count() const { return table_->row_count; }

std::vector<ArrowColumn> ArrowTable::columns() const {
  std::vector<ArrowColumn> columns;
  for (const arrow::Column& column : table_->columns) {
    columns.push_back({.name = column.name,
                       .type = to_string(column.kind),
                       .unit = column.unit,
                       .description = column.description});
  }
  return columns;
}

Result<void> ArrowTable::export_schema(ArrowSchema* out) const {
  return guarded([&] { arrow::export_schema(*table_, out); });
}
Result<void> ArrowTable::export_array(ArrowArray* out) const {
  return guarded([&] { arrow::export_array(*table_, out); });
}
Result<void> ArrowTable::export_stream(ArrowArrayStream* out) const {
  return guarded([&] { arrow::export_stream(table_, out); });
}

}  // namespace planex
