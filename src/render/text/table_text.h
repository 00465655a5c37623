// A table for the terminal. Numbers look as column_format.h says; CSV has them in full.
#pragma once

#include <string>

#include "model/data_table.h"

namespace planex::render {

struct TableStyle {
  // Cells in a line; 0 is as many as it takes.
  int width = 0;
  // Adds colour; nothing is said by colour alone.
  bool color = false;
  // Cuts nothing, whatever the width.
  bool wide = false;
  // Blanks before each line.
  int indent = 0;
};

// One line per row under one line of heads; `no rows` if there are none. Numbers align right, texts
// left. If the width is not enough, texts lose their middle, the widest first; then the last
// columns are left out and a line names them. A single row that does not fit is printed upright
// instead, one line per column. All text is made printable. Ends with a line break; no line ends
// with blanks.
std::string text_table(const model::DataTable& table, const TableStyle& style);

}  // namespace planex::render
