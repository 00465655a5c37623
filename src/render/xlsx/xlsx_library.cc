#include "render/xlsx/xlsx_library.h"

#include <string>

#include "base/dynamic_library.h"

namespace planex::render {

#ifdef PLANEX_LIBXLSXWRITER

namespace {

struct Loaded {
  XlsxLibrary functions;
  std::string error;  // empty: all functions are there
};

Loaded load() {
  base::DynamicLibrary library(PLANEX_LIBXLSXWRITER);
  Loaded loaded;
#define PLANEX_XLSX_FIND(name) \
  loaded.functions.name = reinterpret_cast<decltype(&::name)>(library.find(#name));
  PLANEX_XLSX_FUNCTIONS(PLANEX_XLSX_FIND)
#undef PLANEX_XLSX_FIND
  loaded.error = library.error();
  return loaded;
}

}  // namespace

Result<const XlsxLibrary*> xlsx_library() {
  static const Loaded loaded = load();
  if (loaded.error.empty()) return &loaded.functions;
  return fail({.code = ErrorCode::kUnsupported,
               .message = "workbooks are not available here: the library " PLANEX_LIBXLSXWRITER
                          " is missing",
               .context = loaded.error,
               .hint = "install libxlsxwriter (Debian and Ubuntu: apt-get install "
                       "libxlsxwriter4), or export CSV"});
}

#else  // It is linked in.

Result<const XlsxLibrary*> xlsx_library() {
#define PLANEX_XLSX_ADDRESS(name) .name = &::name,
  static constexpr XlsxLibrary kFunctions{PLANEX_XLSX_FUNCTIONS(PLANEX_XLSX_ADDRESS)};
#undef PLANEX_XLSX_ADDRESS
  return &kFunctions;
}

#endif

}  // namespace planex::render
