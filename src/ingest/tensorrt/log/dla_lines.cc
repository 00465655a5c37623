#include "ingest/tensorrt/log/dla_lines.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "ingest/tensorrt/dla_rows.h"
#include "ingest/tensorrt/log/log_numbers.h"
#include "ingest/tensorrt/source_names.h"

namespace planex::ingest::tensorrt {
namespace {

using base::format;
using model::LayerId;
using model::Severity;

constexpr std::string_view kDlaLayer = "[DlaLayer] ";
constexpr std::string_view kGpuLayer = "[GpuLayer] ";
constexpr std::string_view kOldFallback = "Default DLA is enabled but layer ";
constexpr std::string_view kUnsupported = "Unsupported on DLA";
// Printed by each build with a range of shapes, whether a DLA was requested or not.
constexpr std::string_view kDynamicShapes = "DLA requests all profiles have same min, max, and opt";
// A reason precedes the line on which its layer falls back.
constexpr std::size_t kMaxRemarks = 8;

bool cut_end(std::string_view& text, std::string_view end) {
  if (!text.ends_with(end)) return false;
  text.remove_suffix(end.size());
  return true;
}

// "RESIZE: /model.11/Resize" has a type in capitals before the name.
std::pair<std::string_view, std::string_view> type_and_name(std::string_view text) {
  const std::size_t colon = text.find(": ");
  if (colon == text.npos || colon == 0) return {{}, text};
  const std::string_view type = text.substr(0, colon);
  const bool is_type = std::ranges::all_of(
      type, [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; });
  return is_type ? std::pair(type, text.substr(colon + 2)) : std::pair(std::string_view(), text);
}

// Splits "{a,b}, {c}, " at its braces: names of TensorRT 7 contain none.
void split_parts(std::string_view text, std::vector<std::string_view>& parts) {
  std::size_t begin = text.find('{');
  while (begin != text.npos) {
    const std::size_t end = text.find("}, ", begin);
    const std::string_view part =
        end == text.npos ? base::trimmed(text.substr(begin)) : text.substr(begin, end + 1 - begin);
    parts.push_back(part.ends_with(',') ? part.substr(0, part.size() - 1) : part);
    begin = end == text.npos ? text.npos : text.find('{', end);
  }
}

}  // namespace

bool DlaLines::wants(std::string_view text) {
  switch (text.front()) {
    case '-':
      return text.starts_with("---------- Layers ");
    case '[':
      return text.starts_with(kDlaLayer) || text.starts_with(kGpuLayer);
    case 'N':
      return text.starts_with("No layer is running on ");
    default:
      return false;
  }
}

bool DlaLines::take_list(std::string_view text) {
  if (std::exchange(is_list_on_next_line_, false)) {
    if (list_ == List::kDla) {
      split_parts(text, parts_);
    } else {
      while (!(text = base::trimmed(text)).empty()) {
        const std::size_t comma = std::min(text.find(", "), text.size());
        std::string_view name = text.substr(0, comma);
        cut_end(name, ",");
        if (!name.empty()) gpu_layers_.push_back({.name = name, .type = {}});
        text.remove_prefix(std::min(comma + 2, text.size()));
      }
    }
    list_ = List::kNone;
    return true;
  }
  if (text.starts_with("----------")) {
    const std::size_t words = text.find_first_not_of('-');
    const std::string_view heading = words == text.npos ? std::string_view() : text.substr(words);
    const bool is_dla = base::contains_ignoring_case(heading, " layers running on dla");
    if (!is_dla && !base::contains_ignoring_case(heading, " layers running on gpu")) return false;
    // The lists of a later build belong to the engine that was made.
    if (is_dla) {
      parts_.clear();
      gpu_layers_.clear();
    }
    list_ = is_dla ? List::kDla : List::kGpu;
    is_list_on_next_line_ = base::trimmed(heading).ends_with(':');
    return true;
  }
  if (take_start(text, kDlaLayer)) {
    parts_.push_back(text);
    return true;
  }
  if (take_start(text, kGpuLayer)) {
    const auto [type, name] = type_and_name(text);
    gpu_layers_.push_back({name, type});
    return true;
  }
  return list_ != List::kNone && text.starts_with("No layer is running on ");
}

bool DlaLines::take_fallback(std::string_view text) {
  std::string_view rest = base::trimmed(text);
  if (take_start(rest, "Layer '")) {
    const std::size_t bracket = rest.rfind("): ");
    const std::size_t quote = bracket == rest.npos ? rest.npos : rest.rfind("' (", bracket);
    if (quote == rest.npos) return false;
    std::string_view reason = rest.substr(bracket + 3);
    if (!cut_end(reason, " Switching this layer's device type to GPU.")) return false;
    cut_end(reason, ".");
    add_fallback(rest.substr(0, quote), rest.substr(quote + 3, bracket - quote - 3),
                 reason == kUnsupported ? std::string_view() : reason);
    return true;
  }
  if (take_start(rest, kOldFallback)) {
    if (!cut_end(rest, " is not supported on DLA, falling back to GPU.") &&
        !cut_end(rest, " is not running on DLA, falling back to GPU.")) {
      return false;
    }
    add_fallback(rest, {}, {});
    return true;
  }
  if (take_start(rest, "Validation failed for DLA layer: ")) {
    if (!cut_end(rest, ". Switching to GPU fallback.")) return false;
    add_fallback(rest, {}, "the DLA's compiler refused it");
    return true;
  }
  // "DLA supports only 8 subgraphs per DLA core. Switching to GPU for layer conv_6"
  constexpr std::string_view kForLayer = ". Switching to GPU for layer ";
  if (const std::size_t at = rest.find(kForLayer); at != rest.npos && rest.starts_with("DLA ")) {
    std::string_view layer = rest.substr(at + kForLayer.size());
    add_fallback(layer, {}, rest.substr(0, at));
    return true;
  }
  // "DLA only supports FP16 and Int8 precision type. Switching conv device type to GPU."
  constexpr std::string_view kSwitching = ". Switching ";
  const std::size_t at = rest.find(kSwitching);
  if (at != rest.npos && rest.starts_with("DLA ")) {
    std::string_view layer = rest.substr(at + kSwitching.size());
    if (!cut_end(layer, " device type to GPU.")) return false;
    add_fallback(layer, {}, rest.substr(0, at));
    return true;
  }
  return false;
}

// A possible reason for a fallback that follows. Errors of this form don't end a build.
bool DlaLines::take_remark(const LogLine& line) {
  const std::string_view text = base::trimmed(line.text);
  const bool is_error =
      line.severity == LogSeverity::kError && text.ends_with(" not supported for DLA.");
  const bool is_warning = line.severity == LogSeverity::kWarning && text.find("DLA") != text.npos &&
                          (text.find(": ") != text.npos ||
                           base::contains_ignoring_case(text.substr(0, 10), "dla layer"));
  if (!is_error && !is_warning) return false;
  if (remarks_.size() == kMaxRemarks) {
    unclaimed_.push_back(remarks_.front());
    remarks_.erase(remarks_.begin());
  }
  remarks_.push_back(text);
  return true;
}

bool DlaLines::take(const LogLine& line) {
  const std::string_view text = line.text;
  if (text.empty()) {
    is_list_on_next_line_ = false;
    return false;
  }
  if (is_list_on_next_line_ || wants(text) || text.front() == '-') {
    if (line.severity != LogSeverity::kNone && take_list(text)) return true;
  }
  if (line.severity != LogSeverity::kWarning && line.severity != LogSeverity::kError &&
      line.severity != LogSeverity::kInfo) {
    return false;
  }
  switch (text.front()) {
    case 'L':
    case 'D':
    case 'V':
      if (text.starts_with(kDynamicShapes)) {
        is_dynamic_ = is_asked_for_;
        return is_dynamic_;
      }
      if (take_fallback(text)) {
        if (fallbacks_.size() == 1) first_fallback_offset_ = line.byte_offset;
        return true;
      }
      break;
    default:
      break;
  }
  return take_remark(line);
}

std::string DlaLines::reason_of(std::string_view layer) {
  for (std::size_t i = remarks_.size(); i-- > 0;) {
    const std::string_view text = remarks_[i];
    const std::size_t at = text.find(layer);
    if (at == text.npos) continue;
    const std::size_t end = at + layer.size();
    std::string reason;
    if (at == 0 && text.substr(end).starts_with(": ")) {
      reason = text.substr(end + 2);
    } else if (at > 0 && text[at - 1] == ' ' && end < text.size() && text[end] == ' ') {
      // "DLA Layer conv does not support …": the same wording for all layers.
      reason = format("{}{}", text.substr(0, at - 1), text.substr(end));
    } else {
      continue;
    }
    remarks_.erase(remarks_.begin() + static_cast<std::ptrdiff_t>(i));
    if (reason.ends_with('.')) reason.pop_back();
    return reason;
  }
  return {};
}

void DlaLines::add_fallback(std::string_view layer, std::string_view type,
                            std::string_view reason) {
  if (layer.empty()) return;
  std::string why = reason_of(layer);
  if (why.empty()) why = reason;
  const auto [found, is_new] = fallback_of_.try_emplace(layer, fallbacks_.size());
  if (is_new) {
    fallbacks_.push_back({.layer = layer, .type = type, .reason = std::move(why)});
    return;
  }
  Fallback& known = fallbacks_[found->second];
  if (known.type.empty()) known.type = type;
  if (known.reason.empty()) known.reason = std::move(why);
}

void DlaLines::add_layers(const Artefact& artefact, model::ModelBuilder& builder) const {
  model::PlanModel& model = builder.model();
  const std::string_view detail = model.text(model.engine.detail[0]);
  const bool has_rows = model.layers.row_count() > 0;
  // Names in a layer file or a list of the log have an order, which these lists lack.
  const bool are_profile_rows =
      detail == "names-only" && !model.strings.find("only-times").is_null();
  if (has_rows && !are_profile_rows) return;
  std::unordered_map<std::string_view, LayerId> layer_of;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    layer_of.emplace(model.text(model.layers.name[row]), LayerId(row));
  }
  const auto add = [&](std::string_view name, std::string_view type) {
    const auto known = layer_of.find(name);
    LayerId layer;
    if (known != layer_of.end()) {
      layer = known->second;
    } else {
      layer = builder.add_layer(builder.strings().intern(name, base::Lifetime::kBorrow));
      add_sources_of_name(layer, name, builder);
      layer_of.emplace(name, layer);
    }
    if (!type.empty()) set_dla_type(layer, type, builder);
  };
  for (const std::string_view part : parts_) add(part, kDlaPart);
  for (const GpuLayer& layer : gpu_layers_) add(layer.name, layer.type);
  if (model.engine.detail.is_null(0)) {
    model.engine.detail.set(0, builder.strings().intern("names-only"));
  }
  builder.add_diagnostic(
      {.code = "dla-lists-only",
       .severity = Severity::kInfo,
       .message = "the log lists the parts on the DLA, then the layers on the GPU, by name: their "
                  "execution order is unknown",
       .file = artefact.path});
}

