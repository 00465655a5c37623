// Treats a stream, such as a pipe or standard input, as a single file: it can be read only once,
// and nothing is beside it.
#pragma once

#include <memory>
#include <string>

#include "base/files.h"
#include "planex/error.h"

namespace planex::ingest {

// The whole stream at `path` as a source: that path is a file, with no others in its folder; other
// paths come from `outer`, which must outlive it.
// Errors: those of reading it; kBadInput (it is empty).
Result<std::shared_ptr<const base::FileSource>> read_stream(const std::string& path,
                                                            const base::FileSource& outer);

}  // namespace planex::ingest
