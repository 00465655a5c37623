// How numbers in tables are written for people, in the terminal and in Markdown: one unit and one
// number of decimals per column, with the unit only in the head.
// Times stay in their unit: three decimals from 1 on, more where all are smaller, so that three
// significant digits of a typical small value stay. Bytes become kB, MB, GB (decimal), ratios
// become percentages. Counts group their digits. Unknown values are an en dash; values other than
// zero never look like zero ("<0.001").
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
  // One per row. Texts are unchanged: the caller escapes them for their destination.
  std::vector<std::string> cells;
};

std::vector<FormattedColumn> format_columns(const model::DataTable& table);

// The shortest text that reads back as the same number, independent of locale.
std::string shortest(double value);

}  // namespace planex::render
