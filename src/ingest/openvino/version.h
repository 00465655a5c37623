#pragma once

#include <string_view>

#include "model/builder.h"

namespace planex::ingest::openvino {

// Sets the engine's version from OpenVINO's own text: "2026.4.1-22982-e213a147257-releases/2026/4"
// is the release, then the build. Does nothing if there is no release, or a version is already
// known.
void set_producer_version(std::string_view written, model::ModelBuilder& builder);

}  // namespace planex::ingest::openvino
