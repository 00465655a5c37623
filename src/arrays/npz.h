// .npz files: zip archives of .npy files, as numpy.savez and savez_compressed write them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "arrays/saved_arrays.h"
#include "planex/error.h"

namespace planex::arrays {

bool is_zip(std::string_view head);

// The arrays in the archive's order, stored or deflated; members that are no arrays are told of in
// remarks. `bytes` are needed during the call only. What a member may unpack to is limited.
// Errors: kBadInput (no zip, damaged, no arrays, an array that is no .npy, or that unpacks to too
// much), kUnsupported (types as in npy.h, encrypted members, no libzip); file is `path`, or the
// member's, "a.npz/x.npy".
Result<SavedArrays> read_npz(std::string_view bytes, const std::string& path);

// The bytes of an .npz, stored; the same arrays give the same bytes. It is made in memory.
// Errors: kUnsupported (no libzip), kInternal (two arrays of one name).
Result<std::string> npz_text(std::span<const NamedArray> arrays, const std::string& path);

// An array that lies in a file of its own, an .npy.
struct NpyFile {
  std::string name;  // of the array
  std::string path;
};

// An .npz of these, stored, as a file. Memory: none that grows with them. Errors: kUnsupported (no
// libzip), kNotFound, kIo.
Result<void> write_npz(std::span<const NpyFile> arrays, const std::string& path);

}  // namespace planex::arrays
