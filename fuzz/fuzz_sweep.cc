#include <string>
#include <string_view>

#include "base/files.h"
#include "fuzz_targets.h"
#include "session/open/sweep.h"

namespace planex::fuzz {

// The plan of a sweep whose runs are all missing.
std::string run_sweep(std::string_view input) {
  base::MemoryFiles files;
  files.add("sweep/sweep.json", input);
  const auto sweep = session::open_sweep("sweep", files);
  if (!sweep) {
    const Error& error = sweep.error();
    if (error.message.empty()) return "an error without a message";
    if (error.file != "sweep/sweep.json") return "an error that does not name the file";
    return error.code == ErrorCode::kInternal ? "a bug: " + error.message : std::string();
  }
  if (sweep->done_count != 0) return "a cell is done that has no run";
  for (const analyze::SweepCell& cell : sweep->cells) {
    if (cell.id.find('/') != std::string::npos) return "a cell leads out of the sweep's folder";
  }
  const session::Writers writers = session::sweep_writers(*sweep);
  for (const Format format : {Format::kText, Format::kJson, Format::kCsv, Format::kMarkdown}) {
    if (session::write(writers, {.format = format}).empty()) return "an empty document";
  }
  return {};
}

}  // namespace planex::fuzz
