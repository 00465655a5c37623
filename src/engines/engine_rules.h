// What engines fuse, quantize and convert, and under which conditions: one table, which
// explanations, lint rules, advice and placement read. docs/reference/engine-rules.md is written
// from it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace planex::engines {

// What a rule is about: each engine has at most one rule per condition.
enum class Condition : std::uint8_t {
  kQuantizedOutput,        // whether a convolution has to be followed by its quantizer
  kEqualTypes,             // whether it may read one 8-bit type and write the other
  kActivationBehind,       // whether an activation may be between it and its quantizer
  kNormalizationBehind,    // the same of a BatchNormalization
  kAdditionBehind,         // the same of an addition
  kOtherReaders,           // whether others than its quantizer may read what it writes
  kTransposedConvolution,  // whether a ConvTranspose runs quantized
  kSummands,               // when an addition runs quantized
  kProductOutput,          // whether a matrix product has to be followed by its quantizer
  kGemmOutput,             // the same of a Gemm
  kScaleRank,              // whether scales may be lists of one value
  kZeroPoint,              // which zero points there may be
  kFp8Products,            // whether products are computed in FP8
  kDynamicConvolution,     // ConvInteger after DynamicQuantizeLinear
  kDynamicProduct,         // MatMulInteger after DynamicQuantizeLinear
  kOperatorForm,           // operations such as QLinearConv
  kProductWeights,         // weights of matrix products, if only those are quantized
  kConvolutionWeights,     // the same of convolutions
  kWeightZeroPoint,        // whether weights may have a zero point
  kWrittenType,            // that it writes float whatever follows; no rule: as its quantizer asks
};

// How it is known.
enum class Proof : std::uint8_t {
  kBuilt,       // a test builds both sides with the engine (tests/drivers/test_engine_rules.py)
  kRecorded,    // seen in engines that were recorded elsewhere
  kDocumented,  // its maker says so
  kNotProven,
};

// Sentences without their full stop; clauses begin with a small letter.
struct EngineRule {
  std::string_view id;  // kebab-case, permanent
  std::string_view engine;
  std::string_view version;  // the version in which it was seen
  std::string_view device;   // what it applies to: "CPU", "GPU"
  Condition condition = Condition::kQuantizedOutput;
  std::string_view fuses;    // where the engine does it
  std::string_view stays;    // where it does not, and what runs there
  std::string_view because;  // a clause of a layer that stays: "it reads …"
  std::string_view cure;     // what to change in the model; empty: nothing can be done
  Proof proof = Proof::kNotProven;
  std::string_view source;
};

// By engine.
std::span<const EngineRule> engine_rules();
// Null if nothing is known. `engine` is a producer: "onnxruntime", "tensorrt-rtx".
const EngineRule* find_engine_rule(std::string_view engine, Condition condition);
const EngineRule* find_engine_rule(std::string_view id);

// Permanent words: "equal-types", "built".
std::string_view to_string(Condition condition);
std::string_view to_string(Proof proof);

}  // namespace planex::engines
