// What a build says of a DLA: which parts of the network run on it, which layers on the GPU, and
// which were meant for it and fell back, with the reason.
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
  // none on a DLA, and say what a DLA would need.
  explicit DlaLines(bool is_asked_for) : is_asked_for_(is_asked_for) {}

  // Whether take() could want a verbose line that begins so.
  static bool wants(std::string_view text);
  // Takes a line if it is of this kind, and says whether it was.
  bool take(const LogLine& line);

  // Layers are known by name, of an engine that is built for a DLA.
  bool has_layers() const { return is_about_dla() && !(parts_.empty() && gpu_layers_.empty()); }

  // Where no file lists the layers of the engine, adds those that the profile lacks; its rows keep
  // their order. Sections "dla_fallbacks" and "dla_fallback_types" of the metadata get the layers
  // that fell back. After the last line, and after the profile.
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
  // Reasons that the layers they are about have yet to follow, the latest last.
  std::vector<std::string_view> remarks_;
  std::vector<std::string_view> unclaimed_;
  std::uint64_t first_fallback_offset_ = 0;
};

}  // namespace planex::ingest::tensorrt
