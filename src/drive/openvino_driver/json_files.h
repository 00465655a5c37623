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

// Facts about the run, in addition to its results.
struct RunFacts {
  std::string runtime_version;
  std::string device;
  std::string precision;  // What OpenVINO made of the requested precision.
  int streams = 1;        // The same.
  std::string isa;        // In OpenVINO's words.
  std::string isa_limit;  // ONEDNN_MAX_CPU_ISA, if set.
  std::vector<std::string> capabilities;
  std::vector<std::pair<std::string, std::string>>
      config;  // All properties, as the device has them.
  double read_ms = 0;
  double compile_ms = 0;
  double export_import_ms = 0;  // Median; 0 if there was none.
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
