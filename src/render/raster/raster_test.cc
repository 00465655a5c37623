#include "render/raster/raster.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

// Of the leak sanitizer. Fontconfig keeps what it found of the fonts, where nobody finds it again.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libfontconfig\n"; }

namespace planex::render {
namespace {

std::string svg(double width, double height) {
  return "<svg xmlns='http://www.w3.org/2000/svg' width='" + std::to_string(width) + "' height='" +
         std::to_string(height) +
         "'><rect width='50%' height='50%' fill='#104BA1'/>"
         "<text x='2' y='12' font-family='Liberation Sans,sans-serif'>conv1 · 积</text></svg>";
}

std::uint32_t big_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (const char c : bytes) value = value << 8 | static_cast<std::uint8_t>(c);
  return value;
}

TEST(Raster, MakesAPngOfTheScaledSize) {
  const auto png = rasterise(svg(40, 30.2), RasterFormat::kPng, 2);
  ASSERT_TRUE(png) << png.error().message << png.error().context;
  ASSERT_TRUE(png->starts_with("\x89PNG\r\n\x1a\n"));
  EXPECT_EQ(big_endian(std::string_view(*png).substr(16, 4)), 80U);
  EXPECT_EQ(big_endian(std::string_view(*png).substr(20, 4)), 61U);
}

TEST(Raster, MakesAPdfOfTheDrawingsSizeWithoutADate) {
  const auto pdf = rasterise(svg(400, 300), RasterFormat::kPdf, 1);
  ASSERT_TRUE(pdf) << pdf.error().message;
  EXPECT_TRUE(pdf->starts_with("%PDF-"));
  EXPECT_NE(pdf->find("/MediaBox [ 0 0 300 225 ]"), std::string::npos);
  EXPECT_EQ(pdf->find("Date"), std::string::npos);
  EXPECT_EQ(pdf->find("(D:"), std::string::npos);
}

TEST(Raster, PdfStaysWithinWhatTheFormatAllows) {
  const auto pdf = rasterise(svg(400'000, 300), RasterFormat::kPdf, 1);
  ASSERT_TRUE(pdf) << pdf.error().message;
  EXPECT_NE(pdf->find("/MediaBox [ 0 0 14400 10.8"), std::string::npos);
}

TEST(Raster, GivesTheSameBytesAgain) {
  for (const RasterFormat format : {RasterFormat::kPng, RasterFormat::kPdf}) {
    EXPECT_EQ(rasterise(svg(100, 50), format, 1.5).value(),
              rasterise(svg(100, 50), format, 1.5).value());
  }
}

TEST(Raster, SaysWhichScaleFits) {
  const auto wide = rasterise(svg(100'000, 10), RasterFormat::kPng, 1);
  ASSERT_FALSE(wide);
  EXPECT_EQ(wide.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(wide.error().message,
            "a PNG of 100000 × 10 pixels is too large: at most 32767 per side, and 268 million "
            "in total");
  EXPECT_EQ(wide.error().hint, "--scale 0.32 fits; SVG and PDF have no such limit");
  EXPECT_TRUE(rasterise(svg(100'000, 10), RasterFormat::kPng, 0.32));

  const auto large = rasterise(svg(30'000, 30'000), RasterFormat::kPng, 1);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().hint, "--scale 0.54 fits; SVG and PDF have no such limit");

  const auto endless = rasterise(svg(1e9, 10), RasterFormat::kPng, 1);
  ASSERT_FALSE(endless);
  EXPECT_EQ(endless.error().hint, "draw less of it, or write an SVG or PDF");
}

TEST(Raster, RefusesWhatIsNoDrawing) {
  for (const char* bad : {"", "no markup", "<svg", "<html/>"}) {
    const auto result = rasterise(bad, RasterFormat::kPng, 1);
    ASSERT_FALSE(result) << bad;
    EXPECT_EQ(result.error().code, ErrorCode::kBadInput) << bad;
  }
  for (const double scale : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    const auto result = rasterise(svg(10, 10), RasterFormat::kPng, scale);
    ASSERT_FALSE(result) << scale;
    EXPECT_EQ(result.error().code, ErrorCode::kUsage) << scale;
  }
}

}  // namespace
}  // namespace planex::render
