#include "fuzz_targets.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "ingest/discover/registry.h"

namespace planex::fuzz {
namespace {

struct OtherTarget {
  std::string_view name;
  std::string (*run)(std::string_view input);
};
constexpr std::array<OtherTarget, 17> kOtherTargets = {{
    {"archive", run_archive},
    {"capsule", run_capsule},
    {"decode", run_decode},
    {"discover", run_discover},
    {"inference-job", run_inference_job},
    {"inference-result", run_inference_result},
    {"lint-rules", run_rules},
    {"lint-waivers", run_waivers},
    {"npy", run_npy},
    {"npz", run_npz},
    {"onnx-edit", run_onnx_edit},
    {"placement", run_placement},
    {"polygraphy", run_polygraphy},
    {"sweep-plan", run_sweep},
    {"tensorrt-graph-pieces", run_pieces},
    {"trtexec-command", run_trtexec_command},
    {"trtexec-output", run_trtexec_output},
}};

}  // namespace

std::vector<std::string_view> target_names() {
  std::vector<std::string_view> names;
  for (const OtherTarget& target : kOtherTargets) names.push_back(target.name);
  for (const ingest::ReaderInfo& reader : ingest::readers()) names.push_back(reader.id);
  return names;
}

bool has_target(std::string_view name) {
  const std::vector<std::string_view> names = target_names();
  return std::ranges::find(names, name) != names.end();
}

std::string run_target(std::string_view name, std::string_view input) {
  for (const OtherTarget& target : kOtherTargets) {
    if (target.name == name) return target.run(input);
  }
  const auto readers = ingest::readers();
  const auto reader = std::ranges::find(readers, name, &ingest::ReaderInfo::id);
  if (reader != readers.end()) return run_reader(*reader, input);
  return base::format("there is no target {}", base::quoted(name));
}

}  // namespace planex::fuzz
