// What `planex doctor` says of a file that no engine is read from: that it is a model.
#pragma once

#include <optional>
#include <string>

#include "analyze/doctor.h"

namespace planex::session {

// The file as a model, where it is one by its content, or by its name while its content is of no
// other kind.
std::optional<analyze::DoctorModel> as_model(const std::string& path);

}  // namespace planex::session
