#include "render/fields/columns.h"

#include <algorithm>

namespace planex::render {

const model::ColumnInfo& column_info(std::string_view table, std::string_view column) {
  return *std::ranges::find(model::schema()[model::find_table(table).value()].columns, column,
                            &model::ColumnInfo::name);
}

}  // namespace planex::render
