// Programs of the Python package, for what needs libraries that only Python has: the official SDK
// of the Model Context Protocol, Arrow's writers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "planex/error.h"

namespace planex::cli {

struct Companion {
  std::string_view program;
  // The extra of the Python package that has what it needs.
  std::string_view extra;
};

// Replaces this process with the companion, which keeps its input, output and signals, and whose
// exit code becomes ours. The one beside planex comes first (where the wheel has it), then those on
// the PATH. Returns only with an error: kNotFound (with the command that installs it),
// kExternalTool (it can't be started).
Result<int> become(const Companion& companion, const Environment& environment,
                   std::vector<std::string> arguments);

}  // namespace planex::cli
