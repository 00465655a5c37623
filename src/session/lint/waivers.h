// Files of waivers (planex.waivers/1): read to be held against findings, and added to.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "lint/waivers.h"
#include "planex/error.h"

namespace planex::session {

// `today` as 2026-10-01; empty: a day before all of them expire. Errors: kUsage (no such day);
// those of the file.
Result<std::shared_ptr<const lint::Waivers>> read_waivers(const std::string& path,
                                                          const std::string& today);

// Writes the file anew with these behind what is there, as it is written there; makes it where
// there is none. Errors: those of the file, also of what it would be.
Result<void> add_waivers(const std::string& path, std::span<const lint::Waiver> waivers);

}  // namespace planex::session
