// What is not there of an engine, what it would add, and the command that makes it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/plan_model.h"

namespace planex::analyze {

struct MissingPiece {
  // Permanent: engine, layer-details, layer-information, profile, times, source-model.
  std::string_view id;
  // `command` is one line, whole, for a shell; with the engine's own file names as far as the files
  // tell them, else MODEL.onnx and the engine's name.
  std::string what, consequence, command;
  // Tells more, but nothing of this kind of engine is shown wrongly or not at all without it.
  bool is_optional = false;
  // Where the command has to run, after "to see …,"; empty: where the engine runs.
  std::string_view place;
};

// Most wanted first. Of a failed build only the engine is missing.
std::vector<MissingPiece> missing_pieces(const model::PlanModel& model);

}  // namespace planex::analyze
