// A sheet that is one table: heads with units, frozen; a filter; numbers in the formats of their
// units; columns as wide as their contents.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/data_table.h"
#include "model/plan_model.h"
#include "render/xlsx/workbook.h"

namespace planex::render {

struct SheetColumn {
  std::string name;  // as scripts read it, "median_ms"
  std::string head;
  CellStyle style = CellStyle::kText;
  double scale = 1;  // of numbers
  // Bars behind the numbers, for shares and times.
  bool has_bars = false;
};

// "median_ms", "ms" -> "Median (ms)", in the style of the unit. Units are those of the schema;
// rates are shown in GFLOP/s and GB/s.
SheetColumn sheet_column(std::string_view name, std::string_view unit, bool is_numeric);
SheetColumn sheet_column(const model::DataColumn& column);

class TableSheet {
 public:
  // `frozen`: the number of columns that stay in view, too.
  TableSheet(Workbook& book, std::string_view name, std::vector<SheetColumn> columns,
             std::uint16_t frozen = 0);

  // Cells in the order of the columns; fewer are fine. Beyond the rows that a sheet may have,
  // nothing is written.
  void cell(const model::Cell& value);
  void cell(const model::Value& value);
  void cell(std::string_view text) { cell(model::Cell(text)); }
  void end_row();

  // Sets what depends on all rows. Returns a sentence about what was left out, or an empty text.
  std::string finish();

  const std::string& name() const { return sheet_.name(); }
  // The row of the sheet that is written next; earlier rows are above it.
  std::uint32_t next_row() const { return row_; }
  CellRange range(std::uint16_t column, std::uint32_t first_row, std::uint32_t last_row) const {
    return {sheet_.name(), first_row, last_row, column};
  }

 private:
  void text_cell(std::string_view text);
  void number_cell(double number);

  Sheet& sheet_;
  std::vector<SheetColumn> columns_;
  std::vector<double> widths_;
  std::uint32_t row_ = 1;
  std::uint16_t column_ = 0;
  std::int64_t left_out_ = 0;
};

}  // namespace planex::render
