// SVG drawings as PNG and PDF.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "planex/error.h"

namespace planex::render {

enum class RasterFormat : std::uint8_t { kPng, kPdf };

// Cairo counts pixels in 16 bits.
inline constexpr double kMaxPngPixelsASide = 32'767;
// 1 GB of memory while the picture is made.
inline constexpr double kMaxPngPixels = 1 << 28;
// Points, at 72 to the inch: what PDF 1.x allows (ISO 32000-1, C.2).
inline constexpr double kMaxPdfPointsASide = 14'400;

// Renders a drawing of ours, whose size is in pixels. `scale` is how many pixels of a PNG one of
// the drawing becomes, above 0; a PDF has the drawing's own size times it, or less if the format
// forbids that size, and is sharp at any. The same bytes for the same drawing, fonts and libraries:
// they contain no date. Errors: kUnsupported (librsvg is not installed; too large as PNG: the hint
// says which scale fits), kUsage (scale), kBadInput (not an SVG, or one without a size).
Result<std::string> rasterise(std::string_view svg, RasterFormat format, double scale);

}  // namespace planex::render
