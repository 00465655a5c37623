// Which file of a part the user named.
#pragma once

#include <optional>
#include <string>

#include "ingest/discover/discover.h"
#include "ingest/reader.h"

namespace planex::ingest {

// The request's file of the part; nothing where it is looked for.
const std::optional<std::string>& named_file(const LoadRequest& request, Part part);

}  // namespace planex::ingest
