// Shared by tests of discovery and of small files.
#pragma once

#include <string>
#include <string_view>

#include "ingest/discover/discover.h"

namespace planex::ingest {

// A layer file of one layer "a", and its profile.
inline constexpr std::string_view kOneLayer =
    R"({"Layers": [{"Name": "a", "LayerType": "NoOp", "Inputs": [], "Outputs": []}]})";
inline constexpr std::string_view kOneLayerProfile =
    R"([{"count": 3}, {"name": "a", "timeMs": 3, "averageMs": 1, "percentage": 100}])";

// Why a file is part of an engine, or is not.
inline std::string evidence_of(const Discovery& discovery, std::string_view path) {
  for (const FoundFile& file : discovery.files) {
    if (file.path == path) return file.evidence;
  }
  return "(not listed)";
}

}  // namespace planex::ingest
