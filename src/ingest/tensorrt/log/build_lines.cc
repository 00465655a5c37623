#include "ingest/tensorrt/log/build_lines.h"

#include <algorithm>

#include "base/text.h"
#include "ingest/tensorrt/log/log_banner.h"
#include "ingest/tensorrt/log/log_numbers.h"

namespace planex::ingest::tensorrt {
namespace {

using base::format;

constexpr std::size_t kMaxFacts = 200;  // real runs have about twenty; searched linearly

// "1x3x224x224" to numbers; nothing for anything else. "scalar" and "" have no dimensions.
std::optional<std::vector<std::int64_t>> dims_of(std::string_view text) {
  std::vector<std::int64_t> dims;
  if (text == "scalar") return dims;
  constexpr std::size_t kMaxDims = 16;
  while (!text.empty()) {
    const std::size_t cross = std::min(text.find('x'), text.size());
    const auto dim = count_of(text.substr(0, cross));
    if (!dim || dims.size() == kMaxDims) return std::nullopt;
    dims.push_back(*dim);
    text.remove_prefix(std::min(cross + 1, text.size()));
  }
  return dims;
}

}  // namespace

void BuildLines::set(std::string_view key, std::string_view value) {
  if (value.empty()) return;
  const auto found = std::ranges::find(facts_, key, [](const auto& fact) { return fact.first; });
  if (found != facts_.end()) {
    found->second = value;
  } else if (facts_.size() < kMaxFacts) {
    facts_.emplace_back(key, value);
  }
}

bool BuildLines::take_time(std::string_view text) {
  if (memory_.take_end(text)) return true;
  struct TimeLine {
    std::string_view start, key;
  };
  static constexpr std::array<TimeLine, 5> kLines = {{
      {"Engine built in ", "engine_build_s"},
      {"Engine loaded in ", "engine_load_s"},
      {"Engine deserialized in ", "engine_deserialize_s"},
      {"Finished parsing network model. Parse time: ", "parse_s"},
      {"Finish parsing network model. Parse time: ", "parse_s"},
  }};
  for (const TimeLine& entry : kLines) {
    std::string_view rest = text;
    if (!take_start(rest, entry.start)) continue;
    has_engine_ = has_engine_ || entry.key != "parse_s";
    set(entry.key, number_word(rest));
    return true;
  }
  // These occur once for each attempt or block.
  struct SumLine {
    std::string_view start;
    double BuildLines::* sum;
  };
  static constexpr std::array<SumLine, 5> kSums = {{
      {"Graph construction completed in ", &BuildLines::construction_s_},
      {"Graph construction and optimization completed in ", &BuildLines::construction_s_},
      {"Graph optimization time: ", &BuildLines::optimization_s_},
      {"Subgraph compilation completed in ", &BuildLines::compilation_s_},
      {"Formats and tactics selection completed in ", &BuildLines::tactics_s_},
  }};
  for (const SumLine& entry : kSums) {
    std::string_view rest = text;
    if (!take_start(rest, entry.start)) continue;
    this->*entry.sum += real_of(number_word(rest)).value_or(0);
    return true;
  }
  return false;
}

bool BuildLines::take_size(std::string_view text) {
  struct SizeLine {
    std::string_view start, key;
  };
  static constexpr std::array<SizeLine, 4> kLines = {{
      {"Created engine with size: ", "created_engine_mib"},
      {"Loaded engine with size: ", "loaded_engine_mib"},
      {"Loaded engine size: ", "loaded_engine_mib"},
      {"Created execution context with device memory size: ", "execution_context_mib"},
  }};
  for (const SizeLine& entry : kLines) {
    std::string_view rest = text;
    if (!take_start(rest, entry.start)) continue;
    has_engine_ = true;
    // trtexec's own line has decimals, the library's has none.
    const bool is_coarse = text.starts_with("Loaded engine size: ");
    const bool known =
        std::ranges::any_of(facts_, [&](const auto& fact) { return fact.first == entry.key; });
    if (!is_coarse || !known) set(entry.key, number_word(rest));
    return true;
  }
  if (text.starts_with("[MemUsageStats] Peak memory usage of TRT CPU/GPU memory allocators: ")) {
    set("peak_cpu_mib", word_after(text, ": CPU "));
    set("peak_gpu_mib", word_after(text, ", GPU "));
    return true;
  }
  if (text.starts_with("Detected ") && text.find(" network tensors") != text.npos) {
    has_begun_ = true;
    set("inputs", word_after(text, "Detected "));
    set("outputs", word_after(text, " and "));
    return true;
  }
  return false;
}

bool BuildLines::take_binding(std::string_view text) {
  std::string_view rest = text;
  if (take_start(rest, "Set shape of input tensor ")) {
    constexpr std::string_view kProfile = " for optimization profile ", kTo = " to: ";
    const std::size_t to = rest.rfind(kTo);
    const std::size_t profile = rest.rfind(kProfile, to);
    if (to == rest.npos) return false;
    if (profile == rest.npos) {
      if (bindings_.size() < kMaxFacts) {
        bindings_.emplace_back(rest.substr(0, to), std::string(rest.substr(to + kTo.size())));
      }
      return true;
    }
    const auto index = count_of(number_word(rest.substr(profile + kProfile.size())));
    if (index && shapes_.size() < kMaxFacts) {
      shapes_.push_back(
          {.binding = rest.substr(0, profile),
           .profile = *index,
           .dims = {word_after(rest, "MIN="), word_after(rest, "OPT="), word_after(rest, "MAX=")}});
    }
    return true;
  }
  // "Created input binding for x with dimensions 4x1" and "Input binding for x with dimensions 4x1
  // is created."
  for (const std::string_view start : {"Created input binding for ", "Created output binding for ",
                                       "Input binding for ", "Output binding for "}) {
    rest = text;
    if (!take_start(rest, start)) continue;
    constexpr std::string_view kWith = " with dimensions ";
    const std::size_t with = rest.rfind(kWith);
    if (with == rest.npos) return false;
    const std::string_view name = rest.substr(0, with);
    const std::string_view dims = number_word(rest.substr(with + kWith.size()));
    const auto known = std::ranges::find(bindings_, name, [](const auto& b) { return b.first; });
    if (known != bindings_.end()) {
      known->second = dims;
    } else if (bindings_.size() < kMaxFacts) {
      bindings_.emplace_back(name, std::string(dims));
    }
    return true;
  }
  return false;
}

// Between two lines of dashes: "Input filename:   model.onnx".
bool BuildLines::take_source_model(std::string_view text) {
  constexpr std::string_view kFirst = "Input filename:";
  if (text.starts_with("--------------------")) {
    const bool is_end = in_header_;
    in_header_ = false;
    return is_end || source_model_.empty();
  }
  if (text.starts_with(kFirst)) {
    in_header_ = true;
    has_begun_ = true;
    source_model_.clear();
  }
  if (!in_header_) return false;
  const std::size_t colon = text.find(':');
  constexpr std::size_t kMaxKeys = 64;
  if (colon == text.npos || source_model_.size() >= kMaxKeys) return false;
  source_model_.emplace_back(text.substr(0, colon), base::trimmed(text.substr(colon + 1)));
  return true;
}

bool BuildLines::take_version(std::string_view text) {
  struct VersionLine {
    std::string_view start;
    bool is_rtx;
  };
  static constexpr std::array<VersionLine, 3> kLines = {{{"TensorRT version: ", false},
                                                         {"TensorRT-RTX version: ", true},
                                                         {"TensorRT RTX version: ", true}}};
  for (const VersionLine& entry : kLines) {
    std::string_view rest = text;
    if (!take_start(rest, entry.start)) continue;
    const std::string_view word = number_word(base::trimmed(rest));
    if (word.empty() || word.front() < '0' || word.front() > '9') return false;
    // Up to 8.2 trtexec prints the library's own number, "8003" for 8.0.3.
    const std::string spelled = banner_version(word);
    version_ = spelled.empty() ? std::string(word) : spelled;
    is_rtx_ = is_rtx_ || entry.is_rtx;
    return true;
  }
  return false;
}

bool BuildLines::take_bare(const LogLine& line) {
  return take_version(line.text) || take_source_model(line.text);
}

bool BuildLines::take(const LogLine& line) {
  std::string_view text = line.text;
  if (line.severity == LogSeverity::kVerbose) {
    // Only TensorRT-RTX builds without a device, for the devices named.
    if (text.starts_with(" (foreignNode) Using legacy CPU-only") ||
        text.starts_with("Number of target compute capabilities")) {
      is_rtx_ = true;
      return true;
    }
    return memory_.take_choice(text) || memory_.take_layer(text) || take_time(text);
  }
  if (line.severity != LogSeverity::kInfo) return false;
  if (take_version(text)) return true;
  if (text.starts_with("Start parsing") || text.starts_with("Compiler backend is used") ||
      text.starts_with("[MemUsageChange] Init builder kernel library")) {
    has_begun_ = true;
  }
  return memory_.take_sum(text) || take_time(text) || take_size(text) || take_binding(text) ||
         take_source_model(text);
}

void BuildLines::add_profiles(model::ModelBuilder& builder) const {
  if (builder.model().profiles.row_count() > 0) return;
  for (const ShapeLine& shape : shapes_) {
    std::array<std::optional<std::vector<std::int64_t>>, 3> dims;
    for (std::size_t i = 0; i < dims.size(); ++i) dims[i] = dims_of(shape.dims[i]);
    const auto span = [&](std::size_t i) {
      return dims[i] ? std::optional<std::span<const std::int64_t>>(*dims[i]) : std::nullopt;
    };
    builder.add_profile({.profile_index = shape.profile,
                         .binding = shape.binding,
                         .min_dims = span(0),
                         .opt_dims = span(1),
                         .max_dims = span(2),
                         .raw_format = {}});
  }
}

std::size_t BuildLines::finish(const Artefact& artefact, model::ModelBuilder& builder) {
  const std::size_t rows_before = builder.model().metadata.row_count();
  memory_.finish(artefact, builder);
  const auto add = [&](std::string_view key, std::string_view value) {
    if (!value.empty()) builder.add_metadata("build", key, value, artefact.path);
  };
  const auto add_sum = [&](std::string_view key, double seconds) {
    if (seconds > 0) add(key, format("{:.6g}", seconds));
  };
  add_sum("graph_construction_s", construction_s_);
  add_sum("graph_optimization_s", optimization_s_);
  add_sum("subgraph_compilation_s", compilation_s_);
  add_sum("tactic_selection_s", tactics_s_);
  for (const auto& [key, value] : facts_) add(key, value);
  for (const auto& [key, value] : source_model_) {
    builder.add_metadata("source model", key, value, artefact.path);
  }
  for (const auto& [name, dims] : bindings_) {
    builder.add_metadata("binding_shapes", name, dims, artefact.path);
  }
  add_profiles(builder);
  return builder.model().metadata.row_count() - rows_before;
}

}  // namespace planex::ingest::tensorrt
