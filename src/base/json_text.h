// Whether a text is JSON, without reading it: for values that are kept and passed on as written.
#ifndef PLANEX_BASE_JSON_TEXT_H_
#define PLANEX_BASE_JSON_TEXT_H_

#include <string_view>

namespace planex::base {

inline constexpr int kMaxJsonDepth = 64;

// Whether `text` is one JSON value nested at most kMaxJsonDepth deep. Encoding and raw control
// characters inside its texts are not looked at. No recursion.
bool is_json_value(std::string_view text);

// Whether `text` is a JSON number.
bool is_json_number(std::string_view text);

}  // namespace planex::base

#endif  // PLANEX_BASE_JSON_TEXT_H_
