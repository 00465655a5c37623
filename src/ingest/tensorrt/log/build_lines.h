// What the builder and the runtime report about an engine: memory, phases and their times, sizes,
// the source model.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/reader.h"
#include "ingest/tensorrt/log/log_lines.h"
#include "ingest/tensorrt/log/memory_lines.h"

namespace planex::ingest::tensorrt {

class BuildLines {
 public:
  // Consumes [I] and verbose lines, whichever program wrote them.
  bool take(const LogLine& line);
  // The source model's header in the form of TensorRT 7, without prefixes.
  bool take_bare(const LogLine& line);

  // From "TensorRT version: 8.6.1", or the line of TensorRT-RTX; empty if there is none.
  const std::string& version() const { return version_; }
  bool is_rtx() const { return is_rtx_; }
  // An engine was built, or loaded.
  bool has_engine() const { return memory_.version_count() > 0 || has_engine_; }
  // The builder or the parser has started.
  bool has_begun() const { return has_begun_; }

  // Fills the same as MemoryLines::finish, `profiles` if it is empty, and the sections "build",
  // "source model" and "binding_shapes". Returns the number of rows added.
  std::size_t finish(const Artefact& artefact, model::ModelBuilder& builder);

 private:
  struct ShapeLine {
    std::string_view binding;
    std::int64_t profile = 0;
    std::array<std::string_view, 3> dims;  // min, opt, max
  };

  bool take_time(std::string_view text);
  bool take_size(std::string_view text);
  bool take_binding(std::string_view text);
  bool take_source_model(std::string_view text);
  bool take_version(std::string_view text);
  void set(std::string_view key, std::string_view value);
  void add_profiles(model::ModelBuilder& builder) const;

  MemoryLines memory_;
  std::vector<std::pair<std::string_view, std::string_view>> facts_;  // for section "build"
  double construction_s_ = 0, optimization_s_ = 0, compilation_s_ = 0, tactics_s_ = 0;
  std::vector<std::pair<std::string_view, std::string_view>> source_model_;
  std::vector<std::pair<std::string_view, std::string>> bindings_;
  std::vector<ShapeLine> shapes_;
  std::string version_;
  bool in_header_ = false;
  bool has_engine_ = false;
  bool has_begun_ = false;
  bool is_rtx_ = false;
};

}  // namespace planex::ingest::tensorrt
