// Files of waivers (planex.waivers/1): reading them to match findings, and adding to them.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "lint/waivers.h"
#include "planex/error.h"

namespace planex::session {

// `today` as 2026-10-01; empty: a date before all expiry dates. Errors: kUsage (no such day); those
// of the file.
Result<std::shared_ptr<const lint::Waivers>> read_waivers(const std::string& path,
                                                          const std::string& today);

// Rewrites the file with these after the existing ones, which keep their formatting; creates it if
// it does not exist. Errors: those of the file, also of the file to be written.
Result<void> add_waivers(const std::string& path, std::span<const lint::Waiver> waivers);

}  // namespace planex::session
