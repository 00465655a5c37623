#include "ingest/tensorrt/log/memory_lines.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "ingest/layer_join.h"
#include "ingest/tensorrt/log/log_numbers.h"

namespace planex::ingest::tensorrt {

using base::format;

// Figures of the profile that the log is currently about.
MemoryLines::Figures& MemoryLines::figures() {
  return open_.profiles.empty() ? open_.profiles.emplace_back() : open_.profiles.back();
}

// The builder processes one profile after another and prints the same sums for each, host memory
// first and activations last. TensorRT 8 omits the unit.
bool MemoryLines::take_sum(std::string_view text) {
  if (take_start(text, "Total Weights Memory: ")) {
    open_.weights = count_of(number_word(text));
    return true;
  }
  if (take_start(text, "Total Activation Memory: ")) {
    // Before it picks tactics, TensorRT 8 also prints how much it would like: that comes before the
    // other sums, of this profile or of the next.
    Figures& of_profile = figures();
    if (of_profile.is_complete) return true;
    of_profile.activation = count_of(number_word(text));
    of_profile.is_complete = of_profile.host_persistent.has_value();
    return true;
  }
  struct SumLine {
    std::string_view start;
    Bytes Figures::* field;
  };
  static constexpr std::array<SumLine, 4> kLines = {{
      {"Total Host Persistent Memory: ", &Figures::host_persistent},
      {"Total Device Persistent Memory: ", &Figures::device_persistent},
      {"Max Scratch Memory: ", &Figures::scratch},
      {"Total Scratch Memory: ", &Figures::scratch},
  }};
  for (const SumLine& entry : kLines) {
    if (!take_start(text, entry.start)) continue;
    if (entry.field == &Figures::host_persistent && figures().host_persistent) {
      open_.profiles.emplace_back();
    }
    figures().*entry.field = count_of(number_word(text));
    return true;
  }
  return false;
}

// A name can contain anything.
bool MemoryLines::take_layer(std::string_view text) {
  constexpr std::string_view kHost = " Host Persistent: ";
  if (!take_start(text, "Layer: ")) return false;
  const std::size_t at = text.rfind(kHost);
  if (at == text.npos) return false;
  open_.layers.push_back({.name = text.substr(0, at),
                          .scratch = count_of(word_after(text.substr(at), " Scratch Memory: "))});
  return true;
}

bool MemoryLines::take_end(std::string_view text) {
  if (!take_start(text, "Engine generation completed in ")) return false;
  open_.generation_s = number_word(text);
  close_version();
  ++done_count_;
  return true;
}

bool MemoryLines::take_choice(std::string_view text) {
  if (text.starts_with("Use backend strategy")) {
    choice_is_told_ = true;
    return true;
  }
  if (!text.starts_with("Skip backend strategy")) return false;
  // The version before was not faster than the kept one.
  choice_is_told_ = true;
  close_version();
  if (versions_.size() > 1) versions_.pop_back();
  return true;
}

void MemoryLines::close_version() {
  if (!open_.has_any()) return;
  versions_.push_back(std::move(open_));
  open_ = {};
}

MemoryLines::Version MemoryLines::kept_version(const Artefact& artefact,
                                               model::ModelBuilder& builder) {
  close_version();
  if (versions_.empty()) return {};
  Version kept = versions_.back();
  if (versions_.size() == 1 || done_count_ < 2 || choice_is_told_) return kept;
  bool differ = false;
  const auto keep_if_same = [&](Bytes& bytes, const Bytes& other) {
    if (bytes == other) return;
    differ = true;
    bytes.reset();
  };
  for (const Version& other : versions_) {
    keep_if_same(kept.weights, other.weights);
    for (std::size_t i = 0; i < kept.profiles.size(); ++i) {
      const Figures& others = i < other.profiles.size() ? other.profiles[i] : Figures();
      for (const auto field : kFields) keep_if_same(kept.profiles[i].*field, others.*field);
    }
  }
  if (!differ) return kept;
  kept.generation_s = {};
  kept.layers.clear();
  builder.add_diagnostic(
      {.code = "several-candidates",
       .severity = model::Severity::kInfo,
       .message = format("the builder made {} versions of the engine and the log does not say "
                         "which one it kept, so its memory is unknown; --verbose shows it",
                         versions_.size()),
       .file = artefact.path});
  return kept;
}

MemoryLines::Figures MemoryLines::shown_figures(const Version& kept, const Artefact& artefact,
                                                model::ModelBuilder& builder) const {
  if (kept.profiles.empty()) return {};
  const model::EngineTable& engine = builder.model().engine;
  const auto told = static_cast<std::int64_t>(kept.profiles.size());
  const std::int64_t count = engine.profile_count.get(0).value_or(told);
  const std::int64_t shown = engine.profile_index.get(0).value_or(0);
  if (told == count && shown >= 0 && shown < told) {
    return kept.profiles[static_cast<std::size_t>(shown)];
  }
  // A value common to all applies to the one that is shown.
  Figures same = kept.profiles.front();
  for (const Figures& other : kept.profiles) {
    for (const auto field : kFields) {
      if (told < count || same.*field != other.*field) same.*field = std::nullopt;
    }
  }
  builder.add_diagnostic(
      {.code = "memory-unknown",
       .message =
           format("the log records the memory of {} but the engine has {}: it is unknown which "
                  "figures belong to profile {}",
                  base::counted(kept.profiles.size(), "optimization profile"), count, shown),
       .file = artefact.path});
  return same;
}

// A block's memory is reported under the block's name, which its layers need not have.
void MemoryLines::add_layers(const Version& kept, const Artefact& artefact,
                             model::ModelBuilder& builder) const {
  model::LayersTable& layers = builder.model().layers;
  LayerJoin join(builder.model());
  for (const LayerMemory& memory : kept.layers) {
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

void MemoryLines::finish(const Artefact& artefact, model::ModelBuilder& builder) {
  const Version kept = kept_version(artefact, builder);
  const Figures shown = shown_figures(kept, artefact, builder);
  model::EngineTable& engine = builder.model().engine;
  const auto report = [](model::Int& column, const Bytes& bytes) {
    if (bytes && column.is_null(0)) column.set(0, *bytes);
  };
  report(engine.reported_weight_bytes, kept.weights);
  report(engine.reported_activation_bytes, shown.activation);
  report(engine.reported_scratch_bytes, shown.scratch);

  const auto add = [&](std::string_view key, const Bytes& bytes) {
    if (bytes) builder.add_metadata("build", key, format("{}", *bytes), artefact.path);
  };
  constexpr std::array<std::string_view, std::size(kFields)> kKeys = {
      "activation_bytes", "max_scratch_bytes", "host_persistent_bytes", "device_persistent_bytes"};
  add("weight_bytes", kept.weights);
  for (std::size_t i = 0; i < kKeys.size(); ++i) add(kKeys[i], shown.*kFields[i]);
  for (std::size_t profile = 0; kept.profiles.size() > 1 && profile < kept.profiles.size();
       ++profile) {
    for (std::size_t i = 0; i < kKeys.size(); ++i) {
      add(format("{} [profile {}]", kKeys[i], profile), kept.profiles[profile].*kFields[i]);
    }
  }
  if (!kept.generation_s.empty()) {
    builder.add_metadata("build", "engine_generation_s", kept.generation_s, artefact.path);
  }
  if (done_count_ > 1) add("candidates", static_cast<std::int64_t>(done_count_));
  add_layers(kept, artefact, builder);
}

}  // namespace planex::ingest::tensorrt
