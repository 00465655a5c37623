// What only a program that can start others and inspect the machine can find out. A page has none
// of it (this_machine_wasi.cc).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyze/doctor.h"
#include "analyze/explain/device_limits.h"
#include "model/device_table.h"
#include "planex/error.h"
#include "planex/explain.h"

namespace planex::session {

// Searches for engines on the environment's PATH and beside the program, and asks them for their
// versions.
std::vector<analyze::DoctorEngine> installed_engines(const std::string& model,
                                                     std::string_view program_dir);

// The limits of this machine's CPU: kept from an earlier run, or measured now if the request allows
// it. Contains no devices if the engine ran on another machine and the request does not insist on
// this one. Errors: those of a kept table.
Result<model::DeviceTable> table_of_this_cpu(const analyze::DeviceFacts& engine,
                                             const ExplainRequest& request);

}  // namespace planex::session
