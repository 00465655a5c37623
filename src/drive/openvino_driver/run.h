// One run of the driver: read, compile, time, write.
#pragma once

#include <string>

#include "drive/openvino_driver/measure.h"
#include "drive/openvino_driver/options.h"
#include "planex/error.h"

namespace planex::drive {

// `phase` names the current step: read, compile, time, profile or write. It is also valid after an
// error.
Result<void> run(const Options& options, const Report& report, std::string& phase);

std::string runtime_version();

}  // namespace planex::drive
