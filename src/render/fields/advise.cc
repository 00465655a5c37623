#include "render/fields/advise.h"

#include <optional>

namespace planex::render {
namespace {

using quantize::AdviceMeasurement;
using quantize::AdviceRow;
using quantize::AdvisedLayer;
using quantize::AdviseOutcome;
using quantize::CoarseScale;
using quantize::WhatIfRow;
using record::Fields;

Fields<AdvisedLayer> advised_layer_fields() {
  return Fields<AdvisedLayer>("AdvisedLayer", "A layer of the engine that an edit changes.")
      .field("layer", "", "Its name.", &AdvisedLayer::layer)
      .field("effect", "",
             "goes: it certainly disappears; may-go: a neighboring layer can take it over; int8: "
             "it computes in INT8 afterwards; fewer-bytes: it reads or writes INT8 instead of "
             "float, or no longer quantizes inside.",
             &AdvisedLayer::effect)
      .field("time_ms", "ms", "Its time now.", &AdvisedLayer::time_ms)
      .field("gain_low_ms", "ms",
             "The least of that time that is saved; negative: it can get slower.",
             &AdvisedLayer::low_ms)
      .field("gain_high_ms", "ms", "The most of that time that is saved.", &AdvisedLayer::high_ms)
      .field("findings", "", "Ids of lint rules about Q/DQ that fire on it.",
             &AdvisedLayer::findings);
}

// Of anything that has a member `gain`.
template <typename T>
Fields<T> gain_fields(std::string_view of) {
  return Fields<T>("", "")
      .field("gain_low_ms", "ms", of, [](const T& one) { return one.gain.low_ms; })
      .field("gain_high_ms", "ms", "The same, at most: the upper end of the range.",
             [](const T& one) { return one.gain.high_ms; })
      .maybe("gain_reason", "", "Why there is no range.",
             [](const T& one) { return one.gain.reason; });
}

Fields<CoarseScale> coarse_scale_fields() {
  return Fields<CoarseScale>(
             "CoarseScale",
             "A scale too coarse for values whose range follows from the model itself.")
      .field("tensor", "", "The tensor that is quantized.", &CoarseScale::tensor)
      .field("part", "",
             "The tensor whose values it is too coarse for: itself, or one that is joined into it.",
             &CoarseScale::part)
      .field("scale", "", "One quantization step.", &CoarseScale::scale)
      .field("low", "", "The smallest value that the part can have.", &CoarseScale::low)
      .field("high", "", "The largest value that the part can have.", &CoarseScale::high)
      .field("step_count", "count", "(high - low) divided by scale; fewer than 8 are listed.",
             &CoarseScale::step_count)
      .field("sentence", "", "The finding, in a sentence.",
             [](const CoarseScale& coarse) { return sentence_of(coarse); });
}

Fields<quantize::EngineFigures> advised_engine_fields() {
  return Fields<quantize::EngineFigures>("AdvisedEngine",
                                         "An engine, in the figures that advice changes.")
      .field("layer_count", "count", "Layers that do work.", &quantize::EngineFigures::layer_count)
      .field("float_layer_count", "count", "Layers whose first output is float.",
             &quantize::EngineFigures::float_layer_count)
      .field("written_bytes", "bytes", "Activations that they write.",
             &quantize::EngineFigures::written_bytes)
      .field("latency_ms", "ms", "Median of an inference; null: not measured, or a forecast.",
             &quantize::EngineFigures::latency_ms)
      .field("layers_ms", "ms",
             "Sum of the layer times that gains are computed from, without the effect of other "
             "programs; null: unknown, or a forecast.",
             &quantize::EngineFigures::layers_ms);
}

Fields<WhatIfRow> what_if_fields() {
  return Fields<WhatIfRow>("WhatIf", "A block of float nodes, as if it were in INT8.")
      .field("nodes", "", "The nodes.", &WhatIfRow::nodes)
      .with(gain_fields<WhatIfRow>(
          "What an inference would get faster by, at least; negative: it can get slower."))
      .field("converted", "", "Tensors at its edge that have to be converted.",
             &WhatIfRow::converted)
      .field("conversion_ms", "ms",
             "What that costs at most; the low end of the gain already leaves it out.",
             &WhatIfRow::conversion_ms)
      .list("layers", "The engine's layers of these nodes.", advised_layer_fields(),
            &WhatIfRow::layers);
}

Fields<AdviceMeasurement> measurement_fields() {
  return Fields<AdviceMeasurement>("AdviceMeasurement",
                                   "Both models built and timed here, alternating.")
      .object("before", "", advised_engine_fields(), &AdviceMeasurement::before)
      .object("after", "", advised_engine_fields(), &AdviceMeasurement::after)
      .field("run_count", "count", "Runs of each model.", &AdviceMeasurement::run_count)
      .field("change_ratio", "ratio", "Latency after divided by latency before, minus 1.",
             &AdviceMeasurement::change_ratio)
      .field("low_ratio", "ratio", "Lower end of its 95 % interval.", &AdviceMeasurement::low_ratio)
      .field("high_ratio", "ratio", "Upper end of that interval.", &AdviceMeasurement::high_ratio)
      .maybe("judgement", "", "As planex compare judges it: slower, faster, within-noise, unclear.",
             &AdviceMeasurement::judgement);
}

Fields<AdviceRow> advice_row_fields() {
  return Fields<AdviceRow>("", "")
      .field("action", "",
             "add: readers take a pair; move: a pair goes before what only moves values; merge: "
             "pairs of a tensor become one; remove: readers take the float; share-scale: pairs get "
             "one scale; unsigned: int8 becomes uint8; scalar-scale: a list of one value becomes a "
             "scalar.",
             &AdviceRow::action)
      .field("rule", "", "The placement rule: planex explain placement RULE.", &AdviceRow::rule)
      .field("tensor", "", "The tensor that has the pair afterwards, or is read as float.",
             &AdviceRow::tensor)
      .maybe("node", "", "The first of the readers.", &AdviceRow::node)
      .field("readers", "", "Nodes that take the pair afterwards, or the float.",
             &AdviceRow::readers)
      .field("sentence", "", "The finding, in a sentence.", &AdviceRow::sentence)
      .field("edit", "", "What to do.", &AdviceRow::edit)
      .field("scale_source", "",
             "kept: the scale of existing pairs; data: it has to be calibrated; none: nothing is "
             "quantized.",
             &AdviceRow::scale_source)
      .field("scale", "", "Scale of a pair that was calibrated.",
             [](const AdviceRow& row) -> std::optional<double> {
               if (!row.scale) return std::nullopt;
               return static_cast<double>(*row.scale);
             })
      .field("is_applied", "", "It is applied in the model that was written.",
             &AdviceRow::is_applied)
      .with(gain_fields<AdviceRow>(
          "What an inference gets faster by, at least, from this alone or with what it needs."))
      .field("needs", "",
             "Edits without which it gains nothing, because a layer needs all of them; the gain is "
             "that of all of these together.",
             &AdviceRow::needs)
      .field("findings", "", "Ids of lint rules that fire on layers that it changes.",
             &AdviceRow::findings);
}

}  // namespace

const Fields<AdviceRow>& advice_fields() {
  static const auto kFields =
      Fields<AdviceRow>("Advice", "A change of Q/DQ that the target asks for.")
          .with(advice_row_fields())
          .list("layers", "The engine's layers that it changes.", advised_layer_fields(),
                &AdviceRow::layers);
  return kFields;
}

const record::Document<AdviseOutcome>& advise_document() {
  static const record::Document<AdviseOutcome> kDocument = {
      "planex.advise/1",
      "Edits that make a model's Q/DQ suit a target: planex advise --format json",
      Fields<AdviseOutcome>("Advise", "Advice about a model's Q/DQ, and what it is worth.")
          .field("model", "", "The model.", &AdviseOutcome::model)
          .field("target", "", "The compiler that the advice is for.", &AdviseOutcome::target)
          .field("pair_count", "count", "Q/DQ pairs of activations in the model.",
                 &AdviseOutcome::pair_count)
          .field("weight_count", "count", "Quantized weights in the model.",
                 &AdviseOutcome::weight_count)
          .list("advice", "In the order of the tensors.", advice_fields(), &AdviseOutcome::advice)
          .list("coarse_scales", "In the order of the model.", coarse_scale_fields(),
                &AdviseOutcome::coarse_scales)
          .maybe("engine", "", "The engine whose times were used.", &AdviseOutcome::engine)
          .maybe("producer", "", "What built it.", &AdviseOutcome::producer)
          .object("as_measured", "The engine as it is.", advised_engine_fields(),
                  &AdviseOutcome::as_measured)
          .object(
              "forecast",
              "The same engine if all advice is followed, and everything that can disappear does.",
              advised_engine_fields(), &AdviseOutcome::forecast)
          .with(gain_fields<AdviseOutcome>("What an inference gets faster by, at least, from all "
                                           "advice; each layer counts once."))
          .list("what_if", "The blocks that were requested.", what_if_fields(),
                &AdviseOutcome::what_if)
          .maybe("output", "", "The model with the advice applied.", &AdviseOutcome::output)
          .field("applied_count", "count", "Pieces of advice applied in it.",
                 &AdviseOutcome::applied_count)
          .field("calibration_count", "count", "Samples that new scales come from.",
                 &AdviseOutcome::calibration_count)
          .object("measurement", "What was measured for both models.", measurement_fields(),
                  &AdviseOutcome::measurement)
          .field("notes", "", "What the user should know.", &AdviseOutcome::notes)};
  return kDocument;
}

}  // namespace planex::render
