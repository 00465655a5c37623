// Commands that create an engine's files: filled in with what is known about the engine, else with
// placeholders. Each is one complete line for a shell.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyze/reproduce/engine_facts.h"

namespace planex::analyze {

// The build of the engine again, with layer information.
std::string rebuild_command(const EngineFacts& facts);
// Whether trtexec of the engine's version writes layer information.
bool exports_layers(const EngineFacts& facts);
// The same build by a version that does, if the engine's own doesn't.
std::string newer_build_command(const EngineFacts& facts);
// The engine's file loaded for its layer information.
std::string layer_information_command(const EngineFacts& facts);
// With all details: for engines that were built with them.
std::string layer_details_command(const EngineFacts& facts);
// TensorRT-RTX's build, which needs no GPU, for its log.
std::string rtx_build_command(const EngineFacts& facts);
// With each producer's own tools: per-layer times, and times of inferences.
std::string profile_command(const EngineFacts& facts);
std::string times_command(const EngineFacts& facts);
// The build that failed, with a more detailed log.
std::string failed_build_command(const EngineFacts& facts);
// benchmark_app, for OpenVINO's own files.
std::string benchmark_command(const EngineFacts& facts);

// Recreates all files of the engine, in the folder that it is run in; empty where the producer is
// not known.
std::string run_again_command(const EngineFacts& facts);

// For a model that nothing was compiled from: what each compiler makes of it, and the command.
struct ModelCommand {
  std::string what, command;
};
std::vector<ModelCommand> commands_for_model(const EngineFacts& facts);

// Commands of an engine's own tools that create all of its files for `model`, as `name`.
std::string onnxruntime_run(std::string_view model, std::string_view name);

}  // namespace planex::analyze
