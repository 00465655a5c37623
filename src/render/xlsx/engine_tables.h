// The sheets of a workbook that are tables of its engines.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/compare/compare.h"
#include "render/xlsx/engine_workbook.h"
#include "render/xlsx/workbook.h"

namespace planex::render {

// Where the rows of each engine are in a table that charts read.
struct TablePlace {
  std::string sheet;
  std::vector<std::string> columns;  // by their names
  // By engine: [first, end) rows of the sheet.
  struct Rows {
    std::uint32_t first = 0, end = 0;
  };
  std::vector<Rows> rows;

  bool has_rows(std::size_t engine) const { return rows[engine].end > rows[engine].first; }
  std::uint32_t count(std::size_t engine) const { return rows[engine].end - rows[engine].first; }
  // At most `most` rows of a column of the table, which must be there.
  CellRange range(std::size_t engine, std::string_view column, std::uint32_t most) const;
};

struct EngineTables {
  TablePlace types, input_precisions, tactics, origins, work;
};

// Writes all of them except the summary and the charts. Adds to `notes` what was left out.
EngineTables write_tables(Workbook& book, std::span<const WorkbookEngine> engines,
                          const analyze::Comparison& comparison, std::vector<std::string>& notes);

}  // namespace planex::render
