// Lines of aligned cells for screens that are more than one table.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "render/words/column_format.h"

namespace planex::render {

// ANSI colours, by meaning. Nothing is said by colour alone.
enum class Ink : std::uint8_t { kPlain, kStrong, kFaint, kError, kWarning, kFaster, kSlower };

// `text` with the ink's escape codes, or as it is where `color` is off.
std::string painted(std::string_view text, Ink ink, bool color);

struct GridCell {
  std::string text;  // printable
  Ink ink = Ink::kPlain;
};

struct GridColumn {
  Alignment alignment = Alignment::kLeft;
  // May lose its middle where the line does not fit. One column of a grid at most.
  bool elastic = false;
  // Sentences: goes on below itself where the line does not fit. The last column only.
  bool wraps = false;
};

// Indentation of a screen's rows, in columns.
inline constexpr std::size_t kScreenIndent = 2;

class Grid {
 public:
  explicit Grid(std::vector<GridColumn> columns) : columns_(std::move(columns)) {}

  // Missing cells at the end of a row are empty.
  void add_row(std::vector<GridCell> cells) { rows_.push_back(std::move(cells)); }

  // Lines without trailing blanks. width 0 cuts nothing.
  std::vector<std::string> lines(std::size_t width, std::size_t indent, bool color) const;

  const std::vector<GridColumn>& columns() const { return columns_; }
  const std::vector<std::vector<GridCell>>& rows() const { return rows_; }

 private:
  std::vector<GridColumn> columns_;
  std::vector<std::vector<GridCell>> rows_;
};

// Blocks of lines next to each other where `width` allows (0: always), else one under the other
// with an empty line between.
std::vector<std::string> side_by_side(const std::vector<std::string>& left,
                                      const std::vector<std::string>& right, std::size_t gap,
                                      std::size_t width);

// A bar of `cells` cells at most for a ratio of 0 to 1, in eighths: "█████▍".
std::string bar(double ratio, std::size_t cells);

}  // namespace planex::render
