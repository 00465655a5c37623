#include "render/text/table_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "render/words/column_format.h"
#include "render/words/display_width.h"

namespace planex::render {
namespace {

using model::DataTable;

constexpr std::string_view kGap = "  ";
// A name cut to less says nothing; on wide lines it keeps a quarter.
constexpr std::size_t kMinTextWidth = 12;
constexpr std::size_t kMaxLeastTextWidth = 40;
constexpr std::size_t kMinPartOfLine = 4;

constexpr std::string_view kBold = "\x1b[1m";
constexpr std::string_view kDim = "\x1b[2m";
constexpr std::string_view kRed = "\x1b[31m";
constexpr std::string_view kGreen = "\x1b[32m";
constexpr std::string_view kYellow = "\x1b[33m";
constexpr std::string_view kMagenta = "\x1b[35m";
constexpr std::string_view kCyan = "\x1b[36m";
constexpr std::string_view kReset = "\x1b[0m";

// Words that have a colour wherever they are alone in a cell: precisions and severities.
std::string_view color_of(std::string_view cell) {
  static constexpr auto kColors = std::to_array<std::pair<std::string_view, std::string_view>>({
      {"FP64", kMagenta},
      {"FP32", kMagenta},
      {"TF32", kMagenta},
      {"FP16", kCyan},
      {"BF16", kCyan},
      {"FP8", kGreen},
      {"FP4", kGreen},
      {"INT8", kGreen},
      {"UINT8", kGreen},
      {"INT4", kGreen},
      {"error", kRed},
      {"warning", kYellow},
      {"–", kDim},
  });
  const auto found =
      std::ranges::find(kColors, cell, [](const auto& entry) { return entry.first; });
  return found == kColors.end() ? std::string_view{} : found->second;
}

// A column ready to print.
struct Column {
  FormattedColumn text;
  // The head, in as many lines as it was broken into.
  std::vector<std::string> head_lines;
  std::size_t cells_width = 0;
  std::size_t width = 0;
  std::size_t least = 0;
};

// How far a column may be cut: numbers not at all, texts to a part of the line.
void set_width(Column& column, std::size_t line_width) {
  std::size_t head = 0;
  for (const std::string& line : column.head_lines) head = std::max(head, display_width(line));
  column.width = std::max(head, column.cells_width);
  const std::size_t least =
      std::clamp(line_width / kMinPartOfLine, kMinTextWidth, kMaxLeastTextWidth);
  column.least =
      column.text.alignment == Alignment::kRight ? column.width : std::min(column.width, least);
}

// A head that is wider than its cells goes on several lines, broken between words.
void break_head(Column& column, std::size_t line_width) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= column.text.head.size();) {
    const std::size_t end = std::min(column.text.head.find(' ', at), column.text.head.size());
    words.push_back(column.text.head.substr(at, end - at));
    at = end + 1;
  }
  std::size_t width = column.cells_width;
  for (const std::string& word : words) width = std::max(width, display_width(word));
  column.head_lines.clear();
  for (const std::string& word : words) {
    if (!column.head_lines.empty() &&
        display_width(column.head_lines.back()) + 1 + display_width(word) <= width) {
      column.head_lines.back() += " " + word;
    } else {
      column.head_lines.push_back(word);
    }
  }
  set_width(column, line_width);
}

std::vector<Column> columns_of(const DataTable& table, std::size_t line_width) {
  std::vector<Column> columns;
  for (FormattedColumn& formatted : format_columns(table)) {
    Column column{.text = std::move(formatted)};
    column.text.head = printable(column.text.head);
    column.head_lines = {column.text.head};
    for (std::string& cell : column.text.cells) {
      cell = printable(cell);
      column.cells_width = std::max(column.cells_width, display_width(cell));
    }
    set_width(column, line_width);
    columns.push_back(std::move(column));
  }
  return columns;
}

std::size_t gaps(std::size_t columns) { return columns == 0 ? 0 : (columns - 1) * kGap.size(); }

template <typename Width>
std::size_t total(const std::vector<Column>& columns, Width width_of) {
  std::size_t sum = gaps(columns.size());
  for (const Column& column : columns) sum += width_of(column);
  return sum;
}

std::size_t natural_width(const std::vector<Column>& columns) {
  return total(columns, [](const Column& column) { return column.width; });
}

std::size_t min_width(const std::vector<Column>& columns) {
  return total(columns, [](const Column& column) { return column.least; });
}

// Cuts the widest texts to one common width, so that the rest stays whole.
void narrow(std::vector<Column>& columns, std::size_t width) {
  const auto width_at = [](const Column& column, std::size_t cap) {
    return std::min(column.width, std::max(cap, column.least));
  };
  std::size_t low = 0;
  std::size_t high = width;
  while (low < high) {
    const std::size_t cap = low + (high - low + 1) / 2;
    const bool fits =
        total(columns, [&](const Column& column) { return width_at(column, cap); }) <= width;
    (fits ? low : high) = fits ? cap : cap - 1;
  }
  // What is left over after rounding goes to the first column that was cut.
  std::size_t left = width - total(columns, [&](const Column& c) { return width_at(c, low); });
  for (Column& column : columns) {
    const std::size_t own = width_at(column, low);
    const std::size_t extra = std::min(left, column.width - own);
    column.width = own + extra;
    left -= extra;
  }
}

