#include "arrays/npy.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/try.h"

namespace planex::arrays {
namespace {

using base::format;

struct Spelling {
  std::string_view code;  // NumPy's letter and the bytes of an element
  ElementType type;
};

constexpr std::array kSpellings = {
    Spelling{"b1", ElementType::kBool},     Spelling{"i1", ElementType::kInt8},
    Spelling{"u1", ElementType::kUint8},    Spelling{"i2", ElementType::kInt16},
    Spelling{"u2", ElementType::kUint16},   Spelling{"i4", ElementType::kInt32},
    Spelling{"u4", ElementType::kUint32},   Spelling{"i8", ElementType::kInt64},
    Spelling{"u8", ElementType::kUint64},   Spelling{"f2", ElementType::kFloat16},
    Spelling{"V2", ElementType::kBfloat16},  // NumPy has no bfloat16: ml_dtypes writes raw bytes.
    Spelling{"f4", ElementType::kFloat32},  Spelling{"f8", ElementType::kFloat64},
};

// The header of an array of 64 dimensions, NumPy's maximum, has some 1500 characters; one of a type
// with named fields can be longer, and is not supported.
constexpr std::size_t kMaxHeaderBytes = 1 << 16;
constexpr std::size_t kMaxDimensions = 64;

// A Python literal, as far as headers use them: a dictionary of strings, booleans and tuples.
class HeaderText {
 public:
  HeaderText(std::string_view text, std::size_t offset, const std::string& path)
      : text_(text), offset_(offset), path_(path) {}

  Failure wrong(std::string_view expected) const {
    return fail({.code = ErrorCode::kBadInput,
                 .message = format("wrong header of an .npy: found {}, expected {}",
                                   at_ < text_.size() ? base::quoted(text_.substr(at_), 20)
                                                      : std::string("its end"),
                                   expected),
                 .file = path_,
                 .byte_offset = offset_ + at_});
  }

  bool take(char wanted) {
    skip_spaces();
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  bool take_word(std::string_view word) {
    skip_spaces();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  bool is_at_end() {
    skip_spaces();
    return at_ == text_.size();
  }

  // Escapes don't occur in names of types.
  std::optional<std::string_view> take_text() {
    skip_spaces();
    if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) return std::nullopt;
    const std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end == text_.npos) return std::nullopt;
    const std::string_view found = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return found;
  }

  std::optional<std::int64_t> take_size() {
    skip_spaces();
    std::int64_t value = 0;
    const char* const end = text_.data() + text_.size();
    const auto [rest, code] = std::from_chars(text_.data() + at_, end, value);
    if (code != std::errc() || value < 0) return std::nullopt;
    at_ = static_cast<std::size_t>(rest - text_.data());
    // Python 2 wrote long integers this way.
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;
    return value;
  }

  Result<std::vector<std::int64_t>> take_shape() {
    if (!take('(')) return wrong("a shape, such as (1, 3)");
    std::vector<std::int64_t> shape;
    while (!take(')')) {
      const std::optional<std::int64_t> size = take_size();
      if (!size) return wrong("a size of 0 to 9223372036854775807");
      if (shape.size() == kMaxDimensions) return wrong("at most 64 dimensions");
      shape.push_back(*size);
      if (take(',')) continue;
      // Parentheses without a comma are just a number in Python.
      if (shape.size() < 2 || !take(')')) return wrong("a comma or the end of the shape");
      break;
    }
    return shape;
  }

 private:
  void skip_spaces() {
    constexpr std::string_view kSpaces = " \t\r\n";
    while (at_ < text_.size() && kSpaces.contains(text_[at_])) ++at_;
  }

