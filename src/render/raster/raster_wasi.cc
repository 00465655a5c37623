#include "render/raster/raster.h"

namespace planex::render {

Result<std::string> rasterise(std::string_view, RasterFormat, double) {
  return fail(ErrorCode::kUnsupported, "a page can't make a PNG or PDF of a drawing",
              "write an SVG, or use the program: planex draw -o drawing.png");
}

}  // namespace planex::render
