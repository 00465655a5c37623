// What a build reports about a DLA: which parts of the network run on it, which layers on the GPU,
// and which were meant for it but fell back, with the reason.
//
//   /model.24/Pow: DLA cores do not support POW ElementWise operation.
//   Layer '/model.24/Pow' (ELEMENTWISE): Unsupported on DLA. Switching this layer's device type …
//   Default DLA is enabled but layer conv is not supported on DLA, falling back to GPU.  (to 8.2)
//   ---------- Layers Running on DLA ----------
//   [DlaLayer] {ForeignNode[Conv_0...Concat_198]}
//   ---------- Layers Running on GPU ----------
//   [GpuLayer] RESIZE: Resize_200                                          (to 8.2 without a type)
//   --------------- Layers running on DLA:                                 (to 7.2)
//   {conv1,relu1}, {conv5},
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ingest/reader.h"
#include "ingest/tensorrt/log/log_lines.h"

namespace planex::ingest::tensorrt {

class DlaLines {
 public:
  // `is_asked_for`: the command has --useDLACore. All builds of TensorRT 8 list their layers, with
  // none on a DLA, and print what a DLA would need.
  explicit DlaLines(bool is_asked_for) : is_asked_for_(is_asked_for) {}

  // Whether take() may consume a verbose line that begins like this.
  static bool wants(std::string_view text);
  // Consumes a line if it is of this kind, and returns whether it did.
  bool take(const LogLine& line);

  // The engine is built for a DLA and its layers are known by name.
  bool has_layers() const { return is_about_dla() && !(parts_.empty() && gpu_layers_.empty()); }

  // If no file lists the layers of the engine, adds those that the profile lacks; its rows keep
  // their order. Sections "dla_fallbacks" and "dla_fallback_types" of the metadata get the layers
  // that fell back. Call after the last line and after the profile.
  void finish(const Artefact& artefact, model::ModelBuilder& builder);

 private:
  struct Fallback {
    std::string_view layer, type;
    std::string reason;
  };
  struct GpuLayer {
    std::string_view name, type;
  };
  enum class List : std::uint8_t { kNone, kDla, kGpu };

  bool is_about_dla() const {
    return is_asked_for_ || !parts_.empty() || !fallbacks_.empty() || is_dynamic_;
  }
  bool take_list(std::string_view text);
  bool take_fallback(std::string_view text);
  bool take_remark(const LogLine& line);
  void add_fallback(std::string_view layer, std::string_view type, std::string_view reason);
  std::string reason_of(std::string_view layer);
  void add_layers(const Artefact& artefact, model::ModelBuilder& builder) const;
  void add_fallbacks(const Artefact& artefact, model::ModelBuilder& builder);

  bool is_asked_for_ = false;
  bool is_dynamic_ = false;
  List list_ = List::kNone;
  bool is_list_on_next_line_ = false;
  std::vector<std::string_view> parts_;
  std::vector<GpuLayer> gpu_layers_;
  std::vector<Fallback> fallbacks_;
  std::unordered_map<std::string_view, std::size_t> fallback_of_;
  // Reasons whose layers have not been named yet, the latest last.
  std::vector<std::string_view> remarks_;
  std::vector<std::string_view> unclaimed_;
  std::uint64_t first_fallback_offset_ = 0;
};

}  // namespace planex::ingest::tensorrt
