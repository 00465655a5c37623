#include "model/types.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/checked.h"

namespace planex::model {
namespace {

using base::CheckedInt;

template <std::size_t N, typename E>
std::string_view name_of(const std::array<std::string_view, N>& names, E value) {
  const auto index = static_cast<std::size_t>(value);
  return index < N ? names[index] : std::string_view{};
}

constexpr std::array<std::string_view, 9> kRoles = {
    "work", "noop", "constant", "input", "output", "signal", "wait", "shape", "control"};
constexpr std::array<std::string_view, 10> kFamilies = {
    "convolution", "gemm",    "opaque", "pointwise", "norm",
    "pool",        "shuffle", "plugin", "reformat",  "other"};

struct DTypeInfo {
  std::string_view name;
  int bits;
};
// In the order of DType.
constexpr std::array<DTypeInfo, 17> kDTypes = {{{"FP64", 64},
                                                {"FP32", 32},
                                                {"TF32", 32},
                                                {"FP16", 16},
                                                {"BF16", 16},
                                                {"FP8", 8},
                                                {"FP4", 4},
                                                {"INT64", 64},
                                                {"INT32", 32},
                                                {"INT16", 16},
                                                {"INT8", 8},
                                                {"INT4", 4},
                                                {"UINT64", 64},
                                                {"UINT32", 32},
                                                {"UINT16", 16},
                                                {"UINT8", 8},
                                                {"BOOL", 8}}};

constexpr std::array<std::string_view, 3> kDirections = {"input", "constant", "output"};
constexpr std::array<std::string_view, 5> kTensorRoles = {"input", "output", "activation",
                                                          "constant", "shape"};
constexpr std::array<std::string_view, 3> kSeverities = {"error", "warning", "info"};
constexpr std::array<std::string_view, 6> kValueTypes = {"string", "number", "boolean",
                                                         "array",  "object", "null"};
constexpr std::array<std::string_view, 3> kEvidences = {"metadata", "provenance", "name"};

struct LayoutName {
  Layout layout;
  std::string_view name;
};
constexpr std::array<LayoutName, 28> kLayouts = {{
    {{Order::kLinear, 1, false}, "NCHW"},
    {{Order::kLinear, 1, true}, "NCDHW"},
    {{Order::kChannelsLast, 1, false}, "NHWC"},
    {{Order::kChannelsLast, 2, false}, "NHWC2"},
    {{Order::kChannelsLast, 4, false}, "NHWC4"},
    {{Order::kChannelsLast, 8, false}, "NHWC8"},
    {{Order::kChannelsLast, 16, false}, "NHWC16"},
    {{Order::kChannelsLast, 32, false}, "NHWC32"},
    {{Order::kChannelsLast, 1, true}, "NDHWC"},
    {{Order::kChannelsLast, 2, true}, "NDHWC2"},
    {{Order::kChannelsLast, 4, true}, "NDHWC4"},
    {{Order::kChannelsLast, 8, true}, "NDHWC8"},
    {{Order::kChannelsLast, 16, true}, "NDHWC16"},
    {{Order::kChannelsLast, 32, true}, "NDHWC32"},
    {{Order::kChannelVectors, 2, false}, "NC/2HW2"},
    {{Order::kChannelVectors, 4, false}, "NC/4HW4"},
    {{Order::kChannelVectors, 8, false}, "NC/8HW8"},
    {{Order::kChannelVectors, 16, false}, "NC/16HW16"},
    {{Order::kChannelVectors, 32, false}, "NC/32HW32"},
    {{Order::kChannelVectors, 64, false}, "NC/64HW64"},
    {{Order::kChannelVectors, 2, true}, "NC/2DHW2"},
    {{Order::kChannelVectors, 4, true}, "NC/4DHW4"},
    {{Order::kChannelVectors, 8, true}, "NC/8DHW8"},
    {{Order::kChannelVectors, 16, true}, "NC/16DHW16"},
    {{Order::kChannelVectors, 32, true}, "NC/32DHW32"},
    {{Order::kChannelVectors, 64, true}, "NC/64DHW64"},
    {{Order::kStrided, 1, false}, "strided"},
    {{Order::kStrided, 1, true}, "strided"},
}};

std::optional<std::int64_t> bytes_of(CheckedInt elements, int bits) {
  return (elements * CheckedInt(bits)).divided_up_by(8).value();
}

}  // namespace

std::string_view to_string(Role value) { return name_of(kRoles, value); }
std::string_view to_string(Family value) { return name_of(kFamilies, value); }
std::string_view to_string(Direction value) { return name_of(kDirections, value); }
std::string_view to_string(TensorRole value) { return name_of(kTensorRoles, value); }
std::string_view to_string(Severity value) { return name_of(kSeverities, value); }
std::string_view to_string(ValueType value) { return name_of(kValueTypes, value); }
std::string_view to_string(Evidence value) { return name_of(kEvidences, value); }

std::string_view to_string(DType value) {
  const auto index = static_cast<std::size_t>(value);
  return index < kDTypes.size() ? kDTypes[index].name : std::string_view{};
}

std::string_view to_string(Layout value) {
  const auto found = std::ranges::find(kLayouts, value, &LayoutName::layout);
  return found == kLayouts.end() ? std::string_view{} : found->name;
}

std::optional<int> bits_per_element(DType type) {
  const auto index = static_cast<std::size_t>(type);
  return index < kDTypes.size() ? std::optional(kDTypes[index].bits) : std::nullopt;
}

bool is_float(DType type) {
  switch (type) {
    case DType::kFp64:
    case DType::kFp32:
    case DType::kTf32:
    case DType::kFp16:
    case DType::kBf16:
      return true;
    default:
      return false;
  }
}

bool is_quantized(DType type) {
  switch (type) {
    case DType::kInt8:
    case DType::kUint8:
    case DType::kInt4:
    case DType::kFp8:
    case DType::kFp4:
      return true;
    default:
      return false;
  }
}

DType dtype_of(std::string_view name) {
  const auto found = std::ranges::find(kDTypes, name, &DTypeInfo::name);
  return found == kDTypes.end() ? DType::kNull : static_cast<DType>(found - kDTypes.begin());
}

std::vector<std::string_view> layout_names() {
  std::vector<std::string_view> names;
  for (const LayoutName& layout : kLayouts) names.push_back(layout.name);
  return names;
}

Layout layout_of(std::string_view name) {
  const auto found = std::ranges::find(kLayouts, name, &LayoutName::name);
  return found == kLayouts.end() ? Layout{} : found->layout;
}

std::optional<std::int64_t> data_bytes(std::span<const std::int64_t> dims, DType type) {
  const auto bits = bits_per_element(type);
  if (!bits) return std::nullopt;
  CheckedInt elements = 1;
  for (const std::int64_t dim : dims) {
    if (dim < 0) return std::nullopt;
    elements *= dim;
  }
  return bytes_of(elements, *bits);
}

std::optional<std::int64_t> memory_bytes(std::span<const std::int64_t> dims, DType type,
                                         Layout layout, std::span<const std::int64_t> strides) {
  const auto bits = bits_per_element(type);
  if (!bits || std::ranges::any_of(dims, [](std::int64_t dim) { return dim < 0; })) {
    return std::nullopt;
  }
  if (!dims.empty() && strides.size() == dims.size()) {
    CheckedInt last = 0;
    for (std::size_t i = 0; i < dims.size(); ++i) {
      if (dims[i] == 0) return 0;
      if (strides[i] < 0) return std::nullopt;
      last += CheckedInt(dims[i] - 1) * strides[i];
    }
    return bytes_of(last + 1, *bits);
  }
  if (layout.order == Order::kNull || layout.order == Order::kStrided) return std::nullopt;
  constexpr std::size_t kChannelAxis = 1;
  CheckedInt elements = 1;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const CheckedInt dim = dims[i];
    elements *= i == kChannelAxis ? dim.rounded_up_to(layout.channel_vector) : dim;
  }
  return bytes_of(elements, *bits);
}

}  // namespace planex::model
