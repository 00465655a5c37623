// The files of the OpenVINO driver: docs/reference/openvino-artefacts.md.
#pragma once

#include "ingest/json_record.h"

namespace planex::ingest::openvino {

inline constexpr Schema kGraphSchema = {
    .name = "planex.openvino-graph", .version = 1, .what = "an OpenVINO graph file"};
inline constexpr Schema kProfileSchema = {
    .name = "planex.openvino-profile", .version = 1, .what = "an OpenVINO profile"};

}  // namespace planex::ingest::openvino
