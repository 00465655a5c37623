// Small floats that this machine's processor computes with, as OpenVINO asks for them.
#pragma once

#include <string_view>

namespace planex::drive {

// `type`: "bf16" or "fp16". Whether products are computed in it, not only converted. On Arm bf16 is
// false: OpenVINO has no kernels for it there.
bool has_small_float(std::string_view type);

}  // namespace planex::drive
