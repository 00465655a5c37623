// The size of weights from how TensorRT writes them: {"Type": "Half", "Count": 9408}.
#ifndef PLANEX_INGEST_TENSORRT_LOG_STORED_WEIGHTS_H_
#define PLANEX_INGEST_TENSORRT_LOG_STORED_WEIGHTS_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace planex::ingest::tensorrt {

// Whether a key of a layer's record names such weights: Weights, Bias, Scale, ...
bool is_weights_key(std::string_view key);

// Bytes; nothing where type or count is missing or unknown.
std::optional<std::int64_t> stored_weight_bytes(std::string_view text);

}  // namespace planex::ingest::tensorrt

#endif  // PLANEX_INGEST_TENSORRT_LOG_STORED_WEIGHTS_H_
