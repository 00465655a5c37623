// A run as one file: everything that an engine is read from, in a capsule.
#pragma once

#include <string>

#include "planex/error.h"
#include "planex/options.h"
#include "planex/session.h"
#include "planex/visibility.h"

namespace planex {

// clang-format off
#define PLANEX_ARCHIVE_OPTIONS(OPTION)                                                            \
  OPTION(std::string, output, {}, "output", "FILE",                                               \
         "Write the capsule to FILE, which ends in .planex, .tea or .zip; the content is "        \
         "the same",                                                                              \
         .for_programs = true)                                                                    \
  OPTION(bool, with_weights, false, "with-weights", "",                                           \
         "Include the weights of the ONNX model; without it, only the structure is "              \
         "packed")                                                                                \
  OPTION(bool, redact, false, "redact", "",                                                       \
         "Replace names of layers, tensors, files, hosts and users with hashes; keep "            \
         "kinds, shapes, types and times")                                                        \
  OPTION(std::string, salt, {}, "salt", "SECRET",                                                 \
         "With --redact: a secret, without which nobody can find a name by guessing")
// clang-format on

struct ArchiveRequest {
  OpenRequest engine;
  PLANEX_ARCHIVE_OPTIONS(PLANEX_MEMBER)
};

// Writes the capsule, atomically; lists its content: text, JSON (planex.archive/1). The same files
// make the same bytes. Memory: all files, and the capsule.
// Errors: those of opening the engine; kUsage (the output would overwrite a file of it, or has
// another extension, or no such format), kUnsupported (no libzip), kIo.
PLANEX_EXPORT Result<std::string> archive_engine(const ArchiveRequest& request, const View& view);

struct VerifyResult {
  std::string document;
  bool is_intact = false;
};

// Checks a capsule against the hashes in it: text, JSON (planex.verify/1).
// Errors: kNotFound, kBadInput (not an archive, truncated, not a capsule), kUsage for another
// format.
PLANEX_EXPORT Result<VerifyResult> verify_capsule(const std::string& path, const View& view);

}  // namespace planex
