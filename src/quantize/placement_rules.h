// The rules by which Q/DQ are placed: one row each, shown by `planex explain placement`.
#ifndef PLANEX_QUANTIZE_PLACEMENT_RULES_H_
#define PLANEX_QUANTIZE_PLACEMENT_RULES_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace planex::quantize {

enum class Target : std::uint8_t { kTensorrt, kTensorrtRtx, kOpenvino };
std::string_view to_string(Target target);  // "tensorrt", "tensorrt-rtx", "openvino"
std::optional<Target> target_of(std::string_view name);

enum class Stance : std::uint8_t {
  kNo,       // the target gains nothing, or refuses
  kYes,      // always
  kNeutral,  // neither helps nor harms: done where another rule asks for it
  kMeasured  // only where measuring says so: a candidate, never applied by itself
};
std::string_view to_string(Stance stance);  // "no", "yes", "neutral", "measured"

// Sentences without their full stop.
struct PlacementRule {
  std::string_view id;         // kebab-case, for ever
  std::string_view condition;  // where it holds
  std::string_view edit;       // what is done there
  Stance tensorrt = Stance::kYes, tensorrt_rtx = Stance::kYes, openvino = Stance::kYes;
  std::string_view versions;  // where a target's versions differ; empty: they don't
  std::string_view why;
  std::string_view source;  // who says so: measurement, document, issue
};

// In the order in which the planner asks for them.
std::span<const PlacementRule> placement_rules();
// Null where no rule has that id.
const PlacementRule* find_placement_rule(std::string_view id);
Stance stance(const PlacementRule& rule, Target target);

}  // namespace planex::quantize

#endif  // PLANEX_QUANTIZE_PLACEMENT_RULES_H_
