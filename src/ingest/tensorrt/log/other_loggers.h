// Prefixes of programs that pass on TensorRT's messages in their own formats: DeepStream, Triton,
// ONNX Runtime, Torch-TensorRT, scripts with a simple logger.
#pragma once

#include <string_view>

#include "ingest/tensorrt/log/log_lines.h"

namespace planex::ingest::tensorrt {

// TensorRT's own form of an error: "1: [runtime.cpp::deserialize::30] Error Code 1: …".
bool is_coded_error(std::string_view text);

// Splits the prefix off a line, if it is one of these; sets text, severity and source of `result`
// and leaves the rest.
//   ERROR: [TRT]: x                                    DeepStream
//   ERROR: 1: [runtime.cpp::deserialize::30] x         scripts
//   E0524 14:43:21.123456 1 logging.cc:49] x           Triton
//   [2024-05-24 14:43:21   ERROR] x                    ONNX Runtime, also behind its own prefix
//   ERROR: [Torch-TensorRT …] - x                      Torch-TensorRT
//   ERROR:torch_tensorrt [TensorRT …]:x
bool split_other_prefix(std::string_view line, LogLine& result);

}  // namespace planex::ingest::tensorrt
