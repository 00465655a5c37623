// What `planex doctor` says of a model: which engines are here, and what would run it.
#ifndef PLANEX_SESSION_INSTALLED_ENGINES_H_
#define PLANEX_SESSION_INSTALLED_ENGINES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/doctor.h"

namespace planex::session {

// The file as a model, where it is one by its content, or by its name while its content is of no
// other kind.
std::optional<analyze::DoctorModel> as_model(const std::string& path);

// Looks for engines in the environment's PATH and beside the program, and asks them for their
// versions.
std::vector<analyze::DoctorEngine> installed_engines(const std::string& model,
                                                     std::string_view program_dir);

}  // namespace planex::session

#endif  // PLANEX_SESSION_INSTALLED_ENGINES_H_
