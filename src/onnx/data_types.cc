#include "onnx/data_types.h"

#include <array>
#include <cstddef>

namespace planex::onnx {
namespace {

struct TypeInfo {
  std::string_view name;
  int bits = 0;  // 0: unknown
};
// Indexed by the type's number.
constexpr std::array<TypeInfo, 29> kTypes = {
    {{"UNDEFINED", 0},      {"FLOAT", 32},       {"UINT8", 8},          {"INT8", 8},
     {"UINT16", 16},        {"INT16", 16},       {"INT32", 32},         {"INT64", 64},
     {"STRING", 0},         {"BOOL", 8},         {"FLOAT16", 16},       {"DOUBLE", 64},
     {"UINT32", 32},        {"UINT64", 64},      {"COMPLEX64", 64},     {"COMPLEX128", 128},
     {"BFLOAT16", 16},      {"FLOAT8E4M3FN", 8}, {"FLOAT8E4M3FNUZ", 8}, {"FLOAT8E5M2", 8},
     {"FLOAT8E5M2FNUZ", 8}, {"UINT4", 4},        {"INT4", 4},           {"FLOAT4E2M1", 4},
     {"FLOAT8E8M0", 8},     {"UINT2", 2},        {"INT2", 2},           {"FLOAT6E2M3", 0},
     {"FLOAT6E3M2", 0}}};

const TypeInfo* info(DataType type) {
  const auto number = static_cast<std::int32_t>(type);
  if (number < 0 || static_cast<std::size_t>(number) >= kTypes.size()) return nullptr;
  return &kTypes[static_cast<std::size_t>(number)];
}

}  // namespace

std::string_view to_string(DataType type) {
  const TypeInfo* found = info(type);
  return found == nullptr ? std::string_view{} : found->name;
}

std::optional<int> bits_per_element(DataType type) {
  const TypeInfo* found = info(type);
  if (found == nullptr || found->bits == 0) return std::nullopt;
  return found->bits;
}

}  // namespace planex::onnx
