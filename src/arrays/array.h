// A tensor with its data, as an engine saved it or reads it.
//
// This is not an array library: it computes only what files need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "planex/error.h"

namespace planex::arrays {

enum class ElementType : std::uint8_t {
  kBool,
  kInt8,
  kUint8,
  kInt16,
  kUint16,
  kInt32,
  kUint32,
  kInt64,
  kUint64,
  kFloat16,
  kBfloat16,
  kFloat32,
  kFloat64,
};

// "float32", as NumPy writes it; bfloat16 as ml_dtypes does.
std::string_view to_string(ElementType type);
std::optional<ElementType> element_type(std::string_view name);
std::size_t bytes_per_element(ElementType type);
bool is_float(ElementType type);

struct Array {
  ElementType type = ElementType::kFloat32;
  std::vector<std::int64_t> shape;  // Empty: one element.
  std::string data;                 // Row-major, little-endian, size() * bytes_per_element().
};

struct NamedArray {
  std::string name;
  Array array;
};

// Number of elements of a shape. Null where a dimension is negative or the product overflows.
std::optional<std::int64_t> element_count(const std::vector<std::int64_t>& shape);

// "1x3x224x224"; "scalar" without dimensions.
std::string shape_text(const std::vector<std::int64_t>& shape);

// The elements as float32. Wider types are rounded to nearest; beyond float32's range they become
// infinite.
std::vector<float> floats_of(const Array& array);

// The elements from `first` on, as many as `values` has room for: for tensors that should not be in
// memory twice. They must exist. For 64-bit integers beyond 2^53 the nearest double.
void floats_of(const Array& array, std::size_t first, std::span<float> values);
void doubles_of(const Array& array, std::size_t first, std::span<double> values);

}  // namespace planex::arrays
