// libzip, loaded when the first archive is opened, or linked in.
//
// It depends on libcrypto, and binding that takes longer than reading an engine: every command
// would pay for what few commands need (docs/design/0017-libraries-that-start-fast.md).
#pragma once

#include <zip.h>

#include <string>

#include "planex/error.h"

#define PLANEX_ZIP_FUNCTIONS(X)   \
  X(close)                        \
  X(compression_method_supported) \
  X(discard)                      \
  X(error_fini)                   \
  X(error_init)                   \
  X(error_strerror)               \
  X(fclose)                       \
  X(file_add)                     \
  X(file_get_external_attributes) \
  X(file_set_dostime)             \
  X(file_set_external_attributes) \
  X(file_strerror)                \
  X(fopen_index)                  \
  X(fread)                        \
  X(get_num_entries)              \
  X(open)                         \
  X(open_from_source)             \
  X(set_file_compression)         \
  X(source_buffer_create)         \
  X(source_close)                 \
  X(source_free)                  \
  X(source_keep)                  \
  X(source_open)                  \
  X(source_read)                  \
  X(source_stat)                  \
  X(stat_index)                   \
  X(stat_init)                    \
  X(strerror)

namespace planex::archive {

// The functions zip_*, of the same types and without their prefix.
struct ZipLibrary {
#define PLANEX_ZIP_MEMBER(name) decltype(&::zip_##name) name = nullptr;
  PLANEX_ZIP_FUNCTIONS(PLANEX_ZIP_MEMBER)
#undef PLANEX_ZIP_MEMBER
};

// Loads the library the first time; it stays loaded. Error: kUnsupported (not on this machine);
// file is `path`, the archive that needs it.
Result<const ZipLibrary*> zip_library(const std::string& path);

}  // namespace planex::archive
