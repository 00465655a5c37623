// `-` as a PLAN: what is piped into the program, as a file that lies alone.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "planex/error.h"
#include "planex/session.h"

namespace planex::cli {

// What stands for standard input on the command line; ./- is the file of that name.
inline constexpr std::string_view kStandardInputWord = "-";

// The files that the requests are read from: the disk, or with standard input under
// planex::kStandardInput, which takes the place of `-` in `requests`. Reads all of it.
// Errors: kUsage (two PLANs are `-`; a terminal, where nobody pipes anything), kBadInput (it is
// empty, or longer than base::kMaxStreamBytes), kIo.
Result<std::shared_ptr<const base::FileSource>> files_of(std::span<OpenRequest> requests);

}  // namespace planex::cli
