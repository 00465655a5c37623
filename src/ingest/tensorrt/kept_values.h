// Values that have no column: kept as written, after checking that they are JSON.
#ifndef PLANEX_INGEST_TENSORRT_KEPT_VALUES_H_
#define PLANEX_INGEST_TENSORRT_KEPT_VALUES_H_

#include <string_view>

#include "ingest/json_input.h"
#include "model/builder.h"

namespace planex::ingest::tensorrt {

struct KeptValue {
  // The content of a text, JSON for anything else. Numbers that are none (NaN) are null.
  base::StringId text;
  model::ValueType type = model::ValueType::kNull;
};

// The value of `key` in the object at `place`. The builder keeps the input's bytes.
// Errors: kBadInput.
Result<KeptValue> keep_value(JsonInput& input, simdjson::ondemand::value& value,
                             const JsonPlace& place, std::string_view key,
                             model::ModelBuilder& builder);

// The same for JSON that was checked before, or whose brackets at least match.
KeptValue keep_as_written(std::string_view json, model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt

#endif  // PLANEX_INGEST_TENSORRT_KEPT_VALUES_H_
