// What the builder and the runtime report of an engine: memory, phases and their times, sizes, the
// source model.
#ifndef PLANEX_INGEST_TENSORRT_LOG_BUILD_LINES_H_
#define PLANEX_INGEST_TENSORRT_LOG_BUILD_LINES_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/reader.h"
#include "ingest/tensorrt/log/log_lines.h"

namespace planex::ingest::tensorrt {

class BuildLines {
 public:
  // Takes [I] and verbose lines, whoever says them.
  bool take(const LogLine& line);
  // The source model's header as TensorRT 7 printed it, without prefixes.
  bool take_bare(const LogLine& line);

  // From "TensorRT version: 8.6.1"; empty where there is none.
  std::string_view version() const { return version_; }
  bool is_rtx() const { return is_rtx_; }
  // An engine was built, or loaded.
  bool has_engine() const { return generations_ > 0 || has_engine_; }
  // The builder or the parser began.
  bool has_begun() const { return has_begun_; }
  // Another engine begins in the same log, without a banner between.
  bool next_engine_begins() const { return next_engine_begins_; }

  // Fills engine.reported_*, layers.scratch_bytes, `profiles` where it is empty, and the sections
  // "build", "source model", "binding_shapes" and "scratch_bytes". Returns the rows added.
  std::size_t finish(const Artefact& artefact, model::ModelBuilder& builder);

 private:
  // Figures of one attempt at the engine. With optimisation level 5 the builder makes several and
  // keeps the fastest.
  struct Candidate {
    std::optional<std::int64_t> host_persistent_bytes, device_persistent_bytes, scratch_bytes,
        activation_bytes, weight_bytes;
    std::string_view generation_s;
    struct LayerMemory {
      std::string_view name;
      std::optional<std::int64_t> host, device, scratch;
    };
    std::vector<LayerMemory> layers;
    bool has_any = false;
  };
  struct ShapeLine {
    std::string_view binding;
    std::int64_t profile = 0;
    std::array<std::string_view, 3> dims;  // min, opt, max
  };

  bool take_memory(std::string_view text);
  bool take_layer_memory(std::string_view text);
  bool take_time(std::string_view text);
  bool take_size(std::string_view text);
  bool take_binding(std::string_view text);
  bool take_source_model(std::string_view text);
  void set(std::string_view key, std::string_view value);
  // Closes the open candidate, if it has anything.
  void close_candidate();
  // The attempt that became the engine. Figures on which the attempts differ are null where the log
  // does not tell which one it was.
  Candidate kept_candidate(const Artefact& artefact, model::ModelBuilder& builder);
  void add_layer_memory(const Candidate& kept, const Artefact& artefact,
                        model::ModelBuilder& builder) const;
  void add_profiles(model::ModelBuilder& builder) const;

  std::vector<Candidate> candidates_;
  Candidate open_;
  bool choice_is_told_ = false;
  std::size_t generations_ = 0;

  std::vector<std::pair<std::string_view, std::string_view>> facts_;  // of section "build"
  double construction_s_ = 0, optimization_s_ = 0, compilation_s_ = 0, tactics_s_ = 0;
  std::vector<std::pair<std::string_view, std::string_view>> source_model_;
  std::vector<std::pair<std::string_view, std::string>> bindings_;
  std::vector<ShapeLine> shapes_;
  std::string_view version_;
  bool in_header_ = false;
  bool has_engine_ = false;
  bool has_begun_ = false;
  bool is_rtx_ = false;
  bool next_engine_begins_ = false;
};

}  // namespace planex::ingest::tensorrt

#endif  // PLANEX_INGEST_TENSORRT_LOG_BUILD_LINES_H_
