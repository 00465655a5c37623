// How an engine was built and run, according to its files, and a command that repeats all of it.
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
  kMade,      // planex's own, filled in from the files; MODEL.onnx if they don't name the model
};
std::string_view to_string(CommandOrigin origin);  // recorded, options, made

struct RepeatCommand {
  CommandOrigin origin = CommandOrigin::kRecorded;
  std::string what;     // a phrase: "built the engine"
  std::string command;  // one complete line for a shell
  std::string file;     // where it is recorded; empty: made
};

// Recorded ones in the order of the files; then one that recreates all files of the engine, in the
// folder it is run in: existing files are overwritten only if it is run there. Not the latter where
// the producer is not known. Cost: O(metadata).
std::vector<RepeatCommand> repeat_commands(const model::PlanModel& model);

}  // namespace planex::analyze
