// Where samples came from, as a file for other programs.
#pragma once

#include <span>
#include <string>

#include "arrays/sample_folder.h"
#include "planex/error.h"

namespace planex::arrays {

// A JSON list of objects with "name", and "label" where there is one. Errors: kIo.
Result<void> write_sources(std::span<const SampleSource> sources, const std::string& path);

}  // namespace planex::arrays
