// Translates failures of an engine's program into our own words.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "drive/subprocess.h"
#include "onnx/model.h"
#include "planex/error.h"

namespace planex::drive {

// planex.driver-error/1, the last line of a driver's stderr.
struct DriverError {
  std::string kind;  // "tool": OpenVINO's message. Otherwise one of ours: usage, bad-input, ...
  std::string phase;
  std::string message;
  std::string context;
  std::string hint;
  std::string file;  // As the driver sees it; empty: the model, or no file.
  std::string json_pointer;
  std::optional<std::uint64_t> byte_offset;
};

// The last such line, or nothing.
std::optional<DriverError> find_driver_error(std::string_view stderr_tail);

// What an engine is called, and what we know about its failures.
struct EngineWords {
  std::string_view label;
  Error (*translate)(const DriverError& error, const std::string& model,
                     const onnx::Model* source) = nullptr;
  // Hints: for an instruction that the processor lacks, and for a crash.
  std::string_view illegal_instruction_hint, crash_hint;
};
extern const EngineWords kOpenvinoWords;

// A message that we don't know; it only names the engine. `context` of the result has the whole
// message.
Error translate_driver_error(std::string_view label, const DriverError& error,
                             const std::string& model);

// An OpenVINO message. `context` of the result has the whole message.
// `source` is the model, if it could be read: errors then name its nodes.
Error translate_openvino(const DriverError& error, const std::string& model,
                         const onnx::Model* source = nullptr);

// The words for a phase: "compiling the model".
std::string_view doing(std::string_view phase);
// The last lines of what a program wrote.
std::string last_lines(std::string_view text);

// An engine's program that failed. `phase` is the last one that it reported.
Error translate_outcome(const EngineWords& engine, const SubprocessOutcome& outcome,
                        const std::string& program, std::string_view phase,
                        const std::string& model, bool has_launcher,
                        const onnx::Model* source = nullptr);

}  // namespace planex::drive
