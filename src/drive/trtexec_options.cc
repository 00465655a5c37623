#include "drive/trtexec_options.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/text.h"
#include "base/try.h"

namespace planex::drive {
namespace {

using trtexec::FlagScope;
using trtexec::TensorrtVersion;

// planex sets these itself, or does what they ask for in separate runs.
constexpr auto kSetByPlanex = std::to_array<std::string_view>(
    {"onnx", "saveEngine", "loadEngine", "exportLayerInfo", "exportProfile", "exportTimes",
     "profilingVerbosity", "nvtxMode", "verbose", "v", "separateProfileRun", "dumpProfile"});
// These leave out the inference.
constexpr auto kBuildOnly = std::to_array<std::string_view>(
    {"buildOnly", "skipInference", "buildDLAStandalone", "runtimePlatform"});

struct Replacement {
  std::string_view name, hint;
};
constexpr std::string_view kTypesInModel =
    "From 11.0 on, the model's own types decide: planex cast MODEL --to fp16 changes them in the "
    "file, planex quantize adds the Q/DQ of INT8; planex cast --from-trtexec converts a whole "
    "command.";
constexpr auto kReplacements = std::to_array<Replacement>({
    {"workspace", "Use memPoolSize=workspace:MIB."},
    {"streams", "Use infStreams=N."},
    {"batch", "Give shapes: --shape NAME=8x3x224x224."},
    {"maxBatch", "Give shapes: --shape NAME=8x3x224x224."},
    {"explicitBatch", "Leave it out: batches are always explicit."},
    {"fp16", kTypesInModel},
    {"bf16", kTypesInModel},
    {"int8", kTypesInModel},
    {"fp8", kTypesInModel},
    {"int4", kTypesInModel},
    {"best", kTypesInModel},
    {"calib", kTypesInModel},
    {"precisionConstraints", kTypesInModel},
    {"layerPrecisions", kTypesInModel},
    {"layerOutputTypes", kTypesInModel},
});

std::string version_text(const TensorrtVersion& version) {
  return base::format("{}.{}", version.major, version.minor);
}

Failure not_in_this_version(std::string_view name, const TensorrtVersion& version,
                            const trtexec::TrtexecFlag& flag) {
  Error error;
  error.code = ErrorCode::kUsage;
  error.message =
      version < flag.first
          ? base::format("trtexec {} has no option {}; it was added in {}", version_text(version),
                         name, version_text(flag.first))
          : base::format("trtexec {} has no option {}; {} was the last version to have it",
                         version_text(version), name, version_text(*flag.last_accepted));
  const auto replaced = std::ranges::find(kReplacements, name, &Replacement::name);
  error.hint = replaced != kReplacements.end() && version >= flag.first
                   ? std::string(replaced->hint)
                   : "Leave it out, or use another trtexec: --program PATH.";
  return fail(std::move(error));
}

// A name that contains the list's separators is quoted, as trtexec expects it.
std::string shape_word(std::string_view shape) {
  const std::size_t at = shape.rfind('=');
  const std::string_view name = shape.substr(0, at);
  const std::string_view dims = at == shape.npos ? std::string_view() : shape.substr(at + 1);
  const bool is_plain = name.find_first_of(":,") == name.npos;
  return is_plain ? base::format("{}:{}", name, dims) : base::format("'{}':{}", name, dims);
}

class OptionSorter {
 public:
  explicit OptionSorter(const TensorrtVersion& version) : version_(version) {}

  Result<void> add(std::string_view word) {
    const std::string_view bare = word.substr(std::min(word.find_first_not_of('-'), word.size()));
    if (bare.empty()) {
      return fail(ErrorCode::kUsage,
                  base::format("{} is not an option of trtexec", base::quoted(word)));
    }
    const std::string_view name = bare.substr(0, bare.find('='));
    if (std::ranges::find(kSetByPlanex, name) != kSetByPlanex.end()) {
      sorted_.notes.push_back(base::format("{} is left out: planex sets it itself", name));
      return {};
    }
    if (std::ranges::find(kBuildOnly, name) != kBuildOnly.end()) sorted_.is_build_only = true;
    if (name == "buildOnly" || name == "skipInference") return {};
    std::string option = base::format("--{}", bare);
    const trtexec::TrtexecFlag* flag = trtexec::find_flag(name);
    if (flag == nullptr) {
      // -v and -h are single letters after a single dash.
      for (auto* run : {&sorted_.build, &sorted_.times, &sorted_.profile}) run->push_back(option);
      return {};
    }
    if (version_ < flag->first || (flag->last_accepted && version_ > *flag->last_accepted)) {
      return not_in_this_version(name, version_, *flag);
    }
    if (flag->last_effective && version_ > *flag->last_effective) {
      sorted_.notes.push_back(base::format("trtexec {} ignores {}: that is the default now",
                                           version_text(version_), name));
    }
    if (flag->scope != FlagScope::kRun) sorted_.build.push_back(option);
    if (flag->scope == FlagScope::kBuild) return {};
    sorted_.times.push_back(option);
    if (name == "useCudaGraph" && (!flag->last_effective || version_ <= *flag->last_effective)) {
      sorted_.notes.emplace_back(
          "the profile is recorded without CUDA graphs, which hide the "
          "layers");
    } else {
      sorted_.profile.push_back(std::move(option));
    }
    return {};
  }

  TrtexecOptions take() { return std::move(sorted_); }

 private:
  const TensorrtVersion& version_;
  TrtexecOptions sorted_;
};

}  // namespace

trtexec::TensorrtVersion version_number(std::string_view text) {
  return trtexec::parse_tensorrt_versions(text).first;
}

Result<TrtexecOptions> sort_trtexec_options(const ProcessRequest& request,
                                            const TensorrtVersion& version) {
  if (request.threads) {
    return fail(ErrorCode::kUsage, "trtexec has no threads per inference: it runs on a GPU",
                "Leave --threads out. For parallel inferences use infStreams=N.");
  }
  OptionSorter sorter(version);
  for (const std::string& word : request.flags) PLANEX_TRY(sorter.add(word));
  if (!request.shapes.empty()) {
    std::string shapes = "shapes=";
    for (const std::string& shape : request.shapes) {
      if (&shape != &request.shapes.front()) shapes += ',';
      shapes += shape_word(shape);
    }
    PLANEX_TRY(sorter.add(shapes));
  }
  // FP32 is trtexec's default.
  if (request.precision && base::lower(*request.precision) != "fp32") {
    const std::string precision = base::lower(*request.precision);
    constexpr auto kPrecisions =
        std::to_array<std::string_view>({"fp16", "bf16", "int8", "fp8", "int4", "best"});
    if (std::ranges::find(kPrecisions, precision) == kPrecisions.end()) {
      return fail(ErrorCode::kUsage,
                  base::format("trtexec has no precision {}", base::quoted(*request.precision)),
                  base::format("Valid: fp32, {}.", base::join_words(kPrecisions)));
    }
    PLANEX_TRY(sorter.add(precision));
  }
  return sorter.take();
}

}  // namespace planex::drive
