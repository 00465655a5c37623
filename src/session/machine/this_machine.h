// What only a program can tell that may start others and look at the machine it runs on. A page has
// none of it (this_machine_wasi.cc).
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

// Looks for engines in the environment's PATH and beside the program, and asks them for their
// versions.
std::vector<analyze::DoctorEngine> installed_engines(const std::string& model,
                                                     std::string_view program_dir);

// The limits of this machine's CPU, as they were kept by an earlier run, else measured now where
// the request allows it. Without devices where the engine ran on another machine and the request
// does not insist on this one. Errors: those of a table that was kept.
Result<model::DeviceTable> table_of_this_cpu(const analyze::DeviceFacts& engine,
                                             const ExplainRequest& request);

}  // namespace planex::session
