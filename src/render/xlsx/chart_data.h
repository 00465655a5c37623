// The numbers behind charts that are in no table: one column each, on a sheet of their own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/data_table.h"
#include "render/xlsx/workbook.h"

namespace planex::render {

class ChartData {
 public:
  ChartData(Workbook& book, std::string_view sheet);

  // Columns may be of any length; empty ones have no range, so don't add them.
  CellRange add(std::string head, CellStyle style, std::vector<model::Value> values);

  // Writes them all, row by row. Call it once, at the end.
  void write();

 private:
  struct Column {
    std::string head;
    CellStyle style = CellStyle::kGeneral;
    std::vector<model::Value> values;
  };

  Sheet& sheet_;
  std::vector<Column> columns_;
};

}  // namespace planex::render
