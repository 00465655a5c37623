// .npz files: zip archives of .npy files, as numpy.savez and savez_compressed write them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "arrays/saved_arrays.h"
#include "planex/error.h"

namespace planex::arrays {

bool is_zip(std::string_view head);

// The arrays in the archive's order, stored or deflated; remarks list members that are not arrays.
// `bytes` are needed only during the call. The unpacked size of a member is limited. Errors:
// kBadInput (not a zip, damaged, no arrays, an array that is not an .npy, or that unpacks to too
// much), kUnsupported (types as in npy.h, encrypted members, no libzip); file is `path`, or the
// member's, "a.npz/x.npy".
Result<SavedArrays> read_npz(std::string_view bytes, const std::string& path);

// The bytes of an .npz, stored; the same arrays give the same bytes. It is made in memory. Errors:
// kUnsupported (no libzip), kInternal (two arrays with the same name).
Result<std::string> npz_text(std::span<const NamedArray> arrays, const std::string& path);

// An array in a file of its own, an .npy.
struct NpyFile {
  std::string name;  // of the array
  std::string path;
};

// Writes these as an .npz file, stored. Memory: independent of their size. Errors: kUnsupported (no
// libzip), kNotFound, kIo.
Result<void> write_npz(std::span<const NpyFile> arrays, const std::string& path);

}  // namespace planex::arrays
