// How an engine was made and run, as its files tell, and a command that does all of it again.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/plan_model.h"

namespace planex::analyze {

enum class CommandOrigin : std::uint8_t {
  kRecorded,  // a file has the command line
  kOptions,   // a file has the program's options, one by one
  kMade,      // planex's own, with what the files tell; MODEL.onnx where they don't name the model
};
std::string_view to_string(CommandOrigin origin);  // recorded, options, made

struct RepeatCommand {
  CommandOrigin origin = CommandOrigin::kRecorded;
  std::string what;     // a phrase: "built the engine"
  std::string command;  // one line, whole, for a shell
  std::string file;     // where it is recorded; empty: made
};

// Recorded ones in the order of the files; then one that makes all files of the engine anew, into
// the folder it is run in: nothing that is there is overwritten unless it is run there. None of
// those where nothing of the producer is known. Cost: O(metadata).
std::vector<RepeatCommand> repeat_commands(const model::PlanModel& model);

}  // namespace planex::analyze
