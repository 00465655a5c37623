// librsvg and Cairo, loaded when the first drawing becomes a PNG or PDF.
//  They bring some sixty libraries, which every command would bind
// (docs/design/0021-png-and-pdf-through-librsvg.md).
#pragma once

#include <cairo-pdf.h>
#include <librsvg/rsvg.h>

#include "planex/error.h"

// Functions of librsvg itself, and of Cairo, GIO, GObject and GLib, which it needs and which come
// with it.
#define PLANEX_SVG_FUNCTIONS(X)               \
  X(cairo_create)                             \
  X(cairo_destroy)                            \
  X(cairo_image_surface_create)               \
  X(cairo_pdf_surface_create_for_stream)      \
  X(cairo_pdf_surface_set_metadata)           \
  X(cairo_status)                             \
  X(cairo_status_to_string)                   \
  X(cairo_surface_destroy)                    \
  X(cairo_surface_finish)                     \
  X(cairo_surface_status)                     \
  X(cairo_surface_write_to_png_stream)        \
  X(g_error_free)                             \
  X(g_memory_input_stream_new_from_data)      \
  X(g_object_unref)                           \
  X(rsvg_handle_get_intrinsic_size_in_pixels) \
  X(rsvg_handle_new_from_stream_sync)         \
  X(rsvg_handle_render_document)              \
  X(rsvg_handle_set_dpi)

namespace planex::render {

// The functions, of the same names and types.
struct SvgLibrary {
#define PLANEX_SVG_MEMBER(name) decltype(&::name) name = nullptr;
  PLANEX_SVG_FUNCTIONS(PLANEX_SVG_MEMBER)
#undef PLANEX_SVG_MEMBER
};

// Loads it the first time; it stays. Error: kUnsupported (not on this machine).
Result<const SvgLibrary*> svg_library();

}  // namespace planex::render