class Lines {
 public:
  explicit Lines(const TableStyle& style)
      : indent_(static_cast<std::size_t>(std::max(style.indent, 0)), ' '), color_(style.color) {}

  void add_cell(std::string_view cell, const Column& column, std::string_view color) {
    if (!line_.empty() || !first_) line_ += kGap;
    first_ = false;
    const std::string shown = elide_middle(cell, column.width);
    const std::size_t own = display_width(shown);
    const std::string blanks(column.width > own ? column.width - own : 0, ' ');
    if (column.text.alignment == Alignment::kRight) line_ += blanks;
    if (color_ && !color.empty()) {
      line_.append(color).append(shown).append(kReset);
    } else {
      line_ += shown;
    }
    if (column.text.alignment == Alignment::kLeft) line_ += blanks;
  }

  void add_text(std::string_view text, std::string_view color) {
    line_ =
        color_ && !color.empty() ? base::format("{}{}{}", color, text, kReset) : std::string(text);
  }

  void end_line() {
    line_.erase(line_.find_last_not_of(' ') + 1);
    if (!line_.empty()) text_.append(indent_).append(line_);
    text_ += '\n';
    line_.clear();
    first_ = true;
  }

  std::string take() { return std::move(text_); }

 private:
  std::string indent_;
  bool color_;
  bool first_ = true;
  std::string line_;
  std::string text_;
};

// The heads, aligned at the bottom.
void add_heads(const std::vector<Column>& columns, Lines& lines) {
  std::size_t height = 1;
  for (const Column& column : columns) height = std::max(height, column.head_lines.size());
  for (std::size_t line = 0; line < height; ++line) {
    for (const Column& column : columns) {
      const std::size_t above = height - column.head_lines.size();
      lines.add_cell(line < above ? std::string_view() : column.head_lines[line - above], column,
                     line < above ? std::string_view() : kBold);
    }
    lines.end_line();
  }
}

// One line per column of the only row.
std::string upright(const std::vector<Column>& columns, std::size_t width,
                    const TableStyle& style) {
  Column heads;
  Column values;
  for (const Column& column : columns) {
    heads.width = std::max(heads.width, display_width(column.text.head));
    values.width = std::max(values.width, display_width(column.text.cells.front()));
  }
  const std::size_t taken = heads.width + kGap.size();
  const std::size_t room = width > taken ? width - taken : 0;
  values.width = std::min(values.width, std::max(room, kMinTextWidth));
  Lines lines(style);
  for (const Column& column : columns) {
    const std::string& cell = column.text.cells.front();
    lines.add_cell(column.text.head, heads, kBold);
    lines.add_cell(cell, values, color_of(cell));
    lines.end_line();
  }
  return lines.take();
}

}  // namespace

std::string text_table(const DataTable& table, const TableStyle& style) {
  std::vector<std::string> left_out;
  const auto indent = static_cast<std::size_t>(std::max(style.indent, 0));
  const auto line_width = static_cast<std::size_t>(std::max(style.width, 0));
  const std::size_t width = line_width > indent ? line_width - indent : 1;
  const bool limited = style.width > 0 && !style.wide;
  std::vector<Column> columns = columns_of(table, limited ? width : 0);
  if (limited && natural_width(columns) > width) {
    if (table.rows.size() == 1 && min_width(columns) > width) {
      return upright(columns, width, style);
    }
    for (Column& column : columns) break_head(column, width);
    while (columns.size() > 1 && min_width(columns) > width) {
      left_out.insert(left_out.begin(), columns.back().text.head);
      columns.pop_back();
    }
    // A last column that is wider than the line, numbers or not, is cut all the same.
    if (columns.size() == 1) columns.front().least = std::min(columns.front().least, width);
    if (natural_width(columns) > width) narrow(columns, width);
  }

  Lines lines(style);
  add_heads(columns, lines);
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    for (const Column& column : columns) {
      const std::string& cell = column.text.cells[row];
      lines.add_cell(cell, column, color_of(cell));
    }
    lines.end_line();
  }
  if (table.rows.empty()) {
    lines.add_text("no rows", kDim);
    lines.end_line();
  }
  if (!left_out.empty()) {
    std::string note =
        base::format("… {} (--wide): ", base::counted(left_out.size(), "more column"));
    for (std::size_t i = 0; i < left_out.size(); ++i) note += (i == 0 ? "" : ", ") + left_out[i];
    lines.add_text(elide_end(note, width), kDim);
    lines.end_line();
  }
  return lines.take();
}

}  // namespace planex::render
