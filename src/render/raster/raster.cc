#include "render/raster/raster.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/text.h"
#include "base/try.h"
#include "render/raster/svg_library.h"

namespace planex::render {
namespace {

using base::format;

struct Size {
  double width = 0, height = 0;
};

// An object from a C library, with the function that frees it.
template <typename T>
using Owned = std::unique_ptr<T, void (*)(T*)>;

// GObject's own type of unref is one of void pointers.
struct Unref {
  const SvgLibrary* library;
  void operator()(void* object) const { library->g_object_unref(object); }
};
using Drawing = std::unique_ptr<RsvgHandle, Unref>;

Error bad_drawing(std::string_view what) {
  return {.code = ErrorCode::kBadInput,
          .message = format("the drawing can't be rendered: {}", what)};
}

// Takes ownership of the error.
Error taken(const SvgLibrary& library, GError* error) {
  if (error == nullptr) return bad_drawing("no reason given");
  Error result = bad_drawing(error->message);
  library.g_error_free(error);
  return result;
}

Result<void> check(const SvgLibrary& library, cairo_status_t status) {
  if (status == CAIRO_STATUS_SUCCESS) return {};
  return fail(bad_drawing(library.cairo_status_to_string(status)));
}

cairo_status_t append_to(void* text, const unsigned char* bytes, unsigned int size) {
  static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(bytes), size);
  return CAIRO_STATUS_SUCCESS;
}

Result<Drawing> parse(const SvgLibrary& library, std::string_view svg) {
  const std::unique_ptr<GInputStream, Unref> stream(
      library.g_memory_input_stream_new_from_data(svg.data(), static_cast<gssize>(svg.size()),
                                                  nullptr),
      Unref{&library});
  GError* error = nullptr;
  // The drawing is ours, and libxml2's limits are below what a large one needs.
  Drawing drawing(library.rsvg_handle_new_from_stream_sync(
                      stream.get(), nullptr, RSVG_HANDLE_FLAG_UNLIMITED, nullptr, &error),
                  Unref{&library});
  if (drawing == nullptr) return fail(taken(library, error));
  return drawing;
}

Result<Size> size_of(const SvgLibrary& library, RsvgHandle* drawing) {
  constexpr double kPixelsPerInch = 96;
  library.rsvg_handle_set_dpi(drawing, kPixelsPerInch);
  Size size;
  if (!library.rsvg_handle_get_intrinsic_size_in_pixels(drawing, &size.width, &size.height) ||
      !(size.width > 0 && size.height > 0 && std::isfinite(size.width * size.height))) {
    return fail(bad_drawing("it has no size in pixels"));
  }
  return size;
}

// Draws the whole document, as large as the surface.
Result<void> draw(const SvgLibrary& library, RsvgHandle* drawing, cairo_surface_t* surface,
                  Size size) {
  PLANEX_TRY(check(library, library.cairo_surface_status(surface)));
  const Owned<cairo_t> context(library.cairo_create(surface), library.cairo_destroy);
  const RsvgRectangle viewport{.x = 0, .y = 0, .width = size.width, .height = size.height};
  GError* error = nullptr;
  if (!library.rsvg_handle_render_document(drawing, context.get(), &viewport, &error)) {
    return fail(taken(library, error));
  }
  return check(library, library.cairo_status(context.get()));
}

// The largest scale with two decimals that a PNG of this size may have.
double fitting_scale(Size size) {
  constexpr double kHundredth = 100;
  const double side = kMaxPngPixelsASide / std::max(size.width, size.height);
  const double area = std::sqrt(kMaxPngPixels / (size.width * size.height));
  return std::floor(std::min(side, area) * kHundredth) / kHundredth;
}

Error too_large(Size size, double scale) {
  const double fitting = fitting_scale(size);
  return {.code = ErrorCode::kUnsupported,
          .message = format("a PNG of {:.0f} × {:.0f} pixels is too large: at most {:.0f} per "
                            "side, and {:.0f} million in total",
                            size.width * scale, size.height * scale, kMaxPngPixelsASide,
                            kMaxPngPixels / 1e6),
          .hint = fitting > 0 ? format("--scale {} fits; SVG and PDF have no such limit", fitting)
                              : "draw less of it, or write an SVG or PDF"};
}

Result<std::string> png(const SvgLibrary& library, RsvgHandle* drawing, Size size, double scale) {
  const Size pixels{.width = std::ceil(size.width * scale),
                    .height = std::ceil(size.height * scale)};
  if (std::max(pixels.width, pixels.height) > kMaxPngPixelsASide ||
      pixels.width * pixels.height > kMaxPngPixels) {
    return fail(too_large(size, scale));
  }
  const Owned<cairo_surface_t> surface(
      library.cairo_image_surface_create(CAIRO_FORMAT_ARGB32, static_cast<int>(pixels.width),
                                         static_cast<int>(pixels.height)),
      library.cairo_surface_destroy);
  PLANEX_TRY(draw(library, drawing, surface.get(),
                  {.width = size.width * scale, .height = size.height * scale}));
  std::string bytes;
  PLANEX_TRY(
      check(library, library.cairo_surface_write_to_png_stream(surface.get(), append_to, &bytes)));
  return bytes;
}

// Cairo always writes when a document was made, in the machine's time zone unless set otherwise;
// blanks instead leave every offset unchanged.
void blank_date(std::string& pdf) {
  constexpr std::string_view kKey = "/CreationDate (";
  const std::size_t start = pdf.rfind(kKey);
  if (start == std::string::npos) return;
  const std::size_t end = pdf.find(')', start);
  if (end != std::string::npos) pdf.replace(start, end + 1 - start, end + 1 - start, ' ');
}

Result<std::string> pdf(const SvgLibrary& library, RsvgHandle* drawing, Size size, double scale) {
  constexpr double kPointsPerPixel = 0.75;
  const double fitting = kMaxPdfPointsASide / std::max(size.width, size.height);
  const double points = std::min(scale * kPointsPerPixel, fitting);
  const Size page{.width = size.width * points, .height = size.height * points};
  std::string bytes;
  {
    const Owned<cairo_surface_t> surface(
        library.cairo_pdf_surface_create_for_stream(append_to, &bytes, page.width, page.height),
        library.cairo_surface_destroy);
    library.cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE,
                                           "1980-01-01T00:00:00Z");
    PLANEX_TRY(draw(library, drawing, surface.get(), page));
    library.cairo_surface_finish(surface.get());
    PLANEX_TRY(check(library, library.cairo_surface_status(surface.get())));
  }
  blank_date(bytes);
  return bytes;
}

}  // namespace

Result<std::string> rasterise(std::string_view svg, RasterFormat format, double scale) {
  if (!(scale > 0) || !std::isfinite(scale)) {
    return fail(ErrorCode::kUsage, base::format("the scale {} is not above 0", scale));
  }
  PLANEX_ASSIGN(const SvgLibrary* library, svg_library());
  PLANEX_ASSIGN(const Drawing drawing, parse(*library, svg));
  PLANEX_ASSIGN(const Size size, size_of(*library, drawing.get()));
  return format == RasterFormat::kPng ? png(*library, drawing.get(), size, scale)
                                      : pdf(*library, drawing.get(), size, scale);
}

}  // namespace planex::render
