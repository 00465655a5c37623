// What to do where a file could not be written for want of room.
#pragma once

#include <string>

namespace planex::base {

// Of errno EFBIG, ENOSPC and EDQUOT; empty for others.
std::string hint_on_room(int error_number);

}  // namespace planex::base
