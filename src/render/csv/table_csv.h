// A table as CSV (RFC 4180): names as in the schema, numbers in full.
#pragma once

#include <string>

#include "model/data_table.h"

namespace planex::render {

// A head line with the columns' names, then one record per row; lines end with CR LF. Doubles are
// the shortest text that reads back as the same number. An unknown value is an empty field, an
// empty text is "". A text that a spreadsheet would take for a formula (it starts with = + - @, a
// tab or a carriage return) gets a ' in front; numbers never do.
std::string csv_table(const model::DataTable& table);

}  // namespace planex::render
