// Drives engines that are a Python package: a script that planex holds is run by the Python of the
// environment that has the package.
#ifndef PLANEX_DRIVE_PYTHON_DRIVER_H_
#define PLANEX_DRIVE_PYTHON_DRIVER_H_

#include "drive/driver.h"

namespace planex::drive {

extern const DriverInfo kTensorrtDriver;
extern const DriverInfo kTensorrtRtxDriver;
extern const DriverInfo kOnnxruntimeDriver;

}  // namespace planex::drive

#endif  // PLANEX_DRIVE_PYTHON_DRIVER_H_
