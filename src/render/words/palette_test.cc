#include "render/words/palette.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace planex::render {
namespace {

using model::DType;
using model::Family;

// WCAG 2.1, apart from the palette's own code.
double luminance(std::string_view colour) {
  const double weights[] = {0.2126, 0.7152, 0.0722};
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double c = std::stoi(std::string(colour.substr(1 + 2 * i, 2)), nullptr, 16) / 255.0;
    sum += weights[i] * (c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
  }
  return sum;
}

double contrast(std::string_view a, std::string_view b) {
  const double la = luminance(a) + 0.05;
  const double lb = luminance(b) + 0.05;
  return la > lb ? la / lb : lb / la;
}

class Themes : public testing::TestWithParam<Theme> {
 protected:
  Palette palette_{GetParam(), PaletteName::kPlanex};
};
INSTANTIATE_TEST_SUITE_P(All, Themes, testing::Values(Theme::kLight, Theme::kDark, Theme::kPrint));

TEST_P(Themes, InkOnAFillCanBeReadOrIsNotThere) {
  std::size_t readable = 0;
  const auto check = [&](std::string_view fill) {
    const std::string_view ink = palette_.ink_on(fill);
    const double with_ink = contrast(fill, palette_.ui(UiColour::kInk));
    const double with_background = contrast(fill, palette_.ui(UiColour::kBackground));
    if (ink.empty()) {
      EXPECT_LT(std::max(with_ink, with_background), 4.5) << fill;
    } else {
      EXPECT_GE(contrast(fill, ink), 4.5) << fill;
      EXPECT_GE(contrast(fill, ink), std::max(with_ink, with_background)) << fill;
      ++readable;
    }
  };
  for (int i = 0; i < static_cast<int>(Family::kNull); ++i) {
    check(palette_.layer(static_cast<Family>(i), "Any"));
  }
  for (int i = 0; i < static_cast<int>(DType::kNull); ++i) {
    const std::string_view fill = palette_.precision(static_cast<DType>(i));
    if (!fill.empty()) check(fill);
  }
  for (std::size_t step = 0; step < kHeatSteps; ++step) check(palette_.heat(step));
  EXPECT_GE(readable, 20U);
}

TEST_P(Themes, EveryHeatStepHasItsInk) {
  for (std::size_t step = 0; step < kHeatSteps; ++step) {
    const UiColour ink = step <= 3 ? UiColour::kInk : UiColour::kBackground;
    EXPECT_EQ(palette_.ink_on(palette_.heat(step)), palette_.ui(ink)) << step;
  }
  EXPECT_EQ(palette_.heat(kHeatSteps), palette_.heat(kHeatSteps - 1));
}

TEST_P(Themes, FillsStandOutFromTheBackground) {
  const std::string_view background = palette_.ui(UiColour::kBackground);
  for (int i = 0; i < static_cast<int>(Family::kOther); ++i) {
    EXPECT_GE(contrast(palette_.layer(static_cast<Family>(i), ""), background), 3) << i;
  }
  for (int i = 0; i < static_cast<int>(DType::kNull); ++i) {
    const std::string_view fill = palette_.precision(static_cast<DType>(i));
    if (!fill.empty()) {
      EXPECT_GE(contrast(fill, background), 3) << i;
    }
  }
}

TEST(Palette, PrintsTheLightColoursOnWhite) {
  const Palette print(Theme::kPrint, PaletteName::kPlanex);
  const Palette light(Theme::kLight, PaletteName::kPlanex);
  EXPECT_EQ(print.ui(UiColour::kBackground), "#FFFFFF");
  EXPECT_EQ(print.layer(Family::kGemm, ""), light.layer(Family::kGemm, ""));
  EXPECT_NE(Palette(Theme::kDark, PaletteName::kPlanex).heat(0), light.heat(0));
}

// The design: on light FP16, FP8, FP4 and INT4 the text is ink, not white.
TEST(Palette, PutsDarkInkOnLightFills) {
  const Palette light(Theme::kLight, PaletteName::kPlanex);
  EXPECT_EQ(light.ink_on(light.precision(DType::kInt8)), light.ui(UiColour::kBackground));
  for (const DType type : {DType::kFp16, DType::kFp8, DType::kFp4, DType::kInt4}) {
    EXPECT_EQ(light.ink_on(light.precision(type)), light.ui(UiColour::kInk));
  }
}

TEST(Palette, KnowsNoColourOfUnknownTypes) {
  for (const PaletteName name : {PaletteName::kPlanex, PaletteName::kTrex}) {
    const Palette palette(Theme::kLight, name);
    EXPECT_EQ(palette.precision(DType::kNull), "");
    EXPECT_EQ(palette.precision(DType::kFp64), "");
    EXPECT_EQ(palette.precision(DType::kUint8), palette.precision(DType::kInt8));
    EXPECT_EQ(palette.precision(DType::kBool), palette.precision(DType::kInt64));
  }
}

TEST(Palette, PredecessorsColoursGoByTheLayersOwnType) {
  const Palette trex(Theme::kDark, PaletteName::kTrex);
  EXPECT_EQ(trex.layer(Family::kConvolution, "Convolution"), "#4682B4");
  EXPECT_EQ(trex.layer(Family::kConvolution, "Deconvolution"), "#7B68EE");
  EXPECT_EQ(trex.layer(Family::kOpaque, "kgen"), "#B39C4D");
  EXPECT_EQ(trex.layer(Family::kNull, "TrainStation"), "#FFA07A");
  EXPECT_EQ(trex.layer(Family::kConvolution, "conv_unheard_of"), "#808080");
  EXPECT_EQ(trex.precision(DType::kInt8), "#76B900");
}

}  // namespace
}  // namespace planex::render
