// Described results as tables: CSV, Markdown and workbooks follow from them.
#ifndef PLANEX_RENDER_RECORD_TABLE_H_
#define PLANEX_RENDER_RECORD_TABLE_H_

#include "model/data_table.h"
#include "record/fields.h"

namespace planex::render {

// The columns of a table: a record's fields. Lists of scalars are texts, "a, b"; objects and lists
// of objects have no column.
std::vector<model::DataColumn> table_columns(const record::Record& record);
std::vector<model::Value> table_row(const record::Record& record, const void* object,
                                    const void* context);

template <typename Rows, typename T, typename Context = record::NoContext>
model::DataTable table_of(const Rows& rows, const record::Fields<T, Context>& fields,
                          const Context& context = {}) {
  model::DataTable table;
  table.columns = table_columns(fields.record());
  for (const T& row : rows) table.rows.push_back(table_row(fields.record(), &row, &context));
  return table;
}

}  // namespace planex::render

#endif  // PLANEX_RENDER_RECORD_TABLE_H_
