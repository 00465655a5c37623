#include "analyze/compare/settings.h"

#include <algorithm>
#include <cstddef>

namespace planex::analyze {
namespace {

struct EngineKey {
  std::string_view key, label;
};
// As planex's own drivers write them.
constexpr EngineKey kEngineKeys[] = {
    {"threads", "threads"},
    {"streams", "streams"},
    {"precision", "precision asked for"},
    {"precision_used", "precision"},
    {"isa_limit", "instruction set limit"},
};

std::string_view engine_fact(const model::PlanModel& model, std::string_view key) {
  for (std::size_t row = 0; row < model.metadata.row_count(); ++row) {
    if (model.text(model.metadata.section[row]) == "engine" &&
        model.text(model.metadata.key[row]) == key) {
      return model.text(model.metadata.value[row]);
    }
  }
  return {};
}

// Engines of which hardly anything is known have too few layers to conclude that they differ.
constexpr std::size_t kMinLayers = 5;
// Share of the smaller engine's layers: with names or sources in common, and by shape and order
// alone, where half of any two convolutional networks can be similar.
constexpr double kUnrelatedShare = 0.3, kUnrelatedByShape = 0.5;

}  // namespace

std::vector<SettingDifference> setting_differences(const model::PlanModel& a,
                                                   const model::PlanModel& b) {
  std::vector<SettingDifference> differences;
  if (a.engine.row_count() == 0 || b.engine.row_count() == 0) return differences;
  const auto add = [&](std::string_view key, std::string_view label, std::string of_a,
                       std::string of_b) {
    if (of_a.empty() || of_b.empty() || of_a == of_b) return;
    differences.push_back({.key = key, .label = label, .a = std::move(of_a), .b = std::move(of_b)});
  };
  const auto device = [](const model::PlanModel& model) {
    return std::string(model.text(model.engine.device[0]));
  };
  const auto batch = [](const model::PlanModel& model) {
    const auto size = model.engine.batch_size.get(0);
    return size ? std::to_string(*size) : std::string();
  };
  add("device", "device", device(a), device(b));
  add("batch", "batch", batch(a), batch(b));
  for (const EngineKey& fact : kEngineKeys) {
    add(fact.key, fact.label, std::string(engine_fact(a, fact.key)),
        std::string(engine_fact(b, fact.key)));
  }
  return differences;
}

std::optional<UnmetPrecision> unmet_precision(const model::PlanModel& model) {
  const UnmetPrecision precision{.asked = engine_fact(model, "precision"),
                                 .used = engine_fact(model, "precision_used")};
  if (precision.asked.empty() || precision.used.empty()) return std::nullopt;
  if (precision.asked == precision.used) return std::nullopt;
  return precision;
}

bool are_unrelated(const Alignment& alignment) {
  std::size_t in_a = 0, in_b = 0;
  // A layer that resembles something in the other engine is not foreign, even where it is open what
  // it matches.
  std::size_t matched_a = alignment.undecided_a, matched_b = alignment.undecided_b;
  bool has_evidence = false;
  for (const Match& match : alignment.matches) {
    in_a += match.a.size();
    in_b += match.b.size();
    if (match.by == MatchBy::kUnmatched) continue;
    matched_a += match.a.size();
    matched_b += match.b.size();
    has_evidence = has_evidence || match.by == MatchBy::kSource || match.by == MatchBy::kName;
  }
  if (std::min(in_a, in_b) < kMinLayers) return false;
  const double share = in_a < in_b ? static_cast<double>(matched_a) / static_cast<double>(in_a)
                                   : static_cast<double>(matched_b) / static_cast<double>(in_b);
  return share < (has_evidence ? kUnrelatedShare : kUnrelatedByShape);
}

}  // namespace planex::analyze
