// The words of the model: what a layer does, what a tensor contains, its memory layout.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/ids.h"

namespace planex::model {

struct LayerTag;
struct TensorTag;
struct RegionTag;
struct BlockTag;
struct OperationTag;
struct ChoiceTag;
using LayerId = base::Id<LayerTag>;
using TensorId = base::Id<TensorTag>;
using RegionId = base::Id<RegionTag>;
using BlockId = base::Id<BlockTag>;
using OperationId = base::Id<OperationTag>;
using ChoiceId = base::Id<ChoiceTag>;

// Every enumeration below has a last value kNull: "not known".

// Whether a record is a layer that does work, or book-keeping of the engine.
enum class Role : std::uint8_t {
  kWork,
  kNoOp,
  kConstant,
  kInput,
  kOutput,
  kSignal,
  kWait,
  kShape,
  kControl,  // jumps of conditionals and loops
  kNull
};

// What a layer does, coarsely; the same words for every producer.
enum class Family : std::uint8_t {
  kConvolution,
  kGemm,
  kOpaque,
  kPointwise,
  kNorm,
  kPool,
  kShuffle,
  kPlugin,
  kReformat,
  kOther,
  kNull
};

enum class DType : std::uint8_t {
  kFp64,
  kFp32,
  kTf32,
  kFp16,
  kBf16,
  kFp8,
  kFp4,
  kInt64,
  kInt32,
  kInt16,
  kInt8,
  kInt4,
  kUint64,
  kUint32,
  kUint16,
  kUint8,
  kBool,
  kNull
};

// kConstant: weights that a layer's record lists apart from its inputs.
enum class Direction : std::uint8_t { kInput, kConstant, kOutput, kNull };

enum class TensorRole : std::uint8_t { kInput, kOutput, kActivation, kConstant, kShape, kNull };

enum class Severity : std::uint8_t { kError, kWarning, kInfo, kNull };

// The JSON type that an attribute had in its file.
enum class ValueType : std::uint8_t {
  kString,
  kNumber,
  kBoolean,
  kArray,
  kObject,
  kJsonNull,
  kNull
};

// How a source operation was connected to a layer.
enum class Evidence : std::uint8_t { kMetadata, kProvenance, kName, kNull };

// Memory order of a tensor.
enum class Order : std::uint8_t {
  kLinear,          // row major: NCHW
  kChannelsLast,    // NHWC
  kChannelVectors,  // NC/vHWv: channels in vectors of v, one plane per vector
  kStrided,         // any order; see the strides
  kNull
};

// Order plus the multiple to which channels are padded. Text as in the column: NCHW, NHWC8,
// NC/32HW32; the same with a D for volumes.
struct Layout {
  Order order = Order::kNull;
  std::uint8_t channel_vector = 1;
  bool is_volume = false;  // five dimensions: N, C, D, H, W

  friend auto operator<=>(const Layout&, const Layout&) = default;
};

std::string_view to_string(Role value);
std::string_view to_string(Family value);
std::string_view to_string(DType value);
std::string_view to_string(Direction value);
std::string_view to_string(TensorRole value);
std::string_view to_string(Severity value);
std::string_view to_string(ValueType value);
std::string_view to_string(Evidence value);
// The view is of static storage.
std::string_view to_string(Layout value);
// The names of all layouts that have one.
std::vector<std::string_view> layout_names();

// Size of one element in bits; sub-byte types are packed. kNull has none.
std::optional<int> bits_per_element(DType type);
bool is_float(DType type);
// INT8, UINT8, INT4, FP8 and FP4: the results of Q/DQ.
bool is_quantized(DType type);

// "FP16" -> kFp16; kNull where unknown.
DType dtype_of(std::string_view name);
// "NC/32HW32" -> that layout; one of unknown order if it is not the name of a layout.
Layout layout_of(std::string_view name);

// Bytes that the tensor's elements take, without padding: product(dims) elements, packed.
// dims: any rank, [] is a scalar. Null where a dimension is negative (dynamic), the type unknown or
// the product overflows.
std::optional<std::int64_t> data_bytes(std::span<const std::int64_t> dims, DType type);

// Bytes that the tensor takes in memory: with strides (in elements) the span they cover, otherwise
// with channels (axis 1) padded to the layout's vector. Null as above, or where the layout is
// unknown.
std::optional<std::int64_t> memory_bytes(std::span<const std::int64_t> dims, DType type,
                                         Layout layout, std::span<const std::int64_t> strides);

}  // namespace planex::model
