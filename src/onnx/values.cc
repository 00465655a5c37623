#include "onnx/values.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

#include "base/checked.h"
#include "base/text.h"
#include "base/try.h"
#include "onnx/fields.h"
#include "onnx/small_floats.h"
#include "onnx/wire.h"

namespace planex::onnx {
namespace {

static_assert(std::endian::native == std::endian::little, "data is stored in this order");

Failure bad(const Tensor& tensor, std::string_view what, std::string hint = {}) {
  return fail({.code = ErrorCode::kBadInput,
               .message = base::format("tensor {} {}", base::quoted(tensor.name), what),
               .byte_offset = tensor.byte_offset,
               .hint = std::move(hint)});
}

Failure wrong_type(const Tensor& tensor, std::string_view wanted) {
  const std::string_view type = to_string(tensor.type);
  return fail({.code = ErrorCode::kUnsupported,
               .message = base::format("tensor {} is {}, expected {}", base::quoted(tensor.name),
                                       type.empty() ? "of an unknown type" : type, wanted),
               .byte_offset = tensor.byte_offset});
}

// Which list of a tensor's message contains the elements of a type, and how wide they are there.
struct TypedList {
  std::uint32_t field = 0;
  Wire wire = Wire::kVarint;
  // Bytes that each number of the list represents.
  int bytes = 0;
};

std::optional<TypedList> list_of(DataType type) {
  namespace f = field::tensor;
  switch (type) {
    case DataType::kFloat:
    case DataType::kComplex64:
      return TypedList{f::kFloats, Wire::kFixed32, 4};
    case DataType::kDouble:
    case DataType::kComplex128:
      return TypedList{f::kDoubles, Wire::kFixed64, 8};
    case DataType::kInt64:
      return TypedList{f::kInt64s, Wire::kVarint, 8};
    case DataType::kUint64:
      return TypedList{f::kUint64s, Wire::kVarint, 8};
    case DataType::kUint32:
      return TypedList{f::kUint64s, Wire::kVarint, 4};
    default:
      break;
  }
  // All others share a list; those below a byte are packed there as in raw data, one byte per
  // number.
  const auto bits = bits_per_element(type);
  if (!bits || *bits > 32) return std::nullopt;
  return TypedList{f::kInt32s, Wire::kVarint, std::max(1, *bits / 8)};
}

void put(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
}

// The elements of a typed list as raw data has them.
Result<std::string> packed(std::string_view message, std::uint64_t offset, const TypedList& list) {
  std::string out;
  WireReader reader({message, offset});
  Field next;
  while (reader.next(next)) {
    if (next.number != list.field) continue;
    if (next.wire == list.wire) {
      put(out, next.value, list.bytes);
    } else if (next.wire == Wire::kBytes && list.wire == Wire::kVarint) {
      WireReader numbers(next.span);
      std::uint64_t value = 0;
      while (numbers.next_varint(value)) put(out, value, list.bytes);
      PLANEX_TRY(numbers.status());
    } else if (next.wire == Wire::kBytes) {
      out += next.span.bytes;
    }
  }
  PLANEX_TRY(reader.status());
  return out;
}

// Relative, and only downwards: model files can come from anywhere.
bool is_inside(std::string_view location) {
  if (location.empty() || location.front() == '/' || location.contains('\\') ||
      location.contains('\0')) {
    return false;
  }
  while (!location.empty()) {
    if (base::take_part(location, '/') == "..") return false;
  }
  return true;
}

std::optional<std::int64_t> element_count(const Model& model, const Tensor& tensor) {
  base::CheckedInt count = 1;
  for (const std::int64_t dim : model.dims_of(tensor)) {
    if (dim < 0) return std::nullopt;
    count *= dim;
  }
  return count.value();
}

template <typename T>
T load(std::string_view bytes, std::size_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

// Calls take(element) for each.
template <typename T, typename Take>
void each(std::string_view bytes, std::size_t count, Take take) {
  for (std::size_t i = 0; i < count; ++i) take(load<T>(bytes, i));
}

// Elements smaller than a byte, the first in the lowest bits.
template <typename Take>
void each_part(std::string_view bytes, std::size_t count, int bits, Take take) {
  const std::size_t per_byte = static_cast<std::size_t>(8 / bits);
  const unsigned mask = (1U << bits) - 1;
  for (std::size_t i = 0; i < count; ++i) {
    const auto byte = static_cast<std::uint8_t>(bytes[i / per_byte]);
    take((byte >> (static_cast<unsigned>(i % per_byte) * static_cast<unsigned>(bits))) & mask);
  }
}

std::int64_t sign_extended(unsigned value, int bits) {
  const std::int64_t half = std::int64_t{1} << (bits - 1);
  return (static_cast<std::int64_t>(value) ^ half) - half;
}

// False where the type is not an integer.
template <typename Take>
bool each_integer(DataType type, std::string_view bytes, std::size_t count, Take take) {
  const auto wide = [&](auto value) { take(static_cast<std::int64_t>(value)); };
  switch (type) {
    case DataType::kBool:
      each<std::uint8_t>(bytes, count, [&](std::uint8_t value) { take(value != 0 ? 1 : 0); });
      return true;
    case DataType::kUint8:
      return each<std::uint8_t>(bytes, count, wide), true;
    case DataType::kInt8:
      return each<std::int8_t>(bytes, count, wide), true;
    case DataType::kUint16:
      return each<std::uint16_t>(bytes, count, wide), true;
    case DataType::kInt16:
      return each<std::int16_t>(bytes, count, wide), true;
    case DataType::kUint32:
      return each<std::uint32_t>(bytes, count, wide), true;
    case DataType::kInt32:
      return each<std::int32_t>(bytes, count, wide), true;
    case DataType::kUint64:
      return each<std::uint64_t>(bytes, count, wide), true;
    case DataType::kInt64:
      return each<std::int64_t>(bytes, count, wide), true;
    case DataType::kUint4:
      return each_part(bytes, count, 4, wide), true;
    case DataType::kUint2:
      return each_part(bytes, count, 2, wide), true;
    case DataType::kInt4:
      each_part(bytes, count, 4, [&](unsigned value) { take(sign_extended(value, 4)); });
      return true;
    case DataType::kInt2:
      each_part(bytes, count, 2, [&](unsigned value) { take(sign_extended(value, 2)); });
      return true;
    default:
      return false;
  }
}

template <typename Take>
bool each_float(DataType type, std::string_view bytes, std::size_t count, Take take) {
  switch (type) {
    case DataType::kFloat:
      return each<float>(bytes, count, take), true;
    case DataType::kDouble:
      each<double>(bytes, count, [&](double value) { take(static_cast<float>(value)); });
      return true;
    case DataType::kUint64:
      each<std::uint64_t>(bytes, count,
                          [&](std::uint64_t value) { take(static_cast<float>(value)); });
      return true;
    case DataType::kFloat16:
      each<std::uint16_t>(bytes, count, [&](std::uint16_t value) { take(from_half(value)); });
      return true;
    case DataType::kBfloat16:
      each<std::uint16_t>(bytes, count, [&](std::uint16_t value) { take(from_bfloat16(value)); });
      return true;
    case DataType::kFloat8E4M3FN:
    case DataType::kFloat8E4M3FNUZ:
    case DataType::kFloat8E5M2:
    case DataType::kFloat8E5M2FNUZ:
    case DataType::kFloat8E8M0:
      each<std::uint8_t>(bytes, count, [&](std::uint8_t value) { take(from_small(type, value)); });
      return true;
    case DataType::kFloat4E2M1:
      each_part(bytes, count, 4,
                [&](unsigned value) { take(from_small(type, static_cast<std::uint8_t>(value))); });
      return true;
    default:
      return each_integer(type, bytes, count,
                          [&](std::int64_t value) { take(static_cast<float>(value)); });
  }
}

}  // namespace

Values::Values(std::string_view file, const Model& model, const base::FileSource& files,
               std::string folder)
    : file_(file), model_(model), files_(files), folder_(std::move(folder)) {}

Result<std::string_view> Values::external(const Tensor& tensor) {
  if (!is_inside(tensor.location)) {
    return bad(tensor,
               base::format("has its data in {}, which is not below the model's folder",
                            base::quoted(tensor.location)),
               "save the model again with its data next to it");
  }
  auto found = external_.find(tensor.location);
  if (found == external_.end()) {
    PLANEX_ASSIGN(auto bytes, files_.read(base::join_path(folder_, tensor.location)));
    found = external_.emplace(tensor.location, std::move(bytes)).first;
  }
  const std::string_view all = found->second->view();
  if (tensor.data_offset > all.size()) {
    return bad(tensor, base::format("starts at byte {} of {}, which has {}", tensor.data_offset,
                                    base::quoted(tensor.location), all.size()));
  }
  const std::string_view rest = all.substr(tensor.data_offset);
  const auto expected = bytes_of(model_, tensor);
  const std::uint64_t length =
      tensor.stored_bytes.value_or(static_cast<std::uint64_t>(expected.value_or(0)));
  if (length > rest.size()) {
    return bad(tensor,
               base::format("needs {} bytes from byte {} of {}, which has {}", length,
                            tensor.data_offset, base::quoted(tensor.location), all.size()),
               "the file with the data may be cut short, or belong to another model");
  }
  return rest.substr(0, length);
}

Result<std::string_view> Values::stored(const Tensor& tensor, std::string& memory) {
  std::string_view data;
  if (tensor.storage == Storage::kExternal) {
    PLANEX_ASSIGN(data, external(tensor));
  } else if (tensor.storage == Storage::kRaw) {
    const std::uint64_t length = tensor.stored_bytes.value_or(0);
    if (tensor.data_offset > file_.size() || length > file_.size() - tensor.data_offset) {
      return bad(tensor, "has its data beyond the end of the file");
    }
    data = file_.substr(tensor.data_offset, length);
  } else if (tensor.storage == Storage::kTyped) {
    const auto list = list_of(tensor.type);
    if (!list) return wrong_type(tensor, "numbers");
    if (tensor.byte_offset > file_.size()) return bad(tensor, "lies beyond the end of the file");
    const std::string_view message = file_.substr(tensor.byte_offset, tensor.message_bytes);
    PLANEX_ASSIGN(memory, packed(message, tensor.byte_offset, *list));
    data = memory;
  }
  const auto expected = bytes_of(model_, tensor);
  if (!bits_per_element(tensor.type)) return wrong_type(tensor, "numbers");
  if (!expected || !std::cmp_equal(*expected, data.size())) {
    return bad(tensor, base::format("has {} of data, but its type and dimensions need {}",
                                    base::counted(data.size(), "byte"),
                                    expected ? base::format("{}", *expected) : "too many"));
  }
  return data;
}

Result<std::vector<float>> Values::floats(const Tensor& tensor) {
  std::string memory;
  PLANEX_ASSIGN(const std::string_view data, stored(tensor, memory));
  const auto count = static_cast<std::size_t>(element_count(model_, tensor).value_or(0));
  std::vector<float> values;
  values.reserve(count);
  if (!each_float(tensor.type, data, count, [&](float value) { values.push_back(value); })) {
    return wrong_type(tensor, "real numbers");
  }
  return values;
}

Result<std::vector<std::int64_t>> Values::ints(const Tensor& tensor) {
  std::string memory;
  PLANEX_ASSIGN(const std::string_view data, stored(tensor, memory));
  const auto count = static_cast<std::size_t>(element_count(model_, tensor).value_or(0));
  std::vector<std::int64_t> values;
  values.reserve(count);
  const auto take = [&](std::int64_t value) { values.push_back(value); };
  if (!each_integer(tensor.type, data, count, take)) return wrong_type(tensor, "integers");
  return values;
}

Result<std::string> Values::raw(const Tensor& tensor) {
  std::string memory;
  PLANEX_ASSIGN(const std::string_view data, stored(tensor, memory));
  return std::string(data);
}

}  // namespace planex::onnx
