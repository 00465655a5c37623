#include "arrays/array.h"

#include <array>
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

}  // namespace planex::arrays
