// The result of advice about a model's Q/DQ: it is shown, and written as planex.advise/1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quantize/advice.h"
#include "quantize/coarse_scales.h"
#include "quantize/gains.h"
#include "quantize/placement_rules.h"

namespace planex::quantize {

// A layer of the engine that an edit changes.
struct AdvisedLayer {
  std::string layer;
  LayerEffect effect = LayerEffect::kFewerBytes;
  std::optional<double> time_ms;  // time of the layer as it is now
  double low_ms = 0, high_ms = 0;
  std::vector<std::string> findings;  // ids of lint rules that fire on it
};

struct GainRange {
  // What an inference gains in time; null: unknown. Only the high end where the two ends are too
  // far apart to act on.
  std::optional<double> low_ms, high_ms;
  std::string reason;  // why it is unknown
};

struct AdviceRow {
  Action action = Action::kAdd;
  std::string rule, tensor, node;
  std::vector<std::string> readers;
  std::string sentence, edit;
  ScaleSource scale_source = ScaleSource::kNone;
  std::optional<float> scale;  // of a pair that takes its scale from data
  bool is_applied = false;
  GainRange gain;
  // Edits without which this one gains nothing; the gain is that of all of them together.
  std::vector<std::string> needs;
  std::vector<AdvisedLayer> layers;
  std::vector<std::string> findings;  // of all edits together
};

// A block of float nodes, as if it were in INT8.
struct WhatIfRow {
  std::vector<std::string> nodes;
  GainRange gain;
  std::vector<std::string> converted;  // tensors
  std::optional<double> conversion_ms;
  std::vector<AdvisedLayer> layers;
};

struct EngineFigures {
  std::size_t layer_count = 0, float_layer_count = 0;
  std::int64_t written_bytes = 0;
  std::optional<double> latency_ms;  // median
  std::optional<double> layers_ms;   // the sum of layer times that gains are taken from
};

// Both models built and timed here, in turns.
struct AdviceMeasurement {
  EngineFigures before, after;
  std::size_t run_count = 0;  // of each of the two models
  // (after - before) / before, its 95 % interval, and what that says: slower, faster, ...
  std::optional<double> change_ratio, low_ratio, high_ratio;
  std::string judgement;
};

struct AdviseOutcome {
  std::string model;
  Target target = Target::kOpenvino;
  std::size_t pair_count = 0, weight_count = 0;  // in the model
  std::vector<AdviceRow> advice;
  std::vector<CoarseScale> coarse_scales;  // what can be found without data
  std::string engine, producer;            // empty: none was named
  std::optional<EngineFigures> as_measured;
  std::optional<EngineFigures> forecast;  // when all advice is followed; latency: null
  GainRange gain;                         // gain of all advice
  std::vector<WhatIfRow> what_if;
  std::string output;  // empty: nothing was applied
  std::size_t applied_count = 0, calibration_count = 0;
  std::optional<AdviceMeasurement> measurement;
  std::vector<std::string> notes;
};

// The measured figures of an engine, for the structs above.
EngineFigures figures_of(const MeasuredEngine& engine);

}  // namespace planex::quantize
