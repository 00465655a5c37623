// A run as one file: all that an engine is read from, in a capsule.
#pragma once

#include <string>

#include "planex/error.h"
#include "planex/session.h"
#include "planex/visibility.h"

namespace planex {

struct ArchiveRequest {
  OpenRequest engine;
  // The capsule: ends in .planex, .tea or .zip, which makes no difference in what it is.
  std::string output;
  // Also the weights of the ONNX model, where it is a part of the engine.
  bool with_weights = false;
  // Instead of the files the engine that they describe, with hashes for names.
  bool redact = false;
  // What hashes are made with, beside the names: who does not know it can't find a name by trying.
  std::string salt;
};

// Writes the capsule, atomically; says what is in it: text, JSON (planex.archive/1). The same files
// make the same bytes. Memory: all files, and the capsule.
// Errors: those of opening the engine; kUsage (the output would overwrite a file of it, or ends
// otherwise, or no such format), kUnsupported (no libzip), kIo.
PLANEX_EXPORT Result<std::string> archive_engine(const ArchiveRequest& request, const View& view);
// The same with files from elsewhere than the disk; for planex's own parts.
PLANEX_EXPORT Result<std::string> archive_engine(const ArchiveRequest& request, const View& view,
                                                 const base::FileSource& files);

struct VerifyResult {
  std::string document;
  bool is_intact = false;
};

// Holds a capsule against the hashes in it: text, JSON (planex.verify/1).
// Errors: kNotFound, kBadInput (no archive, cut, no capsule), kUsage for another format.
PLANEX_EXPORT Result<VerifyResult> verify_capsule(const std::string& path, const View& view);

}  // namespace planex
