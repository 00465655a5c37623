// Drives trtexec, the program of TensorRT: a build, then times without a profile, then a profile,
// in runs of their own, as a profile slows what is timed.
#ifndef PLANEX_DRIVE_TRTEXEC_H_
#define PLANEX_DRIVE_TRTEXEC_H_

#include "drive/driver.h"

namespace planex::drive {

extern const DriverInfo kTrtexecDriver;

}  // namespace planex::drive

#endif  // PLANEX_DRIVE_TRTEXEC_H_
