#include "archive/zip_library.h"

#include <string>

#include "base/dynamic_library.h"

namespace planex::archive {

#ifdef PLANEX_LIBZIP

namespace {

struct Loaded {
  ZipLibrary functions;
  std::string error;  // empty: all functions are there
};

Loaded load() {
  base::DynamicLibrary library(PLANEX_LIBZIP);
  Loaded loaded;
#define PLANEX_ZIP_FIND(name) \
  loaded.functions.name = reinterpret_cast<decltype(&::zip_##name)>(library.find("zip_" #name));
  PLANEX_ZIP_FUNCTIONS(PLANEX_ZIP_FIND)
#undef PLANEX_ZIP_FIND
  loaded.error = library.error();
  return loaded;
}

}  // namespace

Result<const ZipLibrary*> zip_library(const std::string& path) {
  static const Loaded loaded = load();
  if (loaded.error.empty()) return &loaded.functions;
  return fail({.code = ErrorCode::kUnsupported,
               .message = "archives can't be read here: the library " PLANEX_LIBZIP " is missing",
               .file = path,
               .context = loaded.error,
               .hint = "install libzip, or unpack the archive and name the folder"});
}

#else  // It is linked in.

Result<const ZipLibrary*> zip_library(const std::string&) {
#define PLANEX_ZIP_ADDRESS(name) .name = &::zip_##name,
  static constexpr ZipLibrary kFunctions{PLANEX_ZIP_FUNCTIONS(PLANEX_ZIP_ADDRESS)};
#undef PLANEX_ZIP_ADDRESS
  return &kFunctions;
}

#endif

}  // namespace planex::archive
