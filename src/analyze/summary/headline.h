// What explains most of an engine's layer time, as facts: the subject of its first sentence.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "analyze/quantization/quantization.h"
#include "analyze/timing/reconcile.h"
#include "model/judgements.h"
#include "model/plan_model.h"

namespace planex::analyze {

// The layers that only change type or layout (layers.is_reformat).
struct ReformatLoad {
  std::int64_t count = 0;
  std::optional<double> time_ms, share;  // sums; null where none of them has a time
};

// Null where it is not known for any layer, as with names only.
std::optional<ReformatLoad> reformats_of(const model::PlanModel& model, const Reconciliation& time);

enum class HeadlineKind : std::uint8_t {
  kQuantizedInFloat,  // the model quantizes them, and they compute in float
  kWeightsExpanded,   // quantized weights are converted to float in each inference
  kFloat32Rest,       // FP32 in an otherwise quantized engine without any FP16
  kReformats,
  kLayer,     // one layer of several
  kOnly,      // the engine is one layer
  kRepeated,  // layers of one kernel and one shape
  kType,      // all layers of one type
};

// Conversions that take less are not mentioned.
inline constexpr double kMinReformats = 0.05;
// Nor is a single layer of several that takes less.
inline constexpr double kMinLayer = 0.25;

// What layers of one kernel compute: "attention", "convolution", "matrix product". Empty where
// neither names nor families show it.
std::string_view work_of_layer(const model::PlanModel& model, model::LayerId layer);

struct Headline {
  HeadlineKind kind = HeadlineKind::kLayer;
  model::LayerId layer;    // the layer; with several, the first in execution order
  std::int64_t count = 1;  // layers
  // Convolutions and matrix products that the model quantizes, if the headline is about those.
  std::int64_t asked = 0;
  // Why most of them do; null where the reason is not known, or the headline is about something
  // else.
  std::optional<QuantizationRow> why;
  std::int64_t why_count = 0;  // layers with that reason
  double time_ms = 0;          // sum
  double share = 0;            // of Σ layers
  bool is_timed = true;
  // Errors and warnings of lint about these layers.
  std::int64_t warnings = 0;
};

// Why layer times do not show what the engine does. Nothing is concluded from such times: no
// headline, no limit, no gain.
std::optional<model::NoMeasure> no_measure(const model::PlanModel& model,
                                           const Reconciliation& time);

// What the model asks to quantize but runs in float comes first, from 10 % of the time on, or,
// without times, from a quarter of those layers on; then, for TensorRT's engines, what the model
// does not ask to quantize and runs in FP32, from 10 % of the time on. Then what explains most
// time: all layers of one type, unless something more specific explains two thirds of that: one
// layer from 25 %, six equal layers or more from 15 %; reformats from 5 % on where no type takes
// more. Null where times show nothing, and where there are none. Cost: O(layers log layers +
// ports), and that of explain_quantization() where anything is quantized.
std::optional<Headline> find_headline(const model::PlanModel& model, const Reconciliation& time);

}  // namespace planex::analyze
