#include <string>
#include <string_view>

#include "fuzz_targets.h"
#include "quantize/layer_precisions.h"
#include "trtexec/migration.h"

namespace planex::fuzz {

// A command that was moved to TensorRT 11 needs no second move.
std::string run_trtexec_command(std::string_view input) {
  const auto moved = trtexec::migrate(input);
  if (!moved) {
    if (moved.error().message.empty()) return "an error without a message";
    if (moved.error().code != ErrorCode::kUsage) return "a bug: " + moved.error().message;
    return {};
  }
  for (const std::string* layers : {&moved->layer_precisions, &moved->layer_output_types}) {
    const auto parsed = quantize::parse_layer_precisions(*layers);
    if (!parsed && parsed.error().code != ErrorCode::kUsage) {
      return "a bug: " + parsed.error().message;
    }
  }
  const std::string command = trtexec::migrated_command(*moved, moved->model);
  // That of a log is not quoted.
  if (command.find("&&&& ") != command.npos) return {};
  const auto again = trtexec::migrate(command);
  if (!again) return "what was written can't be read: " + again.error().message;
  if (trtexec::migrated_command(*again, again->model) != command) return "another command";
  return {};
}

}  // namespace planex::fuzz
