// The size of weights that a layer's record counts: {"Type": "Half", "Count": 9408}.
#ifndef PLANEX_INGEST_TENSORRT_WEIGHTS_H_
#define PLANEX_INGEST_TENSORRT_WEIGHTS_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace planex::ingest::tensorrt {

// Bytes of the object `json`; nothing where its type or count is missing or unknown. The caller has
// checked that it is JSON.
std::optional<std::int64_t> weight_bytes(std::string_view json);

}  // namespace planex::ingest::tensorrt

#endif  // PLANEX_INGEST_TENSORRT_WEIGHTS_H_
