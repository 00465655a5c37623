// Element types of ONNX tensors, by the numbers of TensorProto.DataType.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace planex::onnx {

// Up to ONNX 1.23. Files can contain any number.
enum class DataType : std::int32_t {
  kUndefined = 0,
  kFloat = 1,
  kUint8 = 2,
  kInt8 = 3,
  kUint16 = 4,
  kInt16 = 5,
  kInt32 = 6,
  kInt64 = 7,
  kString = 8,
  kBool = 9,
  kFloat16 = 10,
  kDouble = 11,
  kUint32 = 12,
  kUint64 = 13,
  kComplex64 = 14,
  kComplex128 = 15,
  kBfloat16 = 16,
  kFloat8E4M3FN = 17,
  kFloat8E4M3FNUZ = 18,
  kFloat8E5M2 = 19,
  kFloat8E5M2FNUZ = 20,
  kUint4 = 21,
  kInt4 = 22,
  kFloat4E2M1 = 23,
  kFloat8E8M0 = 24,
  kUint2 = 25,
  kInt2 = 26,
  kFloat6E2M3 = 27,
  kFloat6E3M2 = 28,
};

// "FLOAT16", as ONNX writes it; empty for numbers that it does not define.
std::string_view to_string(DataType type);

// Size of one element as stored, in bits; types below a byte are packed. Null for strings, for
// undefined types, and for the 6-bit types, whose packing is still new.
std::optional<int> bits_per_element(DataType type);

}  // namespace planex::onnx