  std::string_view text_;
  std::size_t offset_;
  const std::string& path_;
  std::size_t at_ = 0;
};

Failure unsupported(const std::string& path, std::string message, std::string hint) {
  return fail({.code = ErrorCode::kUnsupported,
               .message = std::move(message),
               .file = path,
               .byte_offset = kNpyMagic.size(),
               .hint = std::move(hint)});
}

Result<void> set_type(std::string_view descr, const std::string& path, NpyHeader& header) {
  if (descr.ends_with('O')) {
    return unsupported(
        path, "an array of Python objects (a pickle): reading one runs code from the file",
        "save numbers: numpy.save(file, array.astype(numpy.float32), allow_pickle=False)");
  }
  std::string_view code = descr;
  const bool has_order = !code.empty() && std::string_view("<>|=").contains(code.front());
  header.is_big_endian = code.starts_with('>');
  if (has_order) code.remove_prefix(1);
  for (const Spelling& spelling : kSpellings) {
    if (spelling.code != code) continue;
    header.array.type = spelling.type;
    return {};
  }
  return unsupported(
      path, format("elements of NumPy type {} are not supported", base::quoted(descr)),
      "save them as bool, as integers of 8 to 64 bits, or as float16, float32 or float64");
}

Result<void> read_fields(HeaderText& text, const std::string& path, NpyHeader& header) {
  bool has_type = false, has_order = false, has_shape = false;
  if (!text.take('{')) return text.wrong("a dictionary");
  while (!text.take('}')) {
    const std::optional<std::string_view> key = text.take_text();
    if (!key || !text.take(':')) return text.wrong("a key, such as 'descr':");
    if (*key == "descr") {
      const std::optional<std::string_view> descr = text.take_text();
      if (!descr && text.take('[')) {
        return unsupported(path, "an array of records (named fields) is not supported",
                           "save each field as an array of its own");
      }
      if (!descr) return text.wrong("the type of the elements, such as '<f4'");
      PLANEX_TRY(set_type(*descr, path, header));
      has_type = true;
    } else if (*key == "fortran_order") {
      header.is_fortran_order = text.take_word("True");
      if (!header.is_fortran_order && !text.take_word("False")) return text.wrong("True or False");
      has_order = true;
    } else if (*key == "shape") {
      PLANEX_ASSIGN(header.array.shape, text.take_shape());
      has_shape = true;
    } else {
      return text.wrong("no keys but descr, fortran_order and shape");
    }
    if (text.take(',')) continue;
    if (!text.take('}')) return text.wrong("a comma or the end of the dictionary");
    break;
  }
  if (!text.is_at_end()) return text.wrong("nothing after the dictionary");
  if (!has_type || !has_order || !has_shape) {
    return text.wrong("the keys descr, fortran_order and shape");
  }
  return {};
}

Failure cut(std::string_view what, std::size_t at, const std::string& path) {
  return fail({.code = ErrorCode::kBadInput,
               .message = format("incomplete .npy: it ends in {}", what),
               .file = path,
               .byte_offset = at,
               .hint = "copy or save it again"});
}

void swap_elements(std::string& data, std::size_t width) {
  for (std::size_t at = 0; at + width <= data.size(); at += width) {
    std::reverse(data.begin() + static_cast<std::ptrdiff_t>(at),
                 data.begin() + static_cast<std::ptrdiff_t>(at + width));
  }
}

// From Fortran order, in which the first index runs fastest, to C order.
std::string transposed(std::string_view data, const std::vector<std::int64_t>& shape,
                       std::size_t width) {
  std::string result(data.size(), '\0');
  std::vector<std::size_t> strides;  // stride in bytes of each dimension in `data`
  std::size_t stride = width;
  for (const std::int64_t dim : shape) {
    strides.push_back(stride);
    stride *= static_cast<std::size_t>(dim);
  }
  std::vector<std::int64_t> index(shape.size(), 0);
  std::size_t from = 0;
  for (std::size_t to = 0; to < result.size(); to += width) {
    std::copy_n(data.data() + from, width, result.data() + to);
    for (std::size_t d = shape.size(); d-- > 0;) {
      from += strides[d];
      if (++index[d] < shape[d]) break;
      from -= strides[d] * static_cast<std::size_t>(shape[d]);
      index[d] = 0;
    }
  }
  return result;
}

// Checks that all elements are there, and nothing else.
Result<void> check_size(const NpyHeader& header, std::size_t file_bytes, const std::string& path) {
  const std::size_t width = bytes_per_element(header.array.type);
  const std::optional<std::int64_t> count = element_count(header.array.shape);
  std::int64_t bytes = 0;
  if (!count || __builtin_mul_overflow(*count, static_cast<std::int64_t>(width), &bytes)) {
    return fail({.code = ErrorCode::kBadInput,
                 .message = format("the shape {} needs more bytes than any file has",
                                   shape_text(header.array.shape)),
                 .file = path,
                 .byte_offset = kNpyMagic.size()});
  }
  const std::size_t found = file_bytes - header.header_bytes;
  const auto expected = static_cast<std::size_t>(bytes);
  if (found == expected) return {};
  return fail(
      {.code = ErrorCode::kBadInput,
       .message = format("{} .npy: {} of shape {} has {} bytes, the file has {} after its "
                         "header",
                         found < expected ? "incomplete" : "overlong", to_string(header.array.type),
                         shape_text(header.array.shape), expected, found),
       .file = path,
       .byte_offset = found < expected ? file_bytes : header.header_bytes + expected,
       .hint = found < expected ? "copy or save it again"
                                : "save one array per file, or several as .npz"});
}

void put_in_order(const NpyHeader& header, Array& array) {
  const std::size_t width = bytes_per_element(array.type);
  if (header.is_big_endian && width > 1) swap_elements(array.data, width);
  if (header.is_fortran_order && array.shape.size() > 1) {
    array.data = transposed(array.data, array.shape, width);
  }
}

}  // namespace

Result<NpyHeader> read_npy_header(std::string_view head, const std::string& path) {
  if (!head.starts_with(kNpyMagic)) {
    return fail({.code = ErrorCode::kBadInput,
                 .message = format("not an .npy: begins with {}, expected \\x93NUMPY",
                                   base::quoted(head.substr(0, kNpyMagic.size()))),
                 .file = path,
                 .byte_offset = 0});
  }
  const auto byte = [&](std::size_t at) -> std::size_t {
    return static_cast<unsigned char>(head[at]);
  };
  constexpr std::size_t kVersionAt = kNpyMagic.size();
  constexpr std::size_t kLengthAt = kVersionAt + 2;
  if (head.size() < kLengthAt) return cut("its version", head.size(), path);
  const std::size_t version = byte(kVersionAt);
  if (version < 1 || version > 3) {
    return unsupported(path,
                       format("version {} of .npy is not supported, versions 1 to 3 are", version),
                       "save it with numpy.save");
  }
  // From version 2 on the length has four bytes.
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  NpyHeader header;
  header.header_bytes = kLengthAt + length_bytes;
  if (head.size() < header.header_bytes) return cut("its header", head.size(), path);
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) length |= byte(kLengthAt + i) << (8 * i);
  if (length > kMaxHeaderBytes) {
    return fail({.code = ErrorCode::kBadInput,
                 .message = format("the header says that it has {} bytes, more than the {} that "
                                   "are read",
                                   length, kMaxHeaderBytes),
                 .file = path,
                 .byte_offset = kLengthAt});
  }
  if (head.size() - header.header_bytes < length) return cut("its header", head.size(), path);
  HeaderText text(head.substr(header.header_bytes, length), header.header_bytes, path);
  header.header_bytes += length;
  PLANEX_TRY(read_fields(text, path, header));
  return header;
}

