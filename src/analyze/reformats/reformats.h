// Why an engine converts: for each layer that only changes type or layout, which ends disagree,
// what it costs, whether it can be avoided and by whom, and what avoiding it saves.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyze/timing/totals.h"
#include "graph/data_flow.h"
#include "model/judgements.h"

namespace planex::analyze {

enum class ConversionKind : std::uint8_t {
  kQuantize,    // float to a quantized type
  kDequantize,  // a quantized type to float
  kRoundTrip,   // quantizes and dequantizes: both ends are float
  kCast,        // any other change of type
  kLayout,      // the same type in another layout, or with other strides
  kCopy,        // both ends are the same, as far as the engine records
  kUnknown,     // the types are not known
};
inline constexpr std::size_t kConversionKinds = 7;

using model::ChangedBy;
using model::ReformatVerdict;

// Certainty of the verdict. High: seen to disappear in engines of both kinds. Medium: the rule is
// known, the case was not measured. Low: a possibility.
enum class Confidence : std::uint8_t { kHigh, kMedium, kLow };

// Why it exists, and so what would remove it. `because` of a row is the layer named here.
enum class ReformatReason : std::uint8_t {
  // The model can avoid it.
  kWriterCouldQuantize,  // a quantized matrix layer writes float before a quantizer
  kAddCouldQuantize,     // an addition or the like between quantized layers runs in float
  kBeforePool,           // a pooling between quantized layers runs in float
  kReaderCouldRead,      // a quantized matrix layer reads a float residual
  kShared,               // an earlier conversion of the same tensor produces the same
  kRoundTrip,            // nothing reads the quantized value: what follows runs in float
  kWeightsAtRunTime,     // weights are dequantized in every inference
  kFloatConvolution,     // TensorRT-RTX runs the convolution after it in float
  // The caller can avoid it.
  kBindInput,        // the input could be bound as the engine needs it
  kQuantizedInput,   // the caller could quantize the input
  kBindOutput,       // the output could be bound as the engine writes it
  kQuantizedOutput,  // the caller could dequantize the output
  // Needed.
  kKernelChoice,   // two kernels want two layouts, and the builder timed them with it
  kReaderInFloat,  // its reader has to compute in float
  // Unclear.
  kModelCasts,         // the model itself casts here
  kFloatWriter,        // the layer before it computes in float
  kWriterKeepsFloat,   // a quantized layer before it that is not a matrix product writes float
  kFloatReader,        // the layer after it computes in float
  kFloatPrecisions,    // the neighbours compute in two float types
  kLayoutOfNeighbour,  // a layer next to it uses another layout
  kChannels,           // the channels do not fill the vectors of the layout
  kEdgeLayout,         // at the engine's edge, in a layout that can't be bound
  kCopies,             // moves a part of a tensor, or into a part of one
  kTypesUnknown,       // the file does not contain enough information
};

// A layer at the other end of a chain of conversions, and the port where it writes or reads.
struct Neighbour {
  model::LayerId layer;
  graph::PortRow port = 0;
};

inline constexpr std::size_t kMaxNeighbours = 8;
inline constexpr std::size_t kMaxAdvisedTensors = 4;

struct ReformatRow {
  model::LayerId layer;
  ConversionKind kind = ConversionKind::kUnknown;
  // Its first data input and output: rows of `ports`. Null where it has none: a kernel that
  // converts weights has no input.
  std::optional<graph::PortRow> from, to;
  model::DType from_type = model::DType::kNull, to_type = model::DType::kNull;
  bool type_differs = false, layout_differs = false, strides_differ = false;
  // Who really writes and reads it, past other conversions; at most kMaxNeighbours.
  std::vector<Neighbour> producers, consumers;
  // What the chain of conversions that it is in begins with; null for weights.
  model::TensorId root;
  // The chain begins at an input, or ends at an output, of the engine.
  bool at_engine_input = false, at_engine_output = false;

  std::optional<double> time_ms, share;
  std::optional<std::int64_t> input_bytes, output_bytes;

  ReformatVerdict verdict = ReformatVerdict::kUnclear;
  ReformatReason reason = ReformatReason::kTypesUnknown;
  ChangedBy changed_by = ChangedBy::kNobody;
  Confidence confidence = Confidence::kLow;
  // The layer that the reason is about; null where it is about no layer.
  model::LayerId cause_layer;
  // Tensors to put Q/DQ on, at most kMaxAdvisedTensors.
  std::vector<model::TensorId> tensors;
  // How trtexec names the type and layout to bind: "int8:chw32"; empty where it has no word.
  std::string io_format;
  // What avoiding it saves, ms per inference: its own time where it is avoidable and nothing else
  // has to be done instead. Null where it is not avoidable or was not measured.
  std::optional<double> worth_ms;
  std::size_t group = 0;
};

// The conversions of one layer's output: a chain, or several for several readers. Those of weights
// form one group.
struct ReformatGroup {
  // What the chain begins with, and who really wrote it: null at the engine's input, and for
  // weights.
  model::TensorId root;
  model::LayerId writer;
  std::vector<std::size_t> rows;  // of ReformatExplanation::rows
  LayerTotals totals;
  std::optional<double> worth_ms;
};

struct ReformatsOfWord {
  std::string word;  // a producer's type, or an origin; may be empty
  LayerTotals totals;
};

struct ReformatExplanation {
  TimeBasis basis = TimeBasis::kNone;
  std::optional<double> layers_ms;  // the sum of all layers that shares are of
  // all = avoidable + needed + unclear; avoidable = by_model + by_caller.
  LayerTotals all, avoidable, needed, unclear, by_model, by_caller;
  std::array<LayerTotals, kConversionKinds> by_kind;
  // By the producer's types ("Reformat", "Reorder") and by origin as written: most time first.
  std::vector<ReformatsOfWord> by_type, by_origin;
  std::size_t unknown_count = 0;  // layers for which it is not known whether they convert
  std::vector<ReformatRow> rows;  // in execution order
  // Most time first, then most bytes, then execution order.
  std::vector<ReformatGroup> groups;
};

// Conversions are Reformat, Reorder and Convert layers, quantizers and dequantizers that run as
// layers of their own, and kernels of Myelin that only move, cast or quantize.
// Units:  ms per inference, bytes without padding.
// Errors: none; what the file does not record is unclear or null.
// Cost:   O(layers + ports); walks are bounded.
// Source: docs/design/0025-explaining-reformats-and-precision.md has the rules of the verdicts.
ReformatExplanation explain_reformats(const model::PlanModel& model, const Reconciliation& time);

// Stable words for JSON and CSV: "quantize", "avoidable", "caller", "high", "before-pool".
std::string_view to_string(ConversionKind kind);
std::string_view to_string(Confidence confidence);
std::string_view to_string(ReformatReason reason);

}  // namespace planex::analyze
