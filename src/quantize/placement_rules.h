// The rules by which Q/DQ are placed: one row each, shown by `planex explain placement`.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace planex::quantize {

enum class Target : std::uint8_t { kTensorrt, kTensorrtRtx, kOpenvino, kOnnxruntime };
// "tensorrt", "tensorrt-rtx", "openvino", "onnxruntime".
std::string_view to_string(Target target);
std::optional<Target> target_of(std::string_view name);

// What a quantized tensor is made of.
enum class NumberFormat : std::uint8_t {
  kInt8,  // weights and activations; uint8 where the target benefits
  kFp8,   // E4M3, weights and activations
  kInt4   // only weights, in blocks
};
std::string_view to_string(NumberFormat format);  // "int8", "fp8", "int4"
std::optional<NumberFormat> number_format_of(std::string_view name);
// All of them, in the order of their numbers.
std::span<const NumberFormat> number_formats();

enum class Stance : std::uint8_t {
  kNo,       // the target gains nothing, or rejects it
  kYes,      // always
  kNeutral,  // neither helps nor harms: applied where another rule asks for it
  kMeasured  // only where a measurement says so: a candidate, never applied by itself
};
std::string_view to_string(Stance stance);  // "no", "yes", "neutral", "measured"

// What a rule is about.
struct RuleFormats {
  bool int8 = true, fp8 = true, int4 = false;
};
bool is_for(const RuleFormats& formats, NumberFormat format);

// Sentences without their full stop.
struct PlacementRule {
  std::string_view id;         // kebab-case, permanent
  std::string_view condition;  // where it applies
  std::string_view edit;       // what is done there
  Stance tensorrt = Stance::kYes, tensorrt_rtx = Stance::kYes, openvino = Stance::kYes,
         onnxruntime = Stance::kYes;
  RuleFormats formats = {};
  std::string_view versions;  // where versions of the target differ; empty: they don't
  std::string_view why;
  // The source: a measurement, document, issue, or rows of engines/engine_rules.h by their ids.
  std::string_view source;
};

// In the order in which the planner asks for them.
std::span<const PlacementRule> placement_rules();
// Null where no rule has this id.
const PlacementRule* find_placement_rule(std::string_view id);
Stance stance(const PlacementRule& rule, Target target);
// The ids of its formats.
std::vector<std::string_view> formats_of(const PlacementRule& rule);

// OpenVINO and ONNX Runtime do not support FP8 on a CPU: they read such a file, but compute it in
// float.
bool takes(Target target, NumberFormat format);

// Block sizes of INT4 weights that a target accepts, ascending; each scale covers this many values
// that are summed up. Whether it also accepts one scale per channel.
std::span<const int> block_sizes(Target target);
bool takes_channel_blocks(Target target);

}  // namespace planex::quantize
