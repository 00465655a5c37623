#include "arrays/array.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/text.h"

namespace planex::arrays {
namespace {

struct TypeRow {
  ElementType type;
  std::string_view name;
  std::size_t bytes;
};

constexpr std::array kTypes = {
    TypeRow{ElementType::kBool, "bool", 1},         TypeRow{ElementType::kInt8, "int8", 1},
    TypeRow{ElementType::kUint8, "uint8", 1},       TypeRow{ElementType::kInt16, "int16", 2},
    TypeRow{ElementType::kUint16, "uint16", 2},     TypeRow{ElementType::kInt32, "int32", 4},
    TypeRow{ElementType::kUint32, "uint32", 4},     TypeRow{ElementType::kInt64, "int64", 8},
    TypeRow{ElementType::kUint64, "uint64", 8},     TypeRow{ElementType::kFloat16, "float16", 2},
    TypeRow{ElementType::kBfloat16, "bfloat16", 2}, TypeRow{ElementType::kFloat32, "float32", 4},
    TypeRow{ElementType::kFloat64, "float64", 8},
};

const TypeRow& row_of(ElementType type) { return kTypes[static_cast<std::size_t>(type)]; }

static_assert(std::endian::native == std::endian::little, "Array::data is read in place");

// Exact: float32 has every value of float16, subnormal ones too.
float float_of_half(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000U) << 16U;
  const std::uint32_t exponent = (bits >> 10U) & 0x1FU;
  const std::uint32_t fraction = bits & 0x3FFU;
  if (exponent == 0x1F) return std::bit_cast<float>(sign | 0x7F800000U | fraction << 13U);
  // Biases are 15 and 127.
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112U) << 23U | fraction << 13U);
  const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
  return sign != 0 ? -magnitude : magnitude;
}

float float_of_bfloat(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
}

// A cast is undefined beyond float32's range.
float rounded(double value) {
  constexpr double kMax = std::numeric_limits<float>::max();
  // From half a step beyond the largest float on, IEEE 754 rounds to infinity.
  constexpr double kInfiniteFrom = 0x1.ffffffp127;
  if (!(std::abs(value) > kMax)) return static_cast<float>(value);
  const float magnitude = std::abs(value) < kInfiniteFrom ? std::numeric_limits<float>::max()
                                                          : std::numeric_limits<float>::infinity();
  return std::copysign(magnitude, static_cast<float>(std::signbit(value) ? -1 : 1));
}

template <typename To>
To number_as(double value) {
  if constexpr (std::is_same_v<To, float>) {
    return rounded(value);
  } else {
    return value;
  }
}

template <typename From, typename To, typename Convert>
void convert_all(const char* data, std::span<To> values, const Convert& convert) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    From element;
    std::memcpy(&element, data + i * sizeof(From), sizeof(From));
    values[i] = convert(element);
  }
}

template <typename To>
void read_values(const Array& array, std::size_t first, std::span<To> values) {
  const char* const data = array.data.data() + first * bytes_per_element(array.type);
  const auto plain = [](auto element) { return static_cast<To>(element); };
  switch (array.type) {
    case ElementType::kBool:
      return convert_all<std::uint8_t>(
          data, values, [](std::uint8_t element) { return static_cast<To>(element != 0); });
    case ElementType::kInt8:
      return convert_all<std::int8_t>(data, values, plain);
    case ElementType::kUint8:
      return convert_all<std::uint8_t>(data, values, plain);
    case ElementType::kInt16:
      return convert_all<std::int16_t>(data, values, plain);
    case ElementType::kUint16:
      return convert_all<std::uint16_t>(data, values, plain);
    case ElementType::kInt32:
      return convert_all<std::int32_t>(data, values, plain);
    case ElementType::kUint32:
      return convert_all<std::uint32_t>(data, values, plain);
    case ElementType::kInt64:
      return convert_all<std::int64_t>(data, values, plain);
    case ElementType::kUint64:
      return convert_all<std::uint64_t>(data, values, plain);
    case ElementType::kFloat16:
      return convert_all<std::uint16_t>(data, values,
                                        [](std::uint16_t bits) { return To{float_of_half(bits)}; });
    case ElementType::kBfloat16:
      return convert_all<std::uint16_t>(
          data, values, [](std::uint16_t bits) { return To{float_of_bfloat(bits)}; });
    case ElementType::kFloat32:
      return convert_all<float>(data, values, plain);
    case ElementType::kFloat64:
      return convert_all<double>(data, values, number_as<To>);
  }
}

}  // namespace

std::string_view to_string(ElementType type) { return row_of(type).name; }

std::optional<ElementType> element_type(std::string_view name) {
  for (const TypeRow& row : kTypes) {
    if (row.name == name) return row.type;
  }
  return std::nullopt;
}

std::size_t bytes_per_element(ElementType type) { return row_of(type).bytes; }

bool is_float(ElementType type) { return type >= ElementType::kFloat16; }

std::optional<std::int64_t> element_count(const std::vector<std::int64_t>& shape) {
  std::int64_t count = 1;
  for (const std::int64_t dim : shape) {
    if (dim < 0 || __builtin_mul_overflow(count, dim, &count)) return std::nullopt;
  }
  return count;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  if (shape.empty()) return "scalar";
  std::string text;
  for (const std::int64_t dim : shape) {
    text += base::format("{}{}", text.empty() ? "" : "x", dim);
  }
  return text;
}

std::vector<float> floats_of(const Array& array) {
  std::vector<float> values(array.data.size() / bytes_per_element(array.type));
  floats_of(array, 0, values);
  return values;
}

void floats_of(const Array& array, std::size_t first, std::span<float> values) {
  read_values(array, first, values);
}

void doubles_of(const Array& array, std::size_t first, std::span<double> values) {
  read_values(array, first, values);
}

}  // namespace planex::arrays
