// Runs planex-openvino, the program beside planex that has OpenVINO inside.
#pragma once

#include "drive/driver.h"

namespace planex::drive {

extern const DriverInfo kOpenvinoDriver;

}  // namespace planex::drive
