// .npy files: one array as NumPy writes it, versions 1 to 3 of the format (numpy.lib.format
// describes it: magic, a header that is a Python literal, the elements).
//
// No code is run: arrays of Python objects, which are pickles, are rejected.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "arrays/array.h"
#include "planex/error.h"

namespace planex::arrays {

inline constexpr std::string_view kNpyMagic = "\x93NUMPY";

// The contents of the header.
struct NpyHeader {
  Array array;  // type and shape; no data
  bool is_fortran_order = false;
  bool is_big_endian = false;
  std::size_t header_bytes = 0;  // where the elements begin
};

// From the start of a file, or all of it. Errors: kBadInput (not an .npy, cut short, an invalid
// shape), kUnsupported (a version or type that is not supported); file is `path`, with the byte's
// offset.
Result<NpyHeader> read_npy_header(std::string_view head, const std::string& path);

// The array of a whole file. Arrays in Fortran order are transposed, big-endian ones swapped, so
// that data is as array.h says. Errors: as above; also kBadInput where there are more or fewer
// bytes than the shape needs.
Result<Array> read_npy(std::string_view bytes, const std::string& path);
// The same, but the array takes over the memory of `bytes`.
Result<Array> adopt_npy(std::string bytes, const std::string& path);

// The bytes that numpy.save writes; bfloat16 as ml_dtypes does, `|V2`.
std::string npy_header_text(ElementType type, const std::vector<std::int64_t>& shape);
std::string npy_text(const Array& array);

}  // namespace planex::arrays
