// Runs planex-openvino, the program beside planex that has OpenVINO inside.
#ifndef PLANEX_DRIVE_OPENVINO_H_
#define PLANEX_DRIVE_OPENVINO_H_

#include "drive/driver.h"

namespace planex::drive {

extern const DriverInfo kOpenvinoDriver;

}  // namespace planex::drive

#endif  // PLANEX_DRIVE_OPENVINO_H_
