// Described results as tables: CSV, Markdown and workbooks follow from them.
#pragma once

#include "model/data_table.h"
#include "record/fields.h"
#include "record/rows.h"

namespace planex::render {

// The columns of a table: a record's fields. Lists of scalars are texts, "a, b"; objects and lists
// of objects have no column.
std::vector<model::DataColumn> table_columns(const record::Record& record);
std::vector<model::Value> table_row(const record::Record& record, const void* object,
                                    const void* context);

model::DataTable table_of(const record::Rows& rows);

template <typename List, typename T, typename Context = record::NoContext>
model::DataTable table_of(const List& rows, const record::Fields<T, Context>& fields,
                          const Context& context = record::kNoneOf<Context>) {
  return table_of(record::rows_of(rows, fields, context));
}

}  // namespace planex::render
