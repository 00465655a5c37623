// Field numbers of onnx.proto, those that planex reads.
#pragma once

#include <cstdint>

namespace planex::onnx::field {

namespace model {
inline constexpr std::uint32_t kIrVersion = 1, kProducerName = 2, kProducerVersion = 3, kDomain = 4,
                               kModelVersion = 5, kDoc = 6, kGraph = 7, kOpsetImport = 8,
                               kMetadata = 14, kTraining = 20, kFunctions = 25, kConfiguration = 26;
}
namespace graph {
inline constexpr std::uint32_t kNode = 1, kName = 2, kInitializer = 5, kDoc = 10, kInput = 11,
                               kOutput = 12, kValueInfo = 13, kQuantization = 14,
                               kSparseInitializer = 15, kMetadata = 16;
}
namespace node {
inline constexpr std::uint32_t kInput = 1, kOutput = 2, kName = 3, kOpType = 4, kAttribute = 5,
                               kDoc = 6, kDomain = 7, kOverload = 8, kMetadata = 9,
                               kDeviceConfiguration = 10;
}
namespace function {
inline constexpr std::uint32_t kName = 1, kInput = 4, kOutput = 5, kNode = 7, kOpsetImport = 9,
                               kDomain = 10, kValueInfo = 12, kOverload = 13;
}
namespace attribute {
inline constexpr std::uint32_t kName = 1, kFloat = 2, kInt = 3, kString = 4, kTensor = 5,
                               kGraph = 6, kFloats = 7, kInts = 8, kStrings = 9, kTensors = 10,
                               kGraphs = 11, kTypeProto = 14, kTypeProtos = 15, kType = 20,
                               kReference = 21, kSparseTensor = 22, kSparseTensors = 23;
}
namespace tensor {
inline constexpr std::uint32_t kDims = 1, kType = 2, kFloats = 4, kInt32s = 5, kStrings = 6,
                               kInt64s = 7, kName = 8, kRaw = 9, kDoubles = 10, kUint64s = 11,
                               kExternal = 13, kLocation = 14;
}
namespace sparse_tensor {
inline constexpr std::uint32_t kValues = 1, kIndices = 2, kDims = 3;
}
namespace value {
inline constexpr std::uint32_t kName = 1, kType = 2;
}
namespace type {
inline constexpr std::uint32_t kTensor = 1, kSequence = 4, kMap = 5, kOpaque = 7, kSparse = 8,
                               kOptional = 9;
}
namespace tensor_type {
inline constexpr std::uint32_t kElement = 1, kShape = 2;
}
namespace shape {
inline constexpr std::uint32_t kDim = 1;
}
namespace dim {
inline constexpr std::uint32_t kValue = 1, kParameter = 2;
}
namespace opset {
inline constexpr std::uint32_t kDomain = 1, kVersion = 2;
}
namespace entry {  // StringStringEntryProto
inline constexpr std::uint32_t kKey = 1, kValue = 2;
}

}  // namespace planex::onnx::field
