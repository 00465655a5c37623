// Advice for when a file could not be written for lack of space.
#pragma once

#include <string>

namespace planex::base {

// For errno EFBIG, ENOSPC and EDQUOT; empty for others.
std::string hint_on_room(int error_number);

}  // namespace planex::base
