// Drives engines that are a Python package: a script that planex holds is run by the Python of the
// environment that has the package.
#pragma once

#include "drive/driver.h"

namespace planex::drive {

extern const DriverInfo kTensorrtDriver;
extern const DriverInfo kTensorrtRtxDriver;
extern const DriverInfo kOnnxruntimeDriver;

}  // namespace planex::drive
