// Drives trtexec, the program of TensorRT: a build, then times without a profile, then a profile,
// in runs of their own, as a profile slows what is timed.
#pragma once

#include "drive/driver.h"

namespace planex::drive {

extern const DriverInfo kTrtexecDriver;

}  // namespace planex::drive
