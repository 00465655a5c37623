// Which engine to open, and where its files are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "planex/options.h"

namespace planex {

// clang-format off
#define PLANEX_OPEN_OPTIONS(OPTION)                                                               \
  OPTION(std::string, path, {}, "path", "PLAN",                                                   \
         "A layer file, a log, an archive, a folder, a common prefix of an engine's "             \
         "files, or - for standard input", .reads = true, .is_argument = true)                    \
  OPTION(std::optional<std::string>, graph, {}, "graph", "FILE", "The layer file", .reads = true) \
  OPTION(std::optional<std::string>, profile, {}, "profile", "FILE|N",                            \
         "The layer times; or the number of the optimization profile to show", .reads = true)     \
  OPTION(std::optional<std::int64_t>, profile_index, {}, "profile-index", "N",                    \
         "The optimization profile to show; else the first", .for_programs = true)                \
  OPTION(std::optional<std::int64_t>, run, {}, "run", "N",                                        \
         "The run to show of a log with several; planex doctor lists them", .from = 1)            \
  OPTION(std::optional<std::string>, times, {}, "times", "FILE", "The inference times",           \
         .reads = true)                                                                           \
  OPTION(std::optional<std::string>, metadata, {}, "metadata", "FILE",                            \
         "Build options and device", .reads = true)                                               \
  OPTION(std::optional<std::string>, log, {}, "log", "FILE", "The build or run log",              \
         .reads = true)                                                                           \
  OPTION(std::optional<std::string>, nsight, {}, "nsight", "FILE",                                \
         "The Nsight Systems trace, exported to SQLite: the kernels of each layer",               \
         .reads = true)                                                                           \
  OPTION(std::optional<std::string>, source_model, {}, "model", "FILE",                           \
         "The ONNX model that the engine was built from", .reads = true)                          \
  OPTION(std::optional<std::string>, accuracy, {}, "accuracy", "FILE",                            \
         "The accuracy lost by quantization: from planex accuracy --format json, or the "         \
         "record of planex quantize", .reads = true)                                              \
  OPTION(std::optional<std::string>, name, {}, "name", "NAME", "Name shown for the engine")       \
  OPTION(bool, is_repeat, false, "is-repeat", "",                                                 \
         "Not an engine of its own but another run of the one before it: compare uses only the "  \
         "times of its inferences", .for_programs = true)
// clang-format on

// One engine to open.
struct OpenRequest {
  PLANEX_OPEN_OPTIONS(PLANEX_MEMBER)
};

}  // namespace planex
