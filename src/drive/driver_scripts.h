// The scripts of scripts/, which are embedded in the program.
#pragma once

#include <string_view>

namespace planex::drive {

std::string_view onnxruntime_script();
std::string_view tensorrt_script();
std::string_view tensorrt_rtx_script();

}  // namespace planex::drive
