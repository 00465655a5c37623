// Drives engines that are Python packages: a script embedded in planex is run by the Python of the
// environment that has the package.
#pragma once

#include "drive/driver.h"

namespace planex::drive {

extern const DriverInfo kTensorrtDriver;
extern const DriverInfo kTensorrtRtxDriver;
extern const DriverInfo kOnnxruntimeDriver;

}  // namespace planex::drive
