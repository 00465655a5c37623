// The schema as a reference page.
#ifndef PLANEX_RENDER_MARKDOWN_SCHEMA_MARKDOWN_H_
#define PLANEX_RENDER_MARKDOWN_SCHEMA_MARKDOWN_H_

#include <string>

#include "model/data_table.h"

namespace planex::render {

std::string schema_markdown();
// One row a column: table, column, type, unit, description.
model::DataTable schema_table();

}  // namespace planex::render

#endif  // PLANEX_RENDER_MARKDOWN_SCHEMA_MARKDOWN_H_
