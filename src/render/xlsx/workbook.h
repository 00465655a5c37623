// A workbook for Excel: sheets of texts and numbers, and charts over them. It contains no formulas.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planex/error.h"

namespace planex::render {

enum class CellStyle : std::uint8_t {
  kText,
  kHead,     // of a column
  kTitle,    // of a sheet
  kHeading,  // of a part of a sheet
  kNote,
  kWhole,    // 1,234
  kMs,       // 0.123456
  kPercent,  // a ratio, shown in per cent
  kReal,     // 1,234.56
  kGeneral,  // as Excel likes it
};
inline constexpr std::size_t kCellStyles = 10;

// The row and the column of a cell, from 0.
struct CellPlace {
  std::uint32_t row = 0;
  std::uint16_t column = 0;
};

// Cells [first_row, last_row] of one column of a sheet.
struct CellRange {
  std::string sheet;
  std::uint32_t first_row = 0, last_row = 0;
  std::uint16_t column = 0;
};

enum class ChartKind : std::uint8_t {
  kColumns,
  kStackedColumns,
  kBars,
  kStackedBars,
  kArea,
  kLine,
  kScatter,
  kDoughnut,
};

// For a series that only lifts what is stacked on it.
inline constexpr std::string_view kNoColour = "none";

struct ChartSeries {
  std::string name;
  CellRange values;
  std::optional<CellRange> categories;  // x of a scatter chart
  std::string colour;                   // "#RRGGBB" or kNoColour; empty: Excel's own
  // Of a doughnut's parts, in order.
  std::vector<std::string> part_colours;
};

struct ChartAxis {
  std::string name;
  std::string number_format;  // as Excel's; empty: that of the cells
  bool is_logarithmic = false;
  bool has_labels = true;
};

struct Chart {
  ChartKind kind = ChartKind::kColumns;
  std::string title;
  std::vector<ChartSeries> series;
  ChartAxis x, y;  // x: of the categories, also where bars are horizontal
  bool has_legend = false;
  // Bars and columns without a gap: a distribution, or many of them.
  bool is_dense = false;
};

inline constexpr int kChartWidthPixels = 760, kChartHeightPixels = 380;

class Sheet;

class Workbook {
 public:
  // In a large one each row is written when the next one begins, so that the memory does not grow
  // with the rows; the charts then have no copies of their numbers, which some viewers show before
  // they read the numbers.
  enum class Size : std::uint8_t { kUsual, kLarge };

  // Will be written to `path` by close(). Errors: kUnsupported (no library).
  static Result<Workbook> create(const std::string& path, Size size, std::string_view title);
  Workbook(Workbook&&) noexcept;
  Workbook& operator=(Workbook&&) = delete;
  ~Workbook();

  // The name may change: see sheet_name(). The sheet lives as long as the workbook.
  Sheet& add_sheet(std::string_view name);
  // Texts that were cut so far.
  std::int64_t cut_text_count() const;
  // The same bytes for the same content. Errors: kIo.
  Result<void> close();

 private:
  friend class Sheet;
  class State;
  explicit Workbook(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

// Rows are written in ascending order.
class Sheet {
 public:
  const std::string& name() const { return name_; }

  // Texts are cut to what a cell can contain; the workbook counts them.
  void text(CellPlace at, std::string_view text, CellStyle style = CellStyle::kText);
  // Values that are not finite numbers are left empty.
  void number(CellPlace at, double number, CellStyle style);
  // In characters of the usual font.
  void set_width(std::uint16_t column, double characters);
  void set_height(std::uint32_t row, double points);
  // Rows above and columns left of it stay in view.
  void freeze(CellPlace at);
  void filter(std::uint32_t first_row, std::uint32_t last_row, std::uint16_t columns);
  // Bars behind the numbers.
  void bars(const CellRange& range, std::string_view colour);
  void hide_gridlines();
  void add_chart(CellPlace at, const Chart& chart);

 private:
  friend class Workbook;
  Sheet(Workbook::State& workbook, void* sheet, std::string name)
      : workbook_(&workbook), sheet_(sheet), name_(std::move(name)) {}

  Workbook::State* workbook_;
  void* sheet_;
  std::string name_;
};

}  // namespace planex::render
