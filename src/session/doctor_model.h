// What `planex doctor` reports for a file that is not an engine but a model.
#pragma once

#include <optional>
#include <string>

#include "analyze/doctor.h"

namespace planex::session {

// The file as a model: if its content is a model, or if its name is and its content is of no other
// kind.
std::optional<analyze::DoctorModel> as_model(const std::string& path);

}  // namespace planex::session
