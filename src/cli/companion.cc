#include "cli/companion.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/files.h"
#include "base/text.h"
#include "drive/availability.h"

namespace planex::cli {

using base::format;

Result<int> become(const Companion& companion, const Environment& environment,
                   std::vector<std::string> arguments) {
  const char* path = std::getenv("PATH");
  auto program = drive::find_program(environment.program_dir, companion.program);
  if (!program && path != nullptr) program = drive::find_program(path, companion.program);
  if (!program) {
    return fail(
        {.code = ErrorCode::kNotFound,
         .message = format("{}, from the Python package, is neither next to planex nor on the PATH",
                           companion.program),
         .hint = format("python3 -m pip install 'planex-explorer[{}]'", companion.extra)});
  }
  std::vector<char*> words = {program->data()};
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  std::fflush(nullptr);
  ::execv(program->c_str(), words.data());
  return fail({.code = ErrorCode::kExternalTool,
               .message = format("can't start it: {}", std::strerror(errno)),
               .file = *program});
}

}  // namespace planex::cli
