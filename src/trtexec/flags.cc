#include "trtexec/flags.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/text.h"

namespace planex::trtexec {
namespace {

constexpr TensorrtVersion kBefore8 = {0, 0};
constexpr TensorrtVersion k82 = {8, 2}, k86 = {8, 6}, k93 = {9, 3}, k1016 = {10, 16};

// From the option parsers of all releases. The defaults were reversed in 11.0: what these switches
// enabled is on, and they are accepted without effect. `explicitBatch` was needed only for ONNX
// before 8.0.
using Scope = FlagScope;
constexpr auto kFlags = std::to_array<TrtexecFlag>({
    {"accuracyAlgorithm", {11, 1}, {}, {}, Scope::kRun},
    {"accuracyThreshold", {11, 1}, {}, {}, Scope::kRun},
    {"adjustForDLA", k1016, {}, {}, Scope::kBuild},
    {"allocationStrategy", {10, 0}, {}, {}, Scope::kRun},
    {"allowGPUFallback", kBefore8, {}, {}, Scope::kBuild},
    {"allowWeightStreaming", {10, 0}, {}, {}, Scope::kBuild},
    {"asyncFileReader", {10, 7}, {}, {}, Scope::kRun},
    {"atol", {11, 1}, {}, {}, Scope::kRun},
    {"avgRuns", kBefore8, {}, {}, Scope::kRun},
    {"avgTiming", kBefore8, {}, {}, Scope::kBuild},
    {"batch", kBefore8, k86, k86, Scope::kRun},
    {"best", {7, 1}, k1016, k1016, Scope::kBuild},
    {"bf16", {9, 1}, k1016, k1016, Scope::kBuild},
    {"buildDLAStandalone", {8, 6}, {}, {}, Scope::kBuild},
    {"buildOnly", kBefore8, k93, k93, Scope::kBuild},
    {"builderOptimizationLevel", {8, 6}, {}, {}, Scope::kBuild},
    {"calib", kBefore8, k1016, k1016, Scope::kBuild},
    {"calibProfile", {9, 1}, k1016, k1016, Scope::kBuild},
    {"consistency", {8, 2}, {}, {}, Scope::kBoth},
    {"continue", {11, 1}, {}, {}, Scope::kBuild},
    {"cpuOnly", {10, 15}, {}, {}, Scope::kBuild},
    {"decomposableAttentions", {10, 14}, {}, {}, Scope::kBuild},
    {"deploy", kBefore8, k86, k86, Scope::kBuild},
    {"device", kBefore8, {}, {}, Scope::kBoth},
    {"directIO", {8, 2}, {}, {}, Scope::kBuild},
    {"distributiveIndependence", {10, 12}, {}, {}, Scope::kBuild},
    {"dryRun", {11, 1}, {}, {}, Scope::kBuild},
    {"dumpKernelText", {10, 13}, {}, {}, Scope::kBuild},
    {"dumpLayerInfo", {8, 2}, {}, {}, Scope::kBoth},
    {"dumpOptimizationProfile", {9, 1}, {}, {}, Scope::kRun},
    {"dumpOutput", kBefore8, {}, {}, Scope::kRun},
    {"dumpProfile", kBefore8, {}, {}, Scope::kRun},
    {"dumpRawBindingsToFile", {8, 6}, {}, {}, Scope::kRun},
    {"dumpRefit", {7, 2}, {}, {}, Scope::kBuild},
    {"duration", kBefore8, {}, {}, Scope::kRun},
    {"dynamicPlugins", {8, 6}, {}, {}, Scope::kBoth},
    {"enablePluginOverride", {10, 15}, {}, {}, Scope::kBuild},
    {"errorOnTimingCacheMiss", {9, 1}, {}, {}, Scope::kBuild},
    {"excludeLeanRuntime", {8, 6}, {}, {}, Scope::kBuild},
    {"explicitBatch", kBefore8, k93, k93, Scope::kBuild},
    {"explicitPrecision", {8, 0}, k93, k93, Scope::kBuild},
    {"exportLayerInfo", {8, 2}, {}, {}, Scope::kBoth},
    {"exportOutput", {7, 0}, {}, {}, Scope::kRun},
    {"exportProfile", kBefore8, {}, {}, Scope::kRun},
    {"exportTimes", kBefore8, {}, {}, Scope::kRun},
    {"exposeDMA", {7, 0}, {}, {}, Scope::kRun},
    {"fp16", kBefore8, k1016, k1016, Scope::kBuild},
    {"fp8", {8, 6}, k1016, k1016, Scope::kBuild},
    {"getPlanVersionOnly", {9, 1}, {}, {}, Scope::kBuild},
    {"hardwareCompatibilityLevel", {8, 6}, {}, {}, Scope::kBuild},
    {"help", kBefore8, {}, {}, Scope::kBoth},
    {"helpBuildRoute", {11, 1}, {}, {}, Scope::kBuild},
    {"heuristic", {8, 5}, k93, k93, Scope::kBuild},
    {"idleTime", {8, 2}, {}, {}, Scope::kRun},
    {"ignoreParsedPluginLibs", {8, 6}, {}, {}, Scope::kBoth},
    {"includeDataTransfers", {11, 0}, {}, {}, Scope::kRun},
    {"infStreams", {8, 6}, {}, {}, Scope::kRun},
    {"inputIOFormats", kBefore8, {}, {}, Scope::kBuild},
    {"int4", {10, 1}, k1016, k1016, Scope::kBuild},
    {"int8", kBefore8, k1016, k1016, Scope::kBuild},
    {"iterations", kBefore8, {}, {}, Scope::kRun},
    {"l2LimitForTiling", {10, 8}, {}, {}, Scope::kBuild},
    {"layerDeviceTypes", {8, 6}, {}, {}, Scope::kBuild},
    {"layerOutputTypes", {8, 4}, k1016, k1016, Scope::kBuild},
    {"layerPrecisions", {8, 4}, k1016, k1016, Scope::kBuild},
    {"leanDLLPath", {8, 6}, {}, {}, Scope::kBoth},
    {"loadEngine", kBefore8, {}, {}, Scope::kBuild},
    {"loadInputs", {7, 0}, {}, {}, Scope::kRun},
    {"loadRefOutputs", {11, 1}, {}, {}, Scope::kRun},
    {"markDebug", {10, 0}, {}, {}, Scope::kBuild},
    {"markUnfusedTensorsAsDebugTensors", {10, 12}, {}, {}, Scope::kBuild},
    {"maxAuxStreams", {8, 6}, {}, {}, Scope::kBuild},
    {"maxBatch", kBefore8, k86, k86, Scope::kBuild},
    {"maxShapes", kBefore8, {}, {}, Scope::kBuild},
    {"maxShapesCalib", {7, 1}, k1016, k1016, Scope::kBuild},
    {"maxTactics", {10, 4}, {}, {}, Scope::kBuild},
    {"memPoolSize", {8, 4}, {}, {}, Scope::kBuild},
    {"minShapes", kBefore8, {}, {}, Scope::kBuild},
    {"minShapesCalib", {7, 1}, k1016, k1016, Scope::kBuild},
    {"minTiming", kBefore8, k93, k93, Scope::kBuild},
    {"model", kBefore8, k86, k86, Scope::kBuild},
    {"monitorMemory", {10, 6}, {}, {}, Scope::kBuild},
    {"nativeInstanceNorm", {9, 1}, k93, k93, Scope::kBuild},
    {"ni", {9, 1}, k93, k93, Scope::kBuild},
    {"noBuilderCache", {7, 1}, {}, {}, Scope::kBuild},
    {"noCompilationCache", {9, 1}, {}, {}, Scope::kBuild},
    {"noCudaGraph", {11, 0}, {}, {}, Scope::kRun},
    {"noDataTransfers", {7, 2}, k1016, {}, Scope::kRun},
    {"noSpinWait", {11, 0}, {}, {}, Scope::kRun},
    {"noTF32", {7, 1}, {}, {}, Scope::kBuild},
    {"nvtxMode", {7, 1}, k93, k93, Scope::kBoth},
    {"onnx", kBefore8, {}, {}, Scope::kBuild},
    {"optShapes", kBefore8, {}, {}, Scope::kBuild},
    {"optShapesCalib", {7, 1}, k1016, k1016, Scope::kBuild},
    {"output", kBefore8, k86, k86, Scope::kBuild},
    {"outputIOFormats", kBefore8, {}, {}, Scope::kBuild},
    {"percentile", kBefore8, {}, {}, Scope::kRun},
    {"persistentCacheRatio", {8, 5}, {}, {}, Scope::kRun},
    {"pi", {10, 0}, {}, {}, Scope::kBuild},
    {"pluginInstanceNorm", {10, 0}, {}, {}, Scope::kBuild},
    {"plugins", kBefore8, {}, {}, Scope::kBoth},
    {"precisionConstraints", {8, 2}, k1016, k1016, Scope::kBuild},
    {"preview", {8, 5}, {}, {}, Scope::kBuild},
    {"profile", {9, 1}, {}, {}, Scope::kBuild},
    {"profilingVerbosity", {8, 2}, {}, {}, Scope::kBoth},
    {"refPair", {11, 1}, {}, {}, Scope::kRun},
    {"refit", {7, 2}, {}, {}, Scope::kBuild},
    {"refitFromOnnx", {10, 14}, {}, {}, Scope::kRun},
    {"remoteAutoTuningConfig", {10, 13}, {}, {}, Scope::kBuild},
    {"reportCapabilityDLA", k1016, {}, {}, Scope::kBuild},
    {"restricted", {8, 2}, k1016, k1016, Scope::kBuild},
    {"rtol", {11, 1}, {}, {}, Scope::kRun},
    {"runtimePlatform", {10, 2}, {}, {}, Scope::kBuild},
    {"safe", kBefore8, {}, {}, Scope::kBoth},
    {"safetyPlugins", {10, 13}, {}, {}, Scope::kBoth},
    {"saveAllDebugTensors", {10, 12}, {}, {}, Scope::kRun},
    {"saveAllEngines", {11, 1}, {}, {}, Scope::kBuild},
    {"saveDebugTensors", {10, 0}, {}, {}, Scope::kRun},
    {"saveEngine", kBefore8, {}, {}, Scope::kBuild},
    {"separateProfileRun", {7, 2}, k1016, {}, Scope::kRun},
    {"setBuildRoute", {11, 1}, {}, {}, Scope::kBuild},
    {"setPluginsToSerialize", {8, 6}, {}, {}, Scope::kBoth},
    {"shapes", kBefore8, {}, {}, Scope::kBoth},
    {"skipInference", {8, 6}, {}, {}, Scope::kBuild},
    {"sleepTime", kBefore8, {}, {}, Scope::kRun},
    {"sparsity", {8, 0}, {}, {}, Scope::kBuild},
    {"staticPlugins", {8, 6}, {}, {}, Scope::kBoth},
    {"streams", kBefore8, {}, {}, Scope::kRun},
    {"strictTypes", {8, 2}, k82, k82, Scope::kBuild},
    {"stripAllWeights", {10, 1}, {}, {}, Scope::kBuild},
    {"stripWeights", {10, 0}, {}, {}, Scope::kBuild},
    {"stronglyTyped", {9, 1}, k1016, {}, Scope::kBuild},
    {"tacticSources", {7, 2}, {}, {}, Scope::kBuild},
    {"tempdir", {8, 6}, {}, {}, Scope::kBoth},
    {"tempfileControls", {8, 6}, {}, {}, Scope::kBoth},
    {"threads", kBefore8, {}, {}, Scope::kRun},
    {"tilingOptimizationLevel", {10, 8}, {}, {}, Scope::kBuild},
    {"timeDeserialize", {8, 0}, {}, {}, Scope::kRun},
    {"timeRefit", {8, 0}, {}, {}, Scope::kRun},
    {"timingCacheFile", {8, 0}, {}, {}, Scope::kBuild},
    {"tuneBuildRouteFile", {11, 1}, {}, {}, Scope::kBuild},
    {"tuneBuildRoutes", {11, 1}, {}, {}, Scope::kBuild},
    {"tuningCacheFile", {11, 1}, {}, {}, Scope::kBuild},
    {"tuningResultFile", {11, 1}, {}, {}, Scope::kBuild},
    {"tuningSearch", {11, 1}, {}, {}, Scope::kBuild},
    {"tuningTimeOut", {11, 1}, {}, {}, Scope::kBuild},
    {"uff", kBefore8, k86, k86, Scope::kBuild},
    {"uffInput", kBefore8, k86, k86, Scope::kBuild},
    {"uffNHWC", kBefore8, k86, k86, Scope::kBuild},
    {"uint8AsymmetricQuantizationDLA", {10, 11}, {}, {}, Scope::kBuild},
    {"useCudaGraph", kBefore8, k1016, {}, Scope::kRun},
    {"useDLACore", kBefore8, {}, {}, Scope::kBoth},
    {"useManagedMemory", {8, 2}, {}, {}, Scope::kRun},
    {"useProfile", {9, 1}, {}, {}, Scope::kRun},
    {"useRuntime", {8, 6}, {}, {}, Scope::kBoth},
    {"useSpinWait", {7, 0}, k1016, {}, Scope::kRun},
    {"vc", {8, 6}, {}, {}, Scope::kBuild},
    {"verbose", kBefore8, {}, {}, Scope::kBoth},
    {"versionCompatible", {8, 6}, {}, {}, Scope::kBuild},
    {"warmUp", kBefore8, {}, {}, Scope::kRun},
    {"weightStreamingBudget", {10, 0}, {}, {}, Scope::kRun},
    {"weightless", k93, k1016, k1016, Scope::kBuild},
    {"workspace", kBefore8, k93, k93, Scope::kBuild},
});

// A number and what follows it.
std::optional<int> take_number(std::string_view& text) {
  int number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(parsed.ptr - text.data()));
  return number;
}

struct Parsed {
  TensorrtVersion version;
  bool has_minor = false;
};

std::optional<Parsed> take_version(std::string_view& text) {
  const auto major = take_number(text);
  if (!major) return std::nullopt;
  Parsed parsed{.version = {*major, 0}};
  if (text.size() > 1 && text[0] == '.') {
    std::string_view rest = text.substr(1);
    if (const auto minor = take_number(rest)) {
      parsed.version.minor = *minor;
      parsed.has_minor = true;
      text = rest;
    }
  }
  // Patch releases change no option.
  while (!text.empty() && (text[0] == '.' || (text[0] >= '0' && text[0] <= '9'))) {
    text.remove_prefix(1);
  }
  return parsed;
}

}  // namespace

