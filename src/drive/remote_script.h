// What runs behind a launcher: remote_shell.sh, which the program carries in it.
#pragma once

#include <string_view>

namespace planex::drive {

std::string_view remote_shell_script();

}  // namespace planex::drive
