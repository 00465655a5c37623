// Whether a text is JSON, without reading it: for values that are kept and passed on as written.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace planex::base {

inline constexpr int kMaxJsonDepth = 64;

// Whether `text` is one JSON value nested at most kMaxJsonDepth deep. Encoding and raw control
// characters inside its texts are not looked at. No recursion.
bool is_json_value(std::string_view text);

// Whether `text` is a JSON number.
bool is_json_number(std::string_view text);

// The integer that a JSON number is, also where it is spelled 8.0 or 8e0, as programs write it that
// know one kind of number only. Nothing for what is no integer, or, so spelled, beyond 2^53, where
// a double skips some.
std::optional<std::int64_t> integer_in(std::string_view token);

}  // namespace planex::base
