#include "ingest/tensorrt/log/build_lines.h"

#include <algorithm>

#include "base/text.h"
#include "ingest/layer_join.h"
#include "ingest/tensorrt/log/log_numbers.h"

namespace planex::ingest::tensorrt {
namespace {

using base::format;

constexpr std::size_t kMostFacts = 200;  // real runs have about twenty; searched one by one

// "1x3x224x224" to numbers; nothing for anything else. "scalar" and "" have no dimensions.
std::optional<std::vector<std::int64_t>> dims_of(std::string_view text) {
  std::vector<std::int64_t> dims;
  if (text == "scalar") return dims;
  constexpr std::size_t kMostDims = 16;
  while (!text.empty()) {
    const std::size_t cross = std::min(text.find('x'), text.size());
    const auto dim = count_of(text.substr(0, cross));
    if (!dim || dims.size() == kMostDims) return std::nullopt;
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
  } else if (facts_.size() < kMostFacts) {
    facts_.emplace_back(key, value);
  }
}

void BuildLines::close_candidate() {
  if (!open_.has_any) return;
  candidates_.push_back(std::move(open_));
  open_ = {};
}

// "Total Weights Memory: 6556288 bytes"; TensorRT 8 leaves the unit out.
bool BuildLines::take_memory(std::string_view text) {
  struct MemoryLine {
    std::string_view start;
    std::optional<std::int64_t> Candidate::* field;
  };
  static constexpr std::array<MemoryLine, 6> kLines = {{
      {"Total Host Persistent Memory: ", &Candidate::host_persistent_bytes},
      {"Total Device Persistent Memory: ", &Candidate::device_persistent_bytes},
      {"Max Scratch Memory: ", &Candidate::scratch_bytes},
      {"Total Scratch Memory: ", &Candidate::scratch_bytes},
      {"Total Activation Memory: ", &Candidate::activation_bytes},
      {"Total Weights Memory: ", &Candidate::weight_bytes},
  }};
  for (const MemoryLine& entry : kLines) {
    if (!text.starts_with(entry.start)) continue;
    // The builder also tells how much it would like before it picks tactics: the last word counts.
    open_.*entry.field = count_of(number_word(text.substr(entry.start.size())));
    open_.has_any = true;
    return true;
  }
  return false;
}

// "Layer: X Host Persistent: 80 bytes Device Persistent: 0 bytes Scratch Memory: 512 bytes"
bool BuildLines::take_layer_memory(std::string_view text) {
  constexpr std::string_view kHost = " Host Persistent: ";
  if (!take_start(text, "Layer: ")) return false;
  const std::size_t at = text.rfind(kHost);  // a name may hold anything
  if (at == text.npos) return false;
  const std::string_view figures = text.substr(at);
  open_.layers.push_back({.name = text.substr(0, at),
                          .host = count_of(word_after(figures, kHost)),
                          .device = count_of(word_after(figures, " Device Persistent: ")),
                          .scratch = count_of(word_after(figures, " Scratch Memory: "))});
  open_.has_any = true;
  return true;
}

bool BuildLines::take_time(std::string_view text) {
  if (take_start(text, "Engine generation completed in ")) {
    open_.generation_s = number_word(text);
    open_.has_any = true;
    close_candidate();
    ++generations_;
    return true;
  }
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
  // These come once for each attempt or block.
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
      if (bindings_.size() < kMostFacts) {
        bindings_.emplace_back(rest.substr(0, to), std::string(rest.substr(to + kTo.size())));
      }
      return true;
    }
    const auto index = count_of(number_word(rest.substr(profile + kProfile.size())));
    if (index && shapes_.size() < kMostFacts) {
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
    } else if (bindings_.size() < kMostFacts) {
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
    if (!source_model_.empty()) next_engine_begins_ = generations_ > 0;
    source_model_.clear();
  }
  if (!in_header_) return false;
  const std::size_t colon = text.find(':');
  constexpr std::size_t kMostKeys = 64;
  if (colon == text.npos || source_model_.size() >= kMostKeys) return false;
  source_model_.emplace_back(text.substr(0, colon), base::trimmed(text.substr(colon + 1)));
  return true;
}

bool BuildLines::take_bare(const LogLine& line) { return take_source_model(line.text); }

bool BuildLines::take(const LogLine& line) {
  std::string_view text = line.text;
  if (line.severity == LogSeverity::kVerbose) {
    // Only TensorRT-RTX builds without a device, for devices that are named.
    if (text.starts_with(" (foreignNode) Using legacy CPU-only") ||
        text.starts_with("Number of target compute capabilities")) {
      is_rtx_ = true;
      return true;
    }
    if (text.starts_with("Use backend strategy")) {
      choice_is_told_ = true;
      return true;
    }
    if (text.starts_with("Skip backend strategy")) {
      // The attempt before was not faster than the one that is kept.
      choice_is_told_ = true;
      close_candidate();
      if (candidates_.size() > 1) candidates_.pop_back();
      return true;
    }
    return take_layer_memory(text) || take_time(text);
  }
  if (line.severity != LogSeverity::kInfo) return false;
  if (take_start(text, "TensorRT version: ")) {
    version_ = base::trimmed(text);
    return true;
  }
  if (text.starts_with("Start parsing") || text.starts_with("Compiler backend is used")) {
    has_begun_ = true;
  }
  if (text.starts_with("[MemUsageChange] Init builder kernel library")) {
    has_begun_ = true;
    if (generations_ > 0) next_engine_begins_ = true;
  }
  return take_memory(text) || take_time(text) || take_size(text) || take_binding(text) ||
         take_source_model(text);
}

BuildLines::Candidate BuildLines::kept_candidate(const Artefact& artefact,
                                                 model::ModelBuilder& builder) {
  close_candidate();
  if (candidates_.empty()) return {};
  Candidate kept = candidates_.back();
  if (candidates_.size() == 1 || generations_ < 2 || choice_is_told_) return kept;
  bool differ = false;
  const auto blank_if_different = [&](std::optional<std::int64_t> Candidate::* field) {
    for (const Candidate& other : candidates_) {
      if (other.*field == kept.*field) continue;
      differ = true;
      kept.*field = std::nullopt;
      return;
    }
  };
  blank_if_different(&Candidate::host_persistent_bytes);
  blank_if_different(&Candidate::device_persistent_bytes);
  blank_if_different(&Candidate::scratch_bytes);
  blank_if_different(&Candidate::activation_bytes);
  blank_if_different(&Candidate::weight_bytes);
  if (differ) {
    kept.generation_s = {};
    kept.layers.clear();
    builder.add_diagnostic(
        {.code = "several-candidates",
         .severity = model::Severity::kInfo,
         .message = format("the builder made {} versions of the engine and the log does not say "
                           "which one it kept, so that its memory is not known; --verbose tells",
                           candidates_.size()),
         .file = artefact.path});
  }
  return kept;
}

// A block's memory is reported under the block's name, which its layers need not have.
void BuildLines::add_layer_memory(const Candidate& kept, const Artefact& artefact,
                                  model::ModelBuilder& builder) const {
  model::LayersTable& layers = builder.model().layers;
  LayerJoin join(builder.model());
  for (const Candidate::LayerMemory& memory : kept.layers) {
    const model::LayerId layer = join.next(memory.name);
    if (!layer.is_null()) {
      if (layers.scratch_bytes.is_null(layer.index())) {
        layers.scratch_bytes.set(layer.index(), memory.scratch);
      }
    } else if (memory.scratch.value_or(0) > 0) {
      builder.add_metadata("scratch_bytes", memory.name, format("{}", *memory.scratch),
                           artefact.path);
    }
  }
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
  const Candidate kept = kept_candidate(artefact, builder);
  model::EngineTable& engine = builder.model().engine;
  const auto report = [](model::Int& column, std::optional<std::int64_t> bytes) {
    if (bytes && column.is_null(0)) column.set(0, *bytes);
  };
  report(engine.reported_weight_bytes, kept.weight_bytes);
  report(engine.reported_activation_bytes, kept.activation_bytes);
  report(engine.reported_scratch_bytes, kept.scratch_bytes);

  const auto add = [&](std::string_view key, std::string_view value) {
    if (!value.empty()) builder.add_metadata("build", key, value, artefact.path);
  };
  const auto add_bytes = [&](std::string_view key, std::optional<std::int64_t> bytes) {
    if (bytes) add(key, format("{}", *bytes));
  };
  const auto add_sum = [&](std::string_view key, double seconds) {
    if (seconds > 0) add(key, format("{:.6g}", seconds));
  };
  add_bytes("weight_bytes", kept.weight_bytes);
  add_bytes("activation_bytes", kept.activation_bytes);
  add_bytes("max_scratch_bytes", kept.scratch_bytes);
  add_bytes("host_persistent_bytes", kept.host_persistent_bytes);
  add_bytes("device_persistent_bytes", kept.device_persistent_bytes);
  add_sum("graph_construction_s", construction_s_);
  add_sum("graph_optimization_s", optimization_s_);
  add_sum("subgraph_compilation_s", compilation_s_);
  add_sum("tactic_selection_s", tactics_s_);
  add("engine_generation_s", kept.generation_s);
  for (const auto& [key, value] : facts_) add(key, value);
  if (generations_ > 1) add("candidates", format("{}", generations_));
  for (const auto& [key, value] : source_model_) {
    builder.add_metadata("source model", key, value, artefact.path);
  }
  for (const auto& [name, dims] : bindings_) {
    builder.add_metadata("binding_shapes", name, dims, artefact.path);
  }
  add_layer_memory(kept, artefact, builder);
  add_profiles(builder);
  return builder.model().metadata.row_count() - rows_before;
}

}  // namespace planex::ingest::tensorrt
