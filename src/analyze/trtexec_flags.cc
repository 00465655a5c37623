#include "analyze/trtexec_flags.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/text.h"

namespace planex::analyze {
namespace {

constexpr TensorrtVersion kBefore8 = {0, 0};
constexpr TensorrtVersion k93 = {9, 3}, k1016 = {10, 16};

// The defaults turned round in 11.0: what these switched on is on, and they are accepted without
// effect. `explicitBatch` was needed for ONNX before 8.0 only, and is gone after 9.3.
constexpr std::array<TrtexecFlag, 25> kFlags = {{
    {"buildOnly", kBefore8, k93, k93},
    {"duration", kBefore8, {}, {}},
    {"explicitBatch", kBefore8, k93, k93},
    {"exportLayerInfo", {8, 2}, {}, {}},
    {"exportProfile", kBefore8, {}, {}},
    {"exportTimes", kBefore8, {}, {}},
    {"includeDataTransfers", {11, 0}, {}, {}},
    {"infStreams", {8, 6}, {}, {}},
    {"loadEngine", kBefore8, {}, {}},
    {"memPoolSize", {8, 4}, {}, {}},
    {"noCudaGraph", {11, 0}, {}, {}},
    {"noDataTransfers", {7, 2}, k1016, {}},
    {"noSpinWait", {11, 0}, {}, {}},
    {"onnx", kBefore8, {}, {}},
    {"profilingVerbosity", {8, 2}, {}, {}},
    {"saveEngine", kBefore8, {}, {}},
    {"separateProfileRun", {7, 2}, k1016, {}},
    {"shapes", kBefore8, {}, {}},
    {"skipInference", {8, 6}, {}, {}},
    {"streams", kBefore8, {}, {}},
    {"stronglyTyped", {9, 1}, k1016, {}},
    {"useCudaGraph", kBefore8, k1016, {}},
    {"useProfile", {9, 1}, {}, {}},
    {"useSpinWait", {7, 0}, k1016, {}},
    {"warmUp", kBefore8, {}, {}},
}};

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
  // Patches change no option.
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

bool has_effect(std::string_view name, const TensorrtVersions& versions) {
  const auto flag = std::ranges::find(kFlags, name, &TrtexecFlag::name);
  if (flag == kFlags.end()) return false;
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

}  // namespace planex::analyze
