// What is missing for an engine, what it would add, and the command that creates it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/plan_model.h"

namespace planex::analyze {

struct MissingPiece {
  // Stable ids: engine, layer-details, layer-information, profile, times, source-model.
  std::string_view id;
  // `command` is one complete line for a shell; with the engine's own file names as far as the
  // files record them, else MODEL.onnx and the engine's name.
  std::string what, consequence, command;
  // Adds information, but without it nothing about this kind of engine is missing or shown wrongly.
  bool is_optional = false;
  // Where the command has to run, after "to see …,"; empty: where the engine runs.
  std::string_view place;
};

// The most useful first. For a failed build, only the engine is missing.
std::vector<MissingPiece> missing_pieces(const model::PlanModel& model);

}  // namespace planex::analyze
