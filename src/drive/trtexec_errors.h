// Translates failures of trtexec into our own words. The texts are those of releases 8.0 to 11.1.
#pragma once

#include <string_view>

#include "drive/driver.h"
#include "planex/error.h"

namespace planex::drive {

// The program does not exist here.
Error no_trtexec(std::string_view program);

Error explain_trtexec(const ProcessRequest& request, const StepFailure& failure);

}  // namespace planex::drive
