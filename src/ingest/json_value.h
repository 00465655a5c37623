// JSON values that are kept unchanged and so never decoded, and the words for NaN and infinity.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json_text.h"
#include "model/types.h"

namespace planex::ingest {

// The caller of check_json_value has let simdjson check encoding and control characters.
inline constexpr int kMaxDepth = base::kMaxJsonDepth;
inline bool check_json_value(std::string_view text) { return base::is_json_value(text); }
using base::integer_in;
using base::is_json_number;

// The type of a JSON value, by its first byte; kJsonNull for an empty text.
model::ValueType json_type_of(std::string_view json);

// Whether `token` is what C++ and Python print for NaN or infinity: nan, -nan, NaN, inf, Infinity,
// -Infinity. JSON has no word for them.
bool is_not_a_number(std::string_view token);

// The value with each such token outside strings replaced by null; nothing if there is none, or if
// the result is not a JSON value either.
std::optional<std::string> with_null_for_not_a_number(std::string_view text);

}  // namespace planex::ingest
