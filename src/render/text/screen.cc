#include "render/text/screen.h"

#include <cctype>
#include <type_traits>
#include <utility>

#include "base/text.h"
#include "render/markdown/table_markdown.h"
#include "render/words/display_width.h"
#include "render/words/wrap.h"

namespace planex::render {
namespace {

using base::format;

std::string grid_markdown(const Grid& grid) {
  std::string text;
  bool is_head = true;
  for (const std::vector<GridCell>& row : grid.rows()) {
    for (const GridCell& cell : row) text += format("| {} ", markdown_text(cell.text));
    text += "|\n";
    if (!std::exchange(is_head, false)) continue;
    for (const GridColumn& column : grid.columns()) {
      text += column.alignment == Alignment::kRight ? "|---:" : "|---";
    }
    text += "|\n";
  }
  return text;
}

}  // namespace

Screen Screen::titled(std::string_view what, std::string_view engine_name) {
  Screen screen;
  screen.parts_.push_back(
      {ShownIn::kText, Title{.words = format("{}: {}", what, printable(engine_name))}});
  std::string capital(what);
  capital.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(capital.front())));
  screen.parts_.push_back(
      {ShownIn::kMarkdown, Heading{format("### {}: {}\n", capital, markdown_text(engine_name))}});
  return screen;
}

Screen Screen::headed(std::string_view engine_name, std::string_view headline, ShownIn where) {
  Screen screen;
  if (where != ShownIn::kMarkdown) {
    screen.parts_.push_back({ShownIn::kText, Title{.words = printable(headline), .wraps = true}});
  }
  screen.parts_.push_back(
      {ShownIn::kMarkdown,
       Heading{format("**{}**: {}\n", markdown_text(engine_name), markdown_text(headline))}});
  return screen;
}

void Screen::say(std::string sentence, ShownIn where) {
  parts_.push_back({where, Item{std::move(sentence)}});
}

void Screen::add(Paragraph paragraph, ShownIn where) {
  parts_.push_back({where, std::move(paragraph)});
}

void Screen::show(Grid grid, std::size_t count, std::size_t shown) {
  add_gap();
  add(std::move(grid), kScreenIndent);
  if (shown < count) add_line(format("  … {} more: --all", count - shown));
}

void Screen::add(Grid grid, std::size_t indent) {
  parts_.push_back({ShownIn::kText, PlacedGrid{std::move(grid), indent}});
}

void Screen::add_line(std::string line) {
  parts_.push_back({ShownIn::kText, Line{std::move(line)}});
}

void Screen::list(Grid grid) {
  parts_.push_back({ShownIn::kMarkdown, PlacedGrid{std::move(grid), 0}});
}

void Screen::add(model::DataTable table, ShownIn where) {
  parts_.push_back({where, std::move(table)});
}

void Screen::list_rows(model::DataTable table, std::size_t shown) {
  if (shown < table.rows.size()) {
    say(format("{} more rows: --all", table.rows.size() - shown), ShownIn::kMarkdown);
    table.rows.resize(shown);
  }
  parts_.push_back({ShownIn::kMarkdown, std::move(table)});
}

std::string Screen::text(const TableStyle& style) const {
  const std::size_t width = screen_width(style);
  std::string text;
  const auto write = [&]<typename T>(const T& content) {
    if constexpr (std::is_same_v<T, Title>) {
      const std::string title = painted(content.words, Ink::kStrong, style.color);
      text += content.wraps ? wrapped(title, width, 0) : title + "\n";
    } else if constexpr (std::is_same_v<T, Item>) {
      text += wrapped_hanging(content.words, width, kScreenIndent + 2, 2);
    } else if constexpr (std::is_same_v<T, Paragraph>) {
      const std::string strong =
          content.strong.empty() ? "" : painted(content.strong, Ink::kStrong, style.color);
      text += wrapped_hanging(strong + content.words, width, content.indent, content.hang);
    } else if constexpr (std::is_same_v<T, PlacedGrid>) {
      for (const std::string& line : content.grid.lines(width, content.indent, style.color)) {
        text += line + "\n";
      }
    } else if constexpr (std::is_same_v<T, Line>) {
      text += content.words + "\n";
    } else if constexpr (std::is_same_v<T, model::DataTable>) {
      TableStyle indented = style;
      indented.indent = kScreenIndent;
      text += text_table(content, indented);
    }
  };
  for (const Part& part : parts_) {
    if (part.where != ShownIn::kMarkdown) std::visit(write, part.content);
  }
  return text;
}

std::string Screen::markdown() const {
  std::string text;
  bool in_list = false;
  // Between blocks is an empty line; the items of a list are one block.
  const auto block = [&](const std::string& written, bool is_item = false) {
    if (!text.empty() && !(in_list && is_item)) text += '\n';
    in_list = is_item;
    text += written;
  };
  const auto write = [&]<typename T>(const T& content) {
    if constexpr (std::is_same_v<T, Heading>) {
      block(content.markdown);
    } else if constexpr (std::is_same_v<T, Item>) {
      block(format("- {}\n", markdown_text(content.words)), true);
    } else if constexpr (std::is_same_v<T, Paragraph>) {
      const std::string strong =
          content.strong.empty() ? "" : format("**{}**", markdown_text(content.strong));
      block(format("{}{}\n", strong, markdown_text(content.words)));
    } else if constexpr (std::is_same_v<T, PlacedGrid>) {
      block(grid_markdown(content.grid));
    } else if constexpr (std::is_same_v<T, model::DataTable>) {
      block(markdown_table(content));
    }
  };
  for (const Part& part : parts_) {
    if (part.where != ShownIn::kText) std::visit(write, part.content);
  }
  return text;
}

std::size_t screen_width(const TableStyle& style) {
  return style.wide ? 0 : static_cast<std::size_t>(std::max(style.width, 0));
}

}  // namespace planex::render
