// The script that runs behind a launcher: remote_shell.sh, which is embedded in the program.
#pragma once

#include <string_view>

namespace planex::drive {

std::string_view remote_shell_script();

}  // namespace planex::drive
