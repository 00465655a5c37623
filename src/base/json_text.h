// Whether a text is JSON, without parsing it: for values that are kept and passed on as written.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace planex::base {

inline constexpr int kMaxJsonDepth = 64;

// Whether `text` is one JSON value nested at most kMaxJsonDepth deep. Does not check the encoding
// or raw control characters inside its strings. No recursion.
bool is_json_value(std::string_view text);

// Whether `text` is a JSON number.
bool is_json_number(std::string_view text);

// The integer value of a JSON number, also where it is written 8.0 or 8e0, as programs with a
// single kind of number write it. Nothing where it is not an integer, or, in that form, beyond
// 2^53, where a double skips some.
std::optional<std::int64_t> integer_in(std::string_view token);

}  // namespace planex::base
