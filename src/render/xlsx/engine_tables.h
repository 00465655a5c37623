// The sheets of a workbook that are tables of its engines.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analyze/compare/compare.h"
#include "render/xlsx/engine_workbook.h"
#include "render/xlsx/workbook.h"

namespace planex::render {

// Where the rows of each engine are in a table that charts read.
struct TablePlace {
  std::string sheet;
  // By engine: [first, end) rows of the sheet.
  struct Rows {
    std::uint32_t first = 0, end = 0;
  };
  std::vector<Rows> rows;
  std::uint16_t shift = 0;  // of columns, by that of the engine

  bool has_rows(std::size_t engine) const { return rows[engine].end > rows[engine].first; }
  std::uint32_t count(std::size_t engine) const { return rows[engine].end - rows[engine].first; }
  // For the column as numbered without that of the engine; at most `most` rows.
  CellRange range(std::size_t engine, std::uint16_t column, std::uint32_t most) const;
};

// Columns of the tables that charts read, without that of the engine.
namespace type_columns {
inline constexpr std::uint16_t kType = 0, kLayers = 2, kTime = 3, kShare = 5;
}
namespace precision_columns {
inline constexpr std::uint16_t kPrecision = 1, kLayers = 2, kTime = 3, kShare = 5;
}
namespace tactic_columns {
inline constexpr std::uint16_t kTactic = 0, kTime = 4;
}
namespace origin_columns {
inline constexpr std::uint16_t kOrigin = 0, kLayers = 1, kTime = 2;
}
namespace work_columns {
inline constexpr std::uint16_t kGemmM = 8, kGemmN = 9, kGemmK = 10, kMacs = 11, kFootprint = 13,
                               kIntensity = 14, kTime = 15, kBound = 16, kHeadroom = 17, kRate = 20,
                               kBandwidth = 21;
}

struct EngineTables {
  TablePlace types, input_precisions, tactics, origins, work;
};

// Writes all of them except the summary and the charts. Adds to `notes` what was left out.
EngineTables write_tables(Workbook& book, std::span<const WorkbookEngine> engines,
                          const analyze::Comparison& comparison, std::vector<std::string>& notes);

}  // namespace planex::render
