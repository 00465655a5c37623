// What went wrong in an engine's program, in our words.
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
  std::string kind;  // "tool": OpenVINO said it. Else one of ours: usage, bad-input, ...
  std::string phase;
  std::string message;
  std::string context;
  std::string hint;
  std::string file;  // As the driver sees it; empty: the model, or none.
  std::string json_pointer;
  std::optional<std::uint64_t> byte_offset;
};

// The last such line, or nothing.
std::optional<DriverError> find_driver_error(std::string_view stderr_tail);

// What an engine is called, and what is known of its failures.
struct EngineWords {
  std::string_view label;
  Error (*translate)(const DriverError& error, const std::string& model,
                     const onnx::Model* source) = nullptr;
  // What to do where it met an instruction that the processor lacks, and where it crashed.
  std::string_view illegal_instruction_hint, crash_hint;
};
extern const EngineWords kOpenvinoWords;

// A message of which nothing is known but who said it. `context` of the result has it whole.
Error translate_driver_error(std::string_view label, const DriverError& error,
                             const std::string& model);

// An OpenVINO message. `context` of the result has it whole.
// `source` is the model where it could be read: nodes are named by it.
Error translate_openvino(const DriverError& error, const std::string& model,
                         const onnx::Model* source = nullptr);

// "compiling the model", of a phase.
std::string_view doing(std::string_view phase);
// The last lines of what a program wrote.
std::string last_lines(std::string_view text);

// An engine's program that ended badly. `phase` is the last that it reported.
Error translate_outcome(const EngineWords& engine, const SubprocessOutcome& outcome,
                        const std::string& program, std::string_view phase,
                        const std::string& model, bool has_launcher,
                        const onnx::Model* source = nullptr);

}  // namespace planex::drive
