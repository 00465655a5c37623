// Rows of a described result, wherever they are, and their cells: the basis of all tables, whether
// text, CSV or Arrow.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "record/fields.h"

namespace planex::record {

struct Rows {
  std::shared_ptr<const Record> record;
  // Passes on each row, with what it points into.
  std::function<void(const std::function<void(const void* row, const void* context)>& take)> each;
};

template <typename Context>
inline constexpr Context kNoneOf{};

// Temporary rows are kept alive; others, and the context, must outlive the result.
template <typename List, typename T, typename Context = NoContext>
Rows rows_of(List&& rows, const Fields<T, Context>& fields,
             const Context& context = kNoneOf<Context>) {
  using Kept = const std::remove_cvref_t<List>;
  std::shared_ptr<Kept> list;
  if constexpr (std::is_lvalue_reference_v<List>) {
    list = std::shared_ptr<Kept>(std::shared_ptr<Kept>(), &rows);
  } else {
    list = std::make_shared<Kept>(std::forward<List>(rows));
  }
  return {fields.shared(), [list = std::move(list), &context](const auto& take) {
            for (const T& row : *list) take(&row, &context);
          }};
}

// A field that has a column: scalars, lists of scalars, and objects with a field for tables.
struct RowColumn {
  const Field* field = nullptr;
  // The type of its cells: a scalar kind, or kList of integers. Other lists are texts, "a, b".
  Kind kind = Kind::kText;
};

// Points into the record.
std::vector<RowColumn> row_columns(const Record& record);

using Cell = std::variant<std::monostate, bool, std::int64_t, double, std::string,
                          std::vector<std::int64_t>>;

Cell cell_of(const RowColumn& column, const void* row, const void* context);

// "1, 2".
std::string list_text(const std::vector<std::int64_t>& list);

}  // namespace planex::record
