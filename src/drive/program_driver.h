// Shared by drivers whose program writes the files and reports its phases: planex-openvino and the
// scripts for Python packages. Protocol: docs/reference/drivers.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drive/driver.h"

namespace planex::drive {

// One line of the program's stdout: {"phase": "compile", "done": 0.5}. A launcher may print others.
struct PhaseLine {
  std::string phase;
  double done = 0;
};
std::optional<PhaseLine> parse_phase(std::string_view line);

// `program`: the words that start it.
// Errors: kUsage (a flag that planex sets itself).
Result<Plan> plan_program(std::vector<std::string> program, const ProcessRequest& request,
                          const std::string& model, const Workspace& workspace);

// The list `notes` of a result.
std::vector<std::string> notes_of(std::string_view result_json);

}  // namespace planex::drive
