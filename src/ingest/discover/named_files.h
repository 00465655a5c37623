// Which file of a part the user named.
#pragma once

#include <optional>
#include <string>

#include "ingest/discover/discover.h"
#include "ingest/reader.h"

namespace planex::ingest {

// The file that the request gives for this part; nothing if it is to be searched.
const std::optional<std::string>& named_file(const LoadRequest& request, Part part);

}  // namespace planex::ingest
