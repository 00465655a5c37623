// Why an INT8 engine is slower than expected: what the model asks to quantize, what runs quantized,
// what fell back and why, and what the conversions between cost.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analyze/timing/totals.h"
#include "engines/engine_rules.h"
#include "graph/data_flow.h"

namespace planex::analyze {

struct ReformatExplanation;

// How the model asks for quantization.
enum class QuantizationForm : std::uint8_t {
  kNone,        // nothing shows that it does
  kPairs,       // QuantizeLinear and DequantizeLinear around operations (QDQ), or FakeQuantize
  kOperators,   // operations of their own (QOperator): QLinearConv, QLinearMatMul
  kDynamic,     // scales are computed in each inference: DynamicQuantizeLinear, ConvInteger
  kCalibrated,  // the model is float, and the builder chose what to quantize (implicit INT8)
  kWeights,     // only weights are stored in a quantized type
};

// Where the form is known from.
enum class QuantizationEvidence : std::uint8_t {
  kNone,
  kModel,    // the source model's operations
  kSources,  // operations, or their names, that layers stem from
  kTypes,    // types of the engine's tensors
};

// What a convolution or matrix product does with it.
enum class QuantizedRun : std::uint8_t {
  kQuantized,    // reads and writes a quantized type
  kWritesFloat,  // computes in a quantized type and writes float
  kWeightsOnly,  // computes in float, with weights stored in a quantized type
  kFloat,
  kUnknown,  // its types are not known
};
inline constexpr std::size_t kQuantizedRuns = 5;

// Whether the model asks for this layer to be quantized.
enum class Requested : std::uint8_t { kYes, kNo, kUnknown };

// Why a layer that the model asks to quantize does not read and write a quantized type.
enum class FallbackReason : std::uint8_t {
  kNone,             // it does, or the model does not ask for it
  kEngineRule,       // a rule of the engine prevents it: QuantizationRow::rule
  kWeightsExpanded,  // only its weights are quantized, and converted to float in each inference
  kOperatorForm,     // the engine turns QOperator operations into float ones
  kDynamicScale,     // the scale is only known in the inference
  kFloatWeights,     // its weights are not quantized
  kFloatInput,       // its input is written in float and not quantized in between
  kDequantized,      // it reads a tensor that a conversion dequantized
  kFloatResidual,    // it adds a float tensor, so it writes float
  kFloatPool,        // the pooling after it runs in float
  kFloatReader,      // its reader needs float
  kOutput,           // it writes the engine's output, or only operations without quantization
                     // follow
  kFloatKernel,      // it reads the quantized value, and its kernel computes in float
  // Its reader quantizes in the same pass, as TensorRT-RTX's generated kernels do.
  kQuantizedBehind,
  kBuilderChose,  // implicit INT8: the builder's tactic was float
  kUnknown,
};

struct QuantizationRow {
  model::LayerId layer;
  QuantizedRun run = QuantizedRun::kFloat;
  Requested requested = Requested::kUnknown;
  FallbackReason reason = FallbackReason::kNone;
  // Static; null for other reasons. Where the files do not show the rule's condition, it is likely
  // but not certain.
  const engines::EngineRule* rule = nullptr;
  bool is_likely = false;
  // The types of its quantized input and of its quantizer's output, where they are the reason.
  model::DType read_type = model::DType::kNull, written_type = model::DType::kNull;
  // The layer that the reason is about; null where it is about no layer.
  model::LayerId cause_layer;
  // Converts its quantized weights to float in each inference; null where no layer does.
  model::LayerId weight_kernel;
  // Of its first data input, first output and constants; kNull where not known.
  model::DType input = model::DType::kNull, output = model::DType::kNull,
               weights = model::DType::kNull;
  std::optional<double> time_ms, share;
  // Conversions between float and quantized types beside it, and weights that are converted to
  // float in each inference. A conversion is counted at the first layer that it is next to.
  std::size_t conversion_count = 0;
  std::optional<double> conversion_ms;
};

// Conclusions from all of it, the most important first.
enum class QuantizationVerdict : std::uint8_t {
  kNotAsked,   // nothing is quantized, and nothing shows that it should be
  kUndone,     // the model asks for it, and nothing runs quantized
  kPartly,     // some of what the model asks for runs in float
  kExpanded,   // only weights are quantized, and kernels convert them to float in each inference
  kConverts,   // all of it runs quantized, and conversions take kManyConversions or more
  kQuantized,  // all of it runs quantized
  kUnknown,    // what runs quantized is not known, as types are not
};
inline constexpr double kManyConversions = 0.1;

struct QuantizationExplanation {
  TimeBasis basis = TimeBasis::kNone;
  std::optional<double> layers_ms;
  QuantizationForm form = QuantizationForm::kNone;
  QuantizationEvidence evidence = QuantizationEvidence::kNone;
  // Whether the files record the type of anything that a layer reads or writes.
  bool types_known = false;
  // Quantizers that appear in the names of layers and of their sources, including those of weights.
  std::size_t named_quantizer_count = 0;
  // Operations of the source model; null where it is not known.
  std::optional<std::int64_t> quantizer_count, dequantizer_count, operator_count, dynamic_count;
  QuantizationVerdict verdict = QuantizationVerdict::kNotAsked;
  // Convolutions and matrix products: matrix is the sum over by_run, and over requested,
  // not_requested and unknown.
  LayerTotals matrix, requested, not_requested, unknown;
  std::array<LayerTotals, kQuantizedRuns> by_run;
  LayerTotals fell_back;       // requested, and run in float or with only weights quantized
  LayerTotals weight_kernels;  // that convert quantized weights to float in each inference
  // Layers that only quantize, dequantize, or do both, by their types or else their names; all =
  // avoidable + others.
  LayerTotals conversions, avoidable_conversions;
  LayerTotals quantizers, dequantizers, round_trips;
  // Convolutions and matrix products, in execution order.
  std::vector<QuantizationRow> rows;
};

// Units:  ms per inference.
// Errors: none; what is not known is null or unknown.
// Cost:   that of explain_reformats(), and O(operations · log).
QuantizationExplanation explain_quantization(const model::PlanModel& model,
                                             const Reconciliation& time);
// The same where the result of explain_reformats() is available.
QuantizationExplanation explain_quantization(const model::PlanModel& model,
                                             const Reconciliation& time,
                                             const ReformatExplanation& reformats);

// Layers that run in float, or write it, for one reason.
struct FallbackGroup {
  std::vector<const QuantizationRow*> rows;  // by time including the conversions next to it,
                                             // descending
};

// In float first, then by count: writing float only costs less. Points into `explanation`.
std::vector<FallbackGroup> fallback_groups(const QuantizationExplanation& explanation);

// Stable words for JSON and CSV: "pairs", "writes-float", "engine-rule", "partly".
std::string_view to_string(QuantizationForm form);
std::string_view to_string(QuantizationEvidence evidence);
std::string_view to_string(QuantizedRun run);
std::string_view to_string(Requested requested);
std::string_view to_string(FallbackReason reason);
std::string_view to_string(QuantizationVerdict verdict);

}  // namespace planex::analyze
