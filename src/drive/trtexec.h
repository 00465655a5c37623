// Drives trtexec, TensorRT's own program: a build, then times without a profile, then a profile.
// Each is a run of its own, because profiling slows down what is timed.
#pragma once

#include "drive/driver.h"

namespace planex::drive {

extern const DriverInfo kTrtexecDriver;

}  // namespace planex::drive
