#include "ingest/onnx/element_type.h"

namespace planex::ingest::onnx {

using model::DType;
using planex::onnx::DataType;

DType dtype_of(DataType type) {
  switch (type) {
    case DataType::kFloat:
      return DType::kFp32;
    case DataType::kDouble:
      return DType::kFp64;
    case DataType::kFloat16:
      return DType::kFp16;
    case DataType::kBfloat16:
      return DType::kBf16;
    case DataType::kFloat8E4M3FN:
    case DataType::kFloat8E4M3FNUZ:
    case DataType::kFloat8E5M2:
    case DataType::kFloat8E5M2FNUZ:
      return DType::kFp8;
    case DataType::kFloat4E2M1:
      return DType::kFp4;
    case DataType::kInt64:
      return DType::kInt64;
    case DataType::kInt32:
      return DType::kInt32;
    case DataType::kInt16:
      return DType::kInt16;
    case DataType::kInt8:
      return DType::kInt8;
    case DataType::kInt4:
      return DType::kInt4;
    case DataType::kUint64:
      return DType::kUint64;
    case DataType::kUint32:
      return DType::kUint32;
    case DataType::kUint16:
      return DType::kUint16;
    case DataType::kUint8:
      return DType::kUint8;
    case DataType::kBool:
      return DType::kBool;
    default:
      return DType::kNull;
  }
}

}  // namespace planex::ingest::onnx
