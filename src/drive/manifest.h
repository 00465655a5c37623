// manifest.json: how a set of artefacts was made. Format: docs/reference/openvino-artefacts.md.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drive/driver.h"
#include "drive/sha256.h"

namespace planex::drive {

struct Manifest {
  std::string engine;  // Id of the driver.
  std::string name;
  std::string model;
  // Hash of the file before the run. Nothing: only the device's machine has the file.
  std::optional<FileDigest> model_digest;
  // The file changed during the run: either version may have been built.
  bool was_model_changed = false;
  std::vector<std::string> launcher;
  std::vector<std::vector<std::string>> commands;
  std::vector<Artefact> artefacts;
  std::string result_json;
  std::chrono::system_clock::time_point started;
  double elapsed_ms = 0;
};

// Also reads the machine, the environment and the clock frequencies.
std::string manifest_json(const Manifest& manifest);

// The engine of a manifest; empty if the text is not a manifest.
std::string name_in_manifest(std::string_view json);
// The SHA-256 of the model that a record of planex quantize or search names; empty if it names
// none.
std::string model_in_record(std::string_view json);
// The files that it lists.
std::vector<std::string> files_in_manifest(std::string_view json);

}  // namespace planex::drive
