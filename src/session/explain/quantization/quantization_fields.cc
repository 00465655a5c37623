#include "session/explain/quantization/quantization_fields.h"

#include <cstddef>
#include <functional>
#include <string_view>

#include "model/plan_model.h"
#include "render/fields/common.h"
#include "render/words/quantization_sentences.h"

namespace planex::session::quantization_topic {
namespace {

using analyze::LayerTotals;
using analyze::QuantizationExplanation;
using analyze::QuantizationRow;
using analyze::QuantizedRun;
using model::PlanModel;
using record::Fields;
using render::engine_name_fields;
using render::fallback_advice;
using render::fallback_text;
using render::known;
using render::layer_fields;
using render::named_layer_fields;
using render::quantization_headline;
using render::totals_fields;

using QuantizationSumFields = Fields<QuantizationExplanation>;
using QuantizedFields = Fields<QuantizationRow, PlanModel>;

QuantizedFields run_fields() {
  return QuantizedFields("", "")
      .field("runs", "",
             "quantized: reads and writes a quantized type; writes-float: computes in a quantized "
             "type and writes float; weights-only: computes in float, with quantized weights.",
             &QuantizationRow::run)
      .field("requested", "", "Whether the model asks for this layer to be quantized.",
             &QuantizationRow::requested)
      .maybe("reason", "",
             "Why it does not read and write a quantized type; null if it does, or if it was not "
             "asked to.",
             &QuantizationRow::reason);
}

QuantizedFields type_fields() {
  return QuantizedFields("", "")
      .maybe("input", "", "Type of its first data input.", &QuantizationRow::input)
      .maybe("output", "", "Type of its first output.", &QuantizationRow::output)
      .maybe("weights", "", "Type of its constants.", &QuantizationRow::weights)
      .field("time_ms", "ms", "Its time under the basis.", &QuantizationRow::time_ms)
      .field("share", "ratio", "Share of the sum of all layer times.", &QuantizationRow::share);
}

// `name`: the name of the field.
QuantizedFields conversion_fields(std::string_view name) {
  return QuantizedFields("", "")
      .field(name, "count", "Conversions between float and quantized types next to it.",
             &QuantizationRow::conversion_count)
      .field("conversion_ms", "ms", "Time of the conversions next to it; each counts at one layer.",
             &QuantizationRow::conversion_ms);
}

QuantizedFields quantized_fields() {
  return QuantizedFields("QuantizedLayer", "A convolution or matrix product.")
      .with(named_layer_fields(), &QuantizationRow::layer)
      .with(run_fields())
      .maybe("cause", "", "The same in words.",
             [](const QuantizationRow& row, const PlanModel& model) {
               return fallback_text(model, row);
             })
      .object("cause_layer", "The layer that the reason is about.", named_layer_fields(),
              [](const QuantizationRow& row) { return known(row.cause_layer); })
      .with(type_fields())
      .with(conversion_fields("conversion_count"))
      .maybe("advice", "", "What to do.", [](const QuantizationRow& row, const PlanModel& model) {
        return fallback_advice(model, row);
      });
}

QuantizationSumFields model_fields() {
  return QuantizationSumFields("QuantizationOfModel", "How the model asks for quantization.")
      .field("form", "",
             "pairs: QuantizeLinear and DequantizeLinear around operations; operators: operations "
             "of their own; dynamic: scales are computed in each inference; calibrated: the "
             "builder chose; weights: weights only.",
             &QuantizationExplanation::form)
      .maybe("evidence", "",
             "Where that is known from: the source model, the source operations of layers, or "
             "types of tensors.",
             &QuantizationExplanation::evidence)
      .field("named_quantizer_count", "count",
             "Quantizers in the names of layers and of their source operations.",
             &QuantizationExplanation::named_quantizer_count)
      .field("quantizer_count", "count", "Quantizing operations of the source model.",
             &QuantizationExplanation::quantizer_count)
      .field("dequantizer_count", "count", "Its dequantizing operations.",
             &QuantizationExplanation::dequantizer_count)
      .field("operator_count", "count", "Its quantized operations, such as QLinearConv.",
             &QuantizationExplanation::operator_count)
      .field("dynamic_count", "count", "Its operations whose scales are computed.",
             &QuantizationExplanation::dynamic_count);
}

QuantizationSumFields totals_of_runs() {
  const auto run = [](QuantizedRun of) {
    return [of](const QuantizationExplanation& explanation) -> const LayerTotals& {
      return explanation.by_run[static_cast<std::size_t>(of)];
    };
  };
  return QuantizationSumFields("", "")
      .object("matrix", "Convolutions and matrix products.", totals_fields(),
              &QuantizationExplanation::matrix)
      .object("quantized", "Layers that read and write a quantized type.", totals_fields(),
              run(QuantizedRun::kQuantized))
      .object("writes_float", "Layers that compute in a quantized type and write float.",
              totals_fields(), run(QuantizedRun::kWritesFloat))
      .object("weights_only", "Layers that compute in float, with quantized weights.",
              totals_fields(), run(QuantizedRun::kWeightsOnly))
      .object("float", "Layers that compute in float.", totals_fields(), run(QuantizedRun::kFloat))
      .object("types_unknown", "Layers whose types the files do not record.", totals_fields(),
              run(QuantizedRun::kUnknown));
}

QuantizationSumFields totals_of_explanation() {
  return QuantizationSumFields(
             "QuantizationTotals",
             "matrix = quantized + writes_float + weights_only + float + types_unknown = "
             "requested + not_requested + unknown.")
      .with(totals_of_runs())
      .object("requested", "Layers that the model asks to quantize.", totals_fields(),
              &QuantizationExplanation::requested)
      .object("not_requested", "Layers that it does not ask to quantize.", totals_fields(),
              &QuantizationExplanation::not_requested)
      .object("unknown", "Layers for which that is unknown.", totals_fields(),
              &QuantizationExplanation::unknown)
      .object("fell_back",
              "Layers that the model asks to quantize and that run in float or with quantized "
              "weights only.",
              totals_fields(), &QuantizationExplanation::fell_back)
      .object("conversions", "Layers that only quantize, dequantize, or do both.", totals_fields(),
              &QuantizationExplanation::conversions)
      .object("avoidable_conversions", "Those of them that can be removed.", totals_fields(),
              &QuantizationExplanation::avoidable_conversions)
      .object("quantizers", "Layers that quantize.", totals_fields(),
              &QuantizationExplanation::quantizers)
      .object("dequantizers", "Layers that dequantize.", totals_fields(),
              &QuantizationExplanation::dequantizers)
      .object("round_trips", "Layers that do both.", totals_fields(),
              &QuantizationExplanation::round_trips);
}

}  // namespace

const QuantizedFields& quantization_row_fields() {
  static const auto kFields =
      QuantizedFields("QuantizationTableRow", "A convolution or matrix product.")
          .with(layer_fields(), &QuantizationRow::layer)
          .with(run_fields())
          .maybe("cause_layer", "", "The layer that the reason is about.",
                 [](const QuantizationRow& row, const PlanModel& model) {
                   return row.cause_layer.is_null()
                              ? std::string_view()
                              : model.text(model.layers.name[row.cause_layer.index()]);
                 })
          .with(type_fields())
          .with(conversion_fields("conversions"));
  return kFields;
}

const record::Document<QuantizationExplanation, PlanModel>& quantization_document() {
  static const record::Document<QuantizationExplanation, PlanModel> kDocument = {
      "planex.explain-quantization/2",
      "What is quantized and what fell back: planex explain quantization --format json",
      Fields<QuantizationExplanation, PlanModel>("ExplainQuantization",
                                                 "What is quantized, and what fell back and why.")
          .with(engine_name_fields<QuantizationExplanation>())
          .maybe("time_basis", "", "Which times of layers.", &QuantizationExplanation::basis)
          .field("layers_time_ms", "ms", "Sum over all layers.",
                 &QuantizationExplanation::layers_ms)
          .field("verdict", "", "The conclusion from all of it.", &QuantizationExplanation::verdict)
          .field("headline", "", "The same in a sentence.", quantization_headline)
          .object("model", "", model_fields(), std::identity{})
          .object("totals", "", totals_of_explanation(), std::identity{})
          .list("layers", "Convolutions and matrix products, in execution order.",
                quantized_fields(), &QuantizationExplanation::rows)};
  return kDocument;
}

}  // namespace planex::session::quantization_topic
