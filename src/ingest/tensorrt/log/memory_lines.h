// What the builder reports about an engine's memory: for each optimization profile, and for each
// version of the engine that it tries.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ingest/reader.h"

namespace planex::ingest::tensorrt {

class MemoryLines {
 public:
  // An [I] line with a sum: "Total Weights Memory: 6556288 bytes".
  bool take_sum(std::string_view text);
  // A verbose line about a layer: "Layer: X Host Persistent: 80 bytes Device Persistent: 0 bytes
  // …".
  bool take_layer(std::string_view text);
  // "Engine generation completed in 2.5 seconds.": a version of the engine is done.
  bool take_end(std::string_view text);
  // A verbose line about the choice between versions. With optimization level 5 the builder makes
  // several and keeps the fastest.
  bool take_choice(std::string_view text);

  std::size_t version_count() const { return done_count_; }

  // Fills engine.reported_* for the profile that is shown, and layers.scratch_bytes; adds rows to
  // the sections "build" and "scratch_bytes". Call when the layers and their profiles are known.
  void finish(const Artefact& artefact, model::ModelBuilder& builder);

 private:
  using Bytes = std::optional<std::int64_t>;
  struct Figures {
    Bytes host_persistent, device_persistent, scratch, activation;
    bool is_complete = false;
  };
  struct LayerMemory {
    std::string_view name;
    Bytes scratch;
  };
  struct Version {
    std::vector<Figures> profiles;
    Bytes weights;
    std::string_view generation_s;
    std::vector<LayerMemory> layers;

    bool has_any() const {
      return !profiles.empty() || weights || !generation_s.empty() || !layers.empty();
    }
  };
  static constexpr Bytes Figures::* kFields[] = {&Figures::activation, &Figures::scratch,
                                                 &Figures::host_persistent,
                                                 &Figures::device_persistent};

  Figures& figures();
  void close_version();
  // The version that became the engine. Figures that differ between versions are null if the log
  // does not say which one it was.
  Version kept_version(const Artefact& artefact, model::ModelBuilder& builder);
  Figures shown_figures(const Version& kept, const Artefact& artefact,
                        model::ModelBuilder& builder) const;
  void add_layers(const Version& kept, const Artefact& artefact,
                  model::ModelBuilder& builder) const;

  std::vector<Version> versions_;
  Version open_;
  bool choice_is_told_ = false;
  std::size_t done_count_ = 0;
};

}  // namespace planex::ingest::tensorrt
