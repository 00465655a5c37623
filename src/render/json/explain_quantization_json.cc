#include "render/json/explain_quantization_json.h"

#include "render/json/explain_json.h"
#include "render/quantization_sentences.h"

namespace planex::render {
namespace {

using analyze::LayerTotals;
using analyze::QuantizationExplanation;
using analyze::QuantizationRow;
using analyze::QuantizedRun;
using model::PlanModel;

void write_quantization_row(JsonWriter& json, const PlanModel& model, const QuantizationRow& row) {
  json.begin_object();
  write_layer_members(json, model, row.layer);
  json.member("runs", to_string(row.run)).member("requested", to_string(row.requested));
  json.text_member("reason", to_string(row.reason));
  json.text_member("cause", fallback_text(model, row));
  json.key("cause_layer");
  if (row.cause_layer.is_null()) {
    json.null();
  } else {
    json.begin_object();
    write_layer_members(json, model, row.cause_layer);
    json.end_object();
  }
  json.text_member("input", to_string(row.input));
  json.text_member("output", to_string(row.output));
  json.text_member("weights", to_string(row.weights));
  json.member("time_ms", row.time_ms)
      .member("share", row.share)
      .member("conversion_count", row.conversion_count)
      .member("conversion_ms", row.conversion_ms);
  json.text_member("advice", fallback_advice(model, row.reason));
  json.end_object();
}

}  // namespace

void write_explain_quantization(JsonWriter& json, const PlanModel& model,
                                const QuantizationExplanation& explanation) {
  json.begin_object()
      .member("schema", "planex.explain-quantization/2")
      .member("engine", model.text(model.engine.name[0]));
  json.text_member("time_basis", to_string(explanation.basis));
  json.member("layers_time_ms", explanation.layers_ms)
      .member("verdict", to_string(explanation.verdict))
      .member("headline", quantization_headline(explanation));
  json.key("model").begin_object().member("form", to_string(explanation.form));
  json.text_member("evidence", to_string(explanation.evidence));
  json.member("quantizer_count", explanation.quantizer_count)
      .member("dequantizer_count", explanation.dequantizer_count)
      .member("operator_count", explanation.operator_count)
      .member("dynamic_count", explanation.dynamic_count)
      .end_object();
  json.key("totals").begin_object();
  const auto totals = [&](std::string_view key, const LayerTotals& value) {
    json.key(key);
    write_totals(json, value);
  };
  totals("matrix", explanation.matrix);
  totals("quantized", explanation.by_run[static_cast<std::size_t>(QuantizedRun::kQuantized)]);
  totals("writes_float", explanation.by_run[static_cast<std::size_t>(QuantizedRun::kWritesFloat)]);
  totals("weights_only", explanation.by_run[static_cast<std::size_t>(QuantizedRun::kWeightsOnly)]);
  totals("float", explanation.by_run[static_cast<std::size_t>(QuantizedRun::kFloat)]);
  totals("requested", explanation.requested);
  totals("not_requested", explanation.not_requested);
  totals("unknown", explanation.unknown);
  totals("fell_back", explanation.fell_back);
  totals("conversions", explanation.conversions);
  totals("avoidable_conversions", explanation.avoidable_conversions);
  totals("quantizers", explanation.quantizers);
  totals("dequantizers", explanation.dequantizers);
  totals("round_trips", explanation.round_trips);
  json.end_object().key("layers").begin_array();
  for (const QuantizationRow& row : explanation.rows) write_quantization_row(json, model, row);
  json.end_array().end_object();
}

std::string explain_quantization_json(const PlanModel& model,
                                      const QuantizationExplanation& explanation) {
  JsonWriter json(JsonStyle::kPretty);
  write_explain_quantization(json, model, explanation);
  return json.take() + "\n";
}

}  // namespace planex::render
