// What `planex explain` says about an engine: described once, written as text and as Markdown.
//
//   Screen screen = Screen::titled("kernels", engine_name);
//   for (const std::string& line : sentences_of(model, of)) screen.say(line);
//   screen.show(layers_grid(model, of, shown), of.layers.size(), shown);
//   screen.list_rows(table_of(of.rows, fields), size.of(of.rows.size(), 30));
//
// Grids and plain lines are for a terminal; a table of rows is what Markdown has instead of them.
// All text is printable, except the cells of tables and of grids in Markdown.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/data_table.h"
#include "render/text/grid.h"
#include "render/text/table_text.h"

namespace planex::render {

// How much of a screen is wanted. What a grid shows can depend on both.
struct ScreenSize {
  std::size_t width = 0;  // 0: no limit
  bool all = false;

  // Of `count` rows, `most` at most.
  std::size_t of(std::size_t count, std::size_t most) const {
    return all ? count : std::min(count, most);
  }
};

// Where a part of a screen is shown.
enum class ShownIn : std::uint8_t { kBoth, kText, kMarkdown };

// Words, wrapped where a line of text is full.
struct Paragraph {
  std::string strong = {};  // what it begins with, emphasised
  std::string words;
  // Of the text; the first line starts `hang` cells further left.
  std::size_t indent = 0, hang = 0;
};

class Screen {
 public:
  // "kernels: NAME", and sentences below it.
  static Screen titled(std::string_view what, std::string_view engine_name);
  // The answer in one sentence; Markdown names the engine.
  static Screen headed(std::string_view engine_name, std::string_view headline,
                       ShownIn where = ShownIn::kBoth);

  // A sentence below the title; in Markdown an item of a list.
  void say(std::string sentence, ShownIn where = ShownIn::kBoth);
  void add(Paragraph paragraph, ShownIn where = ShownIn::kBoth);

  // With an empty line before it, and how many of `count` rows it leaves out.
  void show(Grid grid, std::size_t count = 0, std::size_t shown = 0);
  void add(Grid grid, std::size_t indent);
  void add_line(std::string line);
  void add_gap() { add_line({}); }

  // In Markdown: its first line has the heads of columns; its cells need not be printable.
  void list(Grid grid);

  void add(model::DataTable table, ShownIn where = ShownIn::kBoth);
  // In Markdown: the first `shown` rows, and how many it leaves out.
  void list_rows(model::DataTable table, std::size_t shown);

  std::string text(const TableStyle& style) const;
  std::string markdown() const;

 private:
  struct Title {
    std::string words;
    bool wraps = false;
  };
  struct Item {
    std::string words;
  };
  struct PlacedGrid {
    Grid grid;
    std::size_t indent = 0;
  };
  // A line that is not wrapped.
  struct Line {
    std::string words;
  };
  struct Heading {
    std::string markdown;
  };
  using Content = std::variant<Title, Heading, Item, Paragraph, PlacedGrid, Line, model::DataTable>;
  struct Part {
    ShownIn where;
    Content content;
  };

  std::vector<Part> parts_;
};

// The width of a screen in this style.
std::size_t screen_width(const TableStyle& style);

}  // namespace planex::render
