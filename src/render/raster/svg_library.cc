#include "render/raster/svg_library.h"

#include <string>

#include "base/dynamic_library.h"

namespace planex::render {

#ifdef PLANEX_LIBRSVG

namespace {

struct Loaded {
  SvgLibrary functions;
  std::string error;  // empty: all functions are there
};

Loaded load() {
  base::DynamicLibrary library(PLANEX_LIBRSVG);
  Loaded loaded;
#define PLANEX_SVG_FIND(name) \
  loaded.functions.name = reinterpret_cast<decltype(&::name)>(library.find(#name));
  PLANEX_SVG_FUNCTIONS(PLANEX_SVG_FIND)
#undef PLANEX_SVG_FIND
  loaded.error = library.error();
  return loaded;
}

}  // namespace

Result<const SvgLibrary*> svg_library() {
  static const Loaded loaded = load();
  if (loaded.error.empty()) return &loaded.functions;
  return fail({.code = ErrorCode::kUnsupported,
               .message = "PNG and PDF are not available here: the library " PLANEX_LIBRSVG
                          " (2.52 or newer) is missing",
               .context = loaded.error,
               .hint = "install librsvg (Debian and Ubuntu: apt-get install librsvg2-2), or write "
                       "an SVG"});
}

#else  // A static program can't load a library.

Result<const SvgLibrary*> svg_library() {
  return fail({.code = ErrorCode::kUnsupported,
               .message = "the static planex can't make PNG or PDF",
               .hint = "write an SVG and convert it (rsvg-convert, Inkscape), or use the planex of "
                       "the Debian package"});
}

#endif

}  // namespace planex::render
