// The driver's files as JSON text. Their format: docs/reference/openvino-artefacts.md.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "drive/openvino_driver/execution_plan.h"
#include "drive/openvino_driver/measure.h"
#include "drive/openvino_driver/options.h"
#include "drive/openvino_driver/source_tags.h"
#include "planex/error.h"

namespace planex::drive {

// What is known of the run beside its results.
struct RunFacts {
  std::string runtime_version;
  std::string device;
  std::string precision;  // What OpenVINO took for the one that was asked for.
  int streams = 1;        // The same.
  std::string isa;        // As OpenVINO words it.
  std::string isa_limit;  // ONEDNN_MAX_CPU_ISA, where set.
  std::vector<std::string> capabilities;
  std::vector<std::pair<std::string, std::string>>
      config;  // All properties, as the device has them.
  double read_ms = 0;
  double compile_ms = 0;
  double export_import_ms = 0;  // Median; 0 where there was none.
  std::vector<std::string> notes;
};

std::string graph_json(const Options& options, const RunFacts& facts, const ExecutionPlan& plan,
                       const SourceTable& sources, const std::optional<Profile>& profile);
std::string profile_json(const Profile& profile, const ExecutionPlan& plan);
std::string times_json(const Options& options, const Times& times,
                       const std::optional<Profile>& profile);
std::string result_json(const Options& options, const RunFacts& facts, const ExecutionPlan& plan);

// One line each, without a line break.
std::string error_json(std::string_view phase, const Error& error);
std::string progress_json(std::string_view phase, double done);

}  // namespace planex::drive
