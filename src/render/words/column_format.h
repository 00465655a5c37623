// The one way a table's numbers look to people, in the terminal and in Markdown: one unit and one
// number of decimals per column, the unit once, in the head.
//
// Times stay in their unit: three decimals from 1 on, more where all are smaller, so that three
// significant digits of a typical small value stay. Bytes become kB, MB, GB (decimal), ratios per
// cent. Counts group their digits. What is not known is an en dash; what is not zero never looks
// like it ("<0.001").
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/data_table.h"

namespace planex::render {

enum class Alignment : std::uint8_t { kLeft, kRight };

struct FormattedColumn {
  // In words, with the unit: "median ms", "weight MB", "share %".
  std::string head;
  Alignment alignment = Alignment::kLeft;
  // One per row. Texts as they are: the caller makes them fit for where they go.
  std::vector<std::string> cells;
};

std::vector<FormattedColumn> format_columns(const model::DataTable& table);

// The shortest text that gives the same number back, independent of locale.
std::string shortest(double value);

}  // namespace planex::render
