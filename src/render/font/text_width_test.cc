#include "render/font/text_width.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/utf8.h"

namespace planex::render {
namespace {

constexpr double kSizePx = 12;

// Of Helvetica's and Arial's published metrics, in thousandths of an em.
TEST(TextWidth, IsThatOfTheFont) {
  constexpr double kTolerance = 0.5;
  EXPECT_NEAR(text_width("a", Face::kRegular, 1000), 556, kTolerance);
  EXPECT_NEAR(text_width("i", Face::kRegular, 1000), 222, kTolerance);
  EXPECT_NEAR(text_width("W", Face::kRegular, 1000), 944, kTolerance);
  EXPECT_NEAR(text_width("b", Face::kBold, 1000), 611, kTolerance);
  EXPECT_NEAR(text_width("é", Face::kRegular, 1000), 556, kTolerance);
  EXPECT_NEAR(text_width("…", Face::kRegular, 1000), 1000, kTolerance);
  EXPECT_NEAR(text_width("layer1", Face::kRegular, 1000), 222 + 556 + 500 + 556 + 333 + 556,
              4 * kTolerance);
  EXPECT_EQ(text_width("", Face::kBold, kSizePx), 0);
}

TEST(TextWidth, KnowsWhatTheFontLacks) {
  EXPECT_EQ(text_width("卷积", Face::kRegular, 10), 20);
  EXPECT_EQ(text_width("🙂", Face::kBold, 10), 10);
  EXPECT_EQ(text_width("e\u20DD", Face::kRegular, 10), text_width("e", Face::kRegular, 10));
  EXPECT_EQ(text_width("ก", Face::kRegular, 10), text_width("W", Face::kRegular, 10));
  EXPECT_EQ(text_width("\xFF", Face::kRegular, 10), text_width("\uFFFD", Face::kRegular, 10));
}

TEST(TextWidth, FittedKeepsWhatFits) {
  const double width = text_width("layer1.0.conv1", Face::kRegular, kSizePx);
  EXPECT_EQ(fitted("layer1.0.conv1", width, Face::kRegular, kSizePx), "layer1.0.conv1");
  EXPECT_EQ(fitted("", 0, Face::kRegular, kSizePx), "");
}

TEST(TextWidth, FittedKeepsBothEnds) {
  const std::string text = std::string(50, 'a') + std::string(50, 'e');
  const double width = text_width(std::string(20, 'a') + "…", Face::kRegular, kSizePx);
  EXPECT_EQ(fitted(text, width, Face::kRegular, kSizePx),
            std::string(11, 'a') + "…" + std::string(9, 'e'));
}

TEST(TextWidth, FittedIsNeverTooWideAndCutsNoCharacter) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "🙂e\u0301卷W";
  for (double width = 0; width < 2 * text_width(text, Face::kBold, kSizePx); width += 7.3) {
    const std::string cut = fitted(text, width, Face::kBold, kSizePx);
    EXPECT_LE(text_width(cut, Face::kBold, kSizePx), width + 1e-6);
    EXPECT_TRUE(base::is_valid_utf8(cut));
    EXPECT_EQ(cut.find("…\u0301"), std::string::npos) << "an accent without its letter";
  }
}

TEST(TextWidth, FittedTakesNoRoomAsNothing) {
  EXPECT_EQ(fitted("layer", -1, Face::kRegular, kSizePx), "");
  EXPECT_EQ(fitted("layer", std::numeric_limits<double>::quiet_NaN(), Face::kRegular, kSizePx), "");
  EXPECT_EQ(fitted("layer", text_width("…", Face::kRegular, kSizePx), Face::kRegular, kSizePx),
            "…");
}

TEST(TextWidth, FittedCutsEndlessTextsWhateverTheRoom) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "卷";
  const std::string cut = fitted(text, 1e9, Face::kRegular, kSizePx);
  EXPECT_LE(cut.size(), 2003U);
  EXPECT_GE(cut.size(), 1990U);
  EXPECT_TRUE(base::is_valid_utf8(cut));
}

}  // namespace
}  // namespace planex::render
