#include "render/xlsx/excel_text.h"

#include <gtest/gtest.h>

namespace planex::render {
namespace {

std::string repeated(std::string_view text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

TEST(ExcelText, IsCutAtTheLimitOfACell) {
  const std::string most(kMaxCellCharacters, 'x');
  EXPECT_EQ(excel_text(most).text, most);
  EXPECT_FALSE(excel_text(most).is_cut);
  EXPECT_EQ(excel_text(most + "y").text, most.substr(1) + "…");
  EXPECT_TRUE(excel_text(most + "y").is_cut);
  // One character of Unicode that is two of UTF-16.
  const std::string faces = repeated("😀", 16'384);
  EXPECT_EQ(excel_text(faces).text, repeated("😀", 16'383) + "…");
  EXPECT_TRUE(excel_text(std::string(1'000'000, 'x')).is_cut);
}

TEST(ExcelText, HasNothingThatXmlForbids) {
  EXPECT_EQ(excel_text(std::string_view("a\0b\x01\n", 5)).text, "a⟨U+0000⟩b⟨U+0001⟩\n");
  EXPECT_EQ(excel_text("\xEF\xBF\xBF").text, "⟨U+FFFF⟩");
  EXPECT_EQ(excel_text("\xC3").text, "\uFFFD");
  EXPECT_EQ(excel_text("=1+1").text, "=1+1") << "the cell is a string, whatever it says";
}

TEST(ExcelText, EscapesWhatLooksLikeAnEscape) {
  EXPECT_EQ(excel_text("conv_x0041_y").text, "conv_x005F_x0041_y");
  EXPECT_EQ(excel_text("_x005F_").text, "_x005F_x005F_");
  EXPECT_EQ(excel_text("max_xlow_").text, "max_xlow_");
  EXPECT_EQ(excel_text("_x12").text, "_x12");
}

TEST(SheetName, FitsExcel) {
  std::set<std::string> taken;
  EXPECT_EQ(sheet_name("Layers", taken), "Layers");
  EXPECT_EQ(sheet_name("LAYERS", taken), "LAYERS 2");
  EXPECT_EQ(sheet_name("a/b\\c[d]e:f*g?", taken), "a-b-c-d-e-f-g-");
  EXPECT_EQ(sheet_name("'quoted'", taken), "quoted");
  EXPECT_EQ(sheet_name("History", taken), "Historysheet");
  EXPECT_EQ(sheet_name("", taken), "sheet");
  const std::string one = sheet_name(std::string(50, 'n'), taken);
  EXPECT_EQ(one, std::string(30, 'n') + "…");
  EXPECT_EQ(sheet_name(std::string(50, 'n'), taken), std::string(28, 'n') + "… 2");
}

}  // namespace
}  // namespace planex::render