void DlaLines::add_fallbacks(const Artefact& artefact, model::ModelBuilder& builder) {
  std::unordered_map<std::string_view, std::string_view> gpu_types;
  for (const GpuLayer& layer : gpu_layers_) gpu_types.emplace(layer.name, layer.type);
  for (Fallback& fallback : fallbacks_) {
    if (fallback.type.empty()) {
      const auto known = gpu_types.find(fallback.layer);
      if (known != gpu_types.end()) fallback.type = known->second;
    }
    builder.add_metadata("dla_fallbacks", fallback.layer, fallback.reason, artefact.path);
    if (!fallback.type.empty()) {
      builder.add_metadata("dla_fallback_types", fallback.layer, fallback.type, artefact.path);
    }
  }
  if (!fallbacks_.empty()) {
    const std::size_t count = fallbacks_.size();
    builder.add_diagnostic(
        {.code = "dla-fallback",
         .severity = Severity::kInfo,
         .message = format("{} of the model {} meant for the DLA but {} on the GPU",
                           base::counted(count, "layer"), count == 1 ? "was" : "were",
                           count == 1 ? "runs" : "run"),
         .file = artefact.path,
         .byte_offset = first_fallback_offset_});
  }
  if (is_dynamic_) {
    builder.add_diagnostic(
        {.code = "dla-dynamic-shapes",
         .message = "a DLA only runs fixed shapes, so all layers run on the GPU: give each input "
                    "equal --minShapes, --optShapes and --maxShapes",
         .file = artefact.path});
  }
}

void DlaLines::finish(const Artefact& artefact, model::ModelBuilder& builder) {
  unclaimed_.insert(unclaimed_.end(), remarks_.begin(), remarks_.end());
  if (!unclaimed_.empty()) {
    std::string words = format("the log says: {}", base::quoted(unclaimed_.front(), 600));
    if (unclaimed_.size() > 1) words += format(" (and {} more about a DLA)", unclaimed_.size() - 1);
    builder.add_diagnostic(
        {.code = "trt-warning", .message = std::move(words), .file = artefact.path});
  }
  if (has_layers()) add_layers(artefact, builder);
  add_fallbacks(artefact, builder);
}

}  // namespace planex::ingest::tensorrt