Result<Array> read_npy(std::string_view bytes, const std::string& path) {
  PLANEX_ASSIGN(const NpyHeader header, read_npy_header(bytes, path));
  PLANEX_TRY(check_size(header, bytes.size(), path));
  Array array = header.array;
  array.data = bytes.substr(header.header_bytes);
  put_in_order(header, array);
  return array;
}

Result<Array> adopt_npy(std::string bytes, const std::string& path) {
  PLANEX_ASSIGN(const NpyHeader header, read_npy_header(bytes, path));
  PLANEX_TRY(check_size(header, bytes.size(), path));
  Array array = header.array;
  bytes.erase(0, header.header_bytes);
  array.data = std::move(bytes);
  put_in_order(header, array);
  return array;
}

std::string npy_header_text(ElementType type, const std::vector<std::int64_t>& shape) {
  std::string descr;
  for (const Spelling& spelling : kSpellings) {
    if (spelling.type != type) continue;
    const bool has_order = bytes_per_element(type) > 1 && type != ElementType::kBfloat16;
    descr = format("{}{}", has_order ? '<' : '|', spelling.code);
  }
  std::string sizes;
  for (const std::int64_t dim : shape) sizes += format("{}{}", sizes.empty() ? "" : ", ", dim);
  if (shape.size() == 1) sizes += ',';
  std::string text =
      format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descr, sizes);
  // Room for the first size to grow to 21 digits, as NumPy leaves it for files that are added to.
  constexpr std::size_t kGrownDigits = 21;
  if (!shape.empty()) text.append(kGrownDigits - format("{}", shape.front()).size(), ' ');
  // The elements begin at a multiple of 64, after a line end.
  constexpr std::size_t kStep = 64;
  const auto padding = [&](std::size_t before) {
    return (kStep - (before + text.size() + 1) % kStep) % kStep;
  };
  constexpr std::size_t kShort = kNpyMagic.size() + 4, kLong = kNpyMagic.size() + 6;
  constexpr std::size_t kMaxShort = 0xFFFF;
  const bool is_short = text.size() + 1 + padding(kShort) <= kMaxShort;
  text.append(padding(is_short ? kShort : kLong), ' ');
  text += '\n';
  std::string header(kNpyMagic);
  header += is_short ? '\1' : '\2';
  header += '\0';
  for (std::size_t i = 0; i < (is_short ? 2U : 4U); ++i) {
    header += static_cast<char>(text.size() >> (8 * i) & 0xFFU);
  }
  return header + text;
}

std::string npy_text(const Array& array) {
  return npy_header_text(array.type, array.shape) + array.data;
}

}  // namespace planex::arrays
