// The grammar of JSON values, for what is kept as written and so never decoded.
#ifndef PLANEX_INGEST_JSON_VALUE_H_
#define PLANEX_INGEST_JSON_VALUE_H_

#include <optional>
#include <string>
#include <string_view>

namespace planex::ingest {

// Whether `text` is one JSON value nested at most kMaxDepth deep. The caller has had simdjson check
// encoding and control characters. No recursion.
inline constexpr int kMaxDepth = 64;
bool check_json_value(std::string_view text);

// Whether `text` is a JSON number.
bool is_json_number(std::string_view text);

// Whether `token` is what C++ and Python print for a number that is none: nan, -nan, NaN, inf,
// Infinity, -Infinity. JSON has no word for them.
bool is_not_a_number(std::string_view token);

// The value with each such token outside texts replaced by null; nothing where there is none, or
// where the result is no JSON value either.
std::optional<std::string> with_null_for_not_a_number(std::string_view text);

}  // namespace planex::ingest

#endif  // PLANEX_INGEST_JSON_VALUE_H_
