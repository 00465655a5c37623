// Words for the parts of an engine.
#pragma once

#include <string_view>

#include "ingest/reader.h"

namespace planex::ingest {

// What one file of a part is called.
std::string_view noun_of(Part part);
// The option that names a file of the part.
std::string_view option_of(Part part);

}  // namespace planex::ingest
