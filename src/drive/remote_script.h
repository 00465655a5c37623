// What runs behind a launcher: remote_shell.sh, which the program carries in it.
#ifndef PLANEX_DRIVE_REMOTE_SCRIPT_H_
#define PLANEX_DRIVE_REMOTE_SCRIPT_H_

#include <string_view>

namespace planex::drive {

std::string_view remote_shell_script();

}  // namespace planex::drive

#endif  // PLANEX_DRIVE_REMOTE_SCRIPT_H_
