// Short names for long things: ids of engines, states of folders.
#pragma once

#include <string>
#include <string_view>

namespace planex::serve {

// 32 hexadecimal digits (BLAKE2b, 128 bits): the same for the same text, and not reversible.
std::string digest(std::string_view text);

}  // namespace planex::serve
