// What went wrong in trtexec, in our words. Its texts: those of releases 8.0 to 11.1.
#pragma once

#include <string_view>

#include "drive/driver.h"
#include "planex/error.h"

namespace planex::drive {

// There is no such program here.
Error no_trtexec(std::string_view program);

Error explain_trtexec(const ProcessRequest& request, const StepFailure& failure);

}  // namespace planex::drive
