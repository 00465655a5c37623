#include "ingest/tensorrt/log/accuracy_lines.h"

#include <algorithm>

#include "base/text.h"
#include "ingest/tensorrt/log/log_numbers.h"

namespace planex::ingest::tensorrt {
namespace {

using base::format;

constexpr std::string_view kWeightsOf = "Weights [name=";
// Lines between the informative ones.
constexpr std::string_view kWeightsHint =
    "If this is not the desired behavior, please modify the weights";
constexpr std::string_view kWeightsList = "Check verbose logs for the list of affected weights";
constexpr std::string_view kAnyChange = "weights-changed";

// For "Missing scale and zero-point for tensor X, expect fall back to non-int8 …".
std::string_view tensor_without_scale(std::string_view text) {
  constexpr std::string_view kFor = " for tensor ";
  const std::size_t at = text.find(kFor);
  const std::size_t end = text.rfind(", expect fall back");
  if (at == text.npos || end == text.npos || end < at + kFor.size()) return {};
  return text.substr(at + kFor.size(), end - at - kFor.size());
}

}  // namespace

bool AccuracyLines::wants(std::string_view text) {
  return text.starts_with(kWeightsOf) || text.starts_with(" - ") || text.starts_with("- ");
}

AccuracyLines::Warning& AccuracyLines::warning_of(const trtexec::KnownMessage& known,
                                                  const LogLine& line) {
  const auto found = std::ranges::find_if(
      warnings_, [&](const Warning& warning) { return warning.known->code == known.code; });
  if (found != warnings_.end()) return *found;
  Warning& warning = warnings_.emplace_back();
  warning.known = &known;
  warning.text = base::trimmed(line.text);
  warning.byte_offset = line.byte_offset;
  return warning;
}

void AccuracyLines::add_name(Warning& warning, std::string_view name) {
  name = base::trimmed(name);
  if (!name.empty() && warning.seen.insert(name).second) warning.names.push_back(name);
}

bool AccuracyLines::take(const LogLine& line) {
  const bool is_verbose = line.severity == LogSeverity::kVerbose;
  if (line.severity != LogSeverity::kWarning && !is_verbose) return false;
  const std::string_view text = line.text;
  if (text.empty()) return false;
  if (text.starts_with(kWeightsOf)) {
    std::string_view name = text.substr(kWeightsOf.size());
    const std::size_t end = name.find("] had the following issues");
    if (end == name.npos) return false;
    name = name.substr(0, end);
    // "Conv_31 + Relu_33.weight": a layer, and its weight or bias.
    for (const std::string_view part : {".weight", ".bias"}) {
      if (name.ends_with(part)) name.remove_suffix(part.size());
    }
    weights_of_ = name;
    is_in_weights_ = true;
    return true;
  }
  if (is_verbose) {
    if (!is_in_weights_ || !text.starts_with(" - ")) {
      is_in_weights_ = false;
      return false;
    }
  } else if (text.starts_with(kWeightsHint) || text.starts_with(kWeightsList)) {
    return true;
  }
  const trtexec::KnownMessage* known = trtexec::find_accuracy_warning(text);
  if (known == nullptr && is_in_weights_ && text.starts_with(" - ")) {
    known = trtexec::accuracy_warning_of(kAnyChange);
  }
  if (known == nullptr) {
    is_in_weights_ = false;
    return false;
  }
  Warning& warning = warning_of(*known, line);
  is_in_weights_ = is_in_weights_ && text.starts_with(" - ");
  if (is_in_weights_) add_name(warning, weights_of_);
  // "- 131 weights are affected by this issue: …"
  std::string_view rest = base::trimmed(text);
  if (take_start(rest, "- ")) {
    const auto count = count_of(number_word(rest));
    if (count) warning.weight_count = std::max(warning.weight_count.value_or(0), *count);
  }
  if (known->code == "int8-scale-missing") add_name(warning, tensor_without_scale(text));
  constexpr std::string_view kNodes = "nodes in FP16: ";
  if (std::size_t at = text.find(kNodes); at != text.npos) {
    std::string_view names = text.substr(at + kNodes.size());
    while (!names.empty()) {
      const std::size_t comma = std::min(names.find(", "), names.size());
      add_name(warning, names.substr(0, comma));
      names.remove_prefix(std::min(comma + 2, names.size()));
    }
  }
  return true;
}

void AccuracyLines::add_diagnostics(const Artefact& artefact, model::ModelBuilder& builder) const {
  const bool is_specific = std::ranges::any_of(warnings_, [](const Warning& warning) {
    return warning.known->code.starts_with("weights-") && warning.known->code != kAnyChange;
  });
  for (const Warning& warning : warnings_) {
    const trtexec::KnownMessage& known = *warning.known;
    // It precedes the lines that say which ones change.
    const bool is_heading =
        known.code == kAnyChange && !warning.weight_count && warning.names.empty() && is_specific;
    if (is_heading) continue;
    std::string words(known.cause);
    if (warning.weight_count) {
      words +=
          format(" ({})", base::counted(static_cast<std::size_t>(*warning.weight_count), "weight"));
    }
    if (!known.cure.empty()) words += format("; {}", known.cure);
    words += format(": {}", base::quoted(warning.text, 300));
    builder.add_diagnostic({.code = known.code,
                            .message = std::move(words),
                            .file = artefact.path,
                            .byte_offset = warning.byte_offset});
    if (warning.weight_count) {
      builder.add_metadata("accuracy_warning_weights", known.code,
                           format("{}", *warning.weight_count), artefact.path);
    }
    for (const std::string_view name : warning.names) {
      builder.add_metadata("accuracy_warnings", known.code, name, artefact.path);
    }
  }
}

}  // namespace planex::ingest::tensorrt
