#include "render/text/screen.h"

#include <gtest/gtest.h>

namespace planex::render {
namespace {

Grid pans() {
  Grid grid({{Alignment::kLeft}, {Alignment::kRight}});
  grid.add_row({{"pan"}, {"mm"}});
  grid.add_row({{"a_b"}, {"240"}});
  return grid;
}

model::DataTable table() {
  return {.columns = {{"pan", "", false}, {"depth_mm", "mm", true}},
          .rows = {{std::string("small"), 40.0}, {std::string("large"), 60.0}}};
}

TEST(Screen, SaysTheSameAsTextAndAsMarkdown) {
  Screen screen = Screen::titled("pans", "my_kitchen_");
  screen.say("3 pans");
  screen.say("in a terminal", ShownIn::kText);
  screen.say("on a page", ShownIn::kMarkdown);
  screen.show(pans(), 3, 1);
  screen.list_rows(table(), 1);
  EXPECT_EQ(screen.text({}), R"(pans: my_kitchen_
  3 pans
  in a terminal

  pan   mm
  a_b  240
  … 2 more: --all
)");
  EXPECT_EQ(screen.markdown(), R"(### Pans: my_kitchen\_

- 3 pans
- on a page
- 1 more rows: --all

| pan | depth mm |
| --- | ---: |
| small | 40 |
)");
}

TEST(Screen, AnswersInOneSentence) {
  Screen screen = Screen::headed("kitchen", "2 pans leak");
  screen.add({.strong = "1 pan", .words = ": a hole", .indent = 4, .hang = 2});
  screen.add(pans(), 4);
  screen.list(pans());
  EXPECT_EQ(screen.text({}), "2 pans leak\n  1 pan: a hole\n    pan   mm\n    a_b  240\n");
  EXPECT_EQ(screen.markdown(), R"(**kitchen**: 2 pans leak

**1 pan**: a hole

| pan | mm |
|---|---:|
| a_b | 240 |
)");
}

TEST(Screen, WrapsSentencesAtItsWidth) {
  Screen screen = Screen::titled("pans", "kitchen");
  screen.say("one two three");
  EXPECT_EQ(screen.text({.width = 12}), "pans: kitchen\n  one two\n    three\n");
  EXPECT_EQ(screen.text({.width = 12, .wide = true}), "pans: kitchen\n  one two three\n");
}

TEST(ScreenSize, ShowsAllWhereAllIsWanted) {
  EXPECT_EQ(ScreenSize{}.of(9, 5), 5u);
  EXPECT_EQ(ScreenSize{}.of(3, 5), 3u);
  EXPECT_EQ(ScreenSize{.all = true}.of(9, 5), 9u);
}

}  // namespace
}  // namespace planex::render
