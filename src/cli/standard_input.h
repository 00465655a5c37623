// `-` as a PLAN: standard input as a file with nothing beside it.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "planex/error.h"
#include "planex/session.h"

namespace planex::cli {

// The word for standard input on the command line; ./- is a file of that name.
inline constexpr std::string_view kStandardInputWord = "-";

// The source of the requests' files: the disk or, if a PLAN is `-`, the disk and standard input
// under the name planex::kStandardInput, which replaces `-` in `requests`. Reads all of it.
// Errors: kUsage (two PLANs are `-`; standard input is a terminal), kBadInput (it is empty, or
// longer than base::kMaxStreamBytes), kIo.
Result<std::shared_ptr<const base::FileSource>> files_of(std::span<OpenRequest> requests);

}  // namespace planex::cli
