// Names from models may hold any bytes; JSON may not.
#ifndef PLANEX_DRIVE_UTF8_H_
#define PLANEX_DRIVE_UTF8_H_

#include <string>
#include <string_view>

namespace planex::drive {

// Each byte that is part of no character becomes U+FFFD.
std::string valid_utf8(std::string_view text);

}  // namespace planex::drive

#endif  // PLANEX_DRIVE_UTF8_H_
