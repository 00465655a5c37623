// The schema as a reference page.
#pragma once

#include <string>

#include "model/data_table.h"

namespace planex::render {

std::string schema_markdown();
// One row per column: table, column, type, unit, description.
model::DataTable schema_table();

}  // namespace planex::render
