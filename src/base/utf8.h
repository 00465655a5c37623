// Names from models may hold any bytes; JSON may not.
#ifndef PLANEX_BASE_UTF8_H_
#define PLANEX_BASE_UTF8_H_

#include <string>
#include <string_view>

namespace planex::base {

bool is_valid_utf8(std::string_view text);

// Each byte that is part of no character becomes U+FFFD.
std::string valid_utf8(std::string_view text);

}  // namespace planex::base

#endif  // PLANEX_BASE_UTF8_H_