TensorrtVersions parse_tensorrt_versions(std::string_view text) {
  constexpr int kAnyMinor = 1'000'000;
  const auto first = take_version(text);
  if (!first) return {};
  TensorrtVersions versions{.first = first->version};
  if (text.starts_with('+')) return versions;
  versions.last = first->version;
  if (!first->has_minor) versions.last->minor = kAnyMinor;
  for (const std::string_view dash : {"–", "-"}) {
    if (!text.starts_with(dash)) continue;
    text.remove_prefix(dash.size());
    if (const auto last = take_version(text)) {
      versions.last = last->version;
      if (!last->has_minor) versions.last->minor = kAnyMinor;
    }
    break;
  }
  return versions;
}

std::span<const TrtexecFlag> trtexec_flags() { return kFlags; }

const TrtexecFlag* find_flag(std::string_view name) {
  const auto flag = std::ranges::find(kFlags, name, &TrtexecFlag::name);
  return flag == kFlags.end() ? nullptr : &*flag;
}

bool has_effect(std::string_view name, const TensorrtVersions& versions) {
  const TrtexecFlag* flag = find_flag(name);
  if (flag == nullptr) return false;
  // Engines whose version is not known have layer files, which came with 8.2.
  const TensorrtVersion first = std::max(versions.first, TensorrtVersion{8, 2});
  if (versions.first > kBefore8 ? versions.first < flag->first : first < flag->first) return false;
  if (flag->last_accepted && (!versions.last || *versions.last > *flag->last_accepted)) {
    return false;
  }
  return !flag->last_effective || versions.first <= *flag->last_effective;
}

std::vector<std::string> split_command(std::string_view line) {
  constexpr std::string_view kBlank = " \t\r\n";
  std::vector<std::string> words;
  std::size_t first = line.find_first_not_of(kBlank);
  while (first != line.npos) {
    const std::size_t end = std::min(line.find_first_of(kBlank, first), line.size());
    words.emplace_back(line.substr(first, end - first));
    first = line.find_first_not_of(kBlank, end);
  }
  return words;
}

std::optional<std::string> option_value(std::span<const std::string> words, std::string_view name) {
  const std::string option = base::format("--{}", name);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == option) {
      return i + 1 < words.size() ? std::optional(words[i + 1]) : std::nullopt;
    }
    if (words[i].starts_with(option + "=")) return words[i].substr(option.size() + 1);
  }
  return std::nullopt;
}

}  // namespace planex::trtexec
