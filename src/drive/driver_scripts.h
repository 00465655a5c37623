// The scripts of scripts/, which the program carries in it.
#ifndef PLANEX_DRIVE_DRIVER_SCRIPTS_H_
#define PLANEX_DRIVE_DRIVER_SCRIPTS_H_

#include <string_view>

namespace planex::drive {

std::string_view onnxruntime_script();
std::string_view tensorrt_script();
std::string_view tensorrt_rtx_script();

}  // namespace planex::drive

#endif  // PLANEX_DRIVE_DRIVER_SCRIPTS_H_
