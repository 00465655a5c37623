#include "render/fields/engine_accuracy.h"

#include <optional>
#include <string_view>
#include <vector>

#include "render/fields/columns.h"
#include "render/words/accuracy_sentences.h"

namespace planex::render {
namespace {

using analyze::AccuracyExplanation;
using model::AccuracyOutputsTable;
using model::AccuracyTable;
using model::CalibrationTable;
using model::DifferenceMapsTable;
using model::FrontTable;
using model::PlanModel;

using AccuracyFields = record::Fields<AccuracyExplanation, PlanModel>;

template <typename Column>
RowFields accuracy_column(Column AccuracyTable::* column, std::string_view name) {
  return column_field(column_info("accuracy", name), &PlanModel::accuracy, column);
}
template <typename Column>
RowFields calibration_column(Column CalibrationTable::* column, std::string_view name) {
  return column_field(column_info("calibration", name), &PlanModel::calibration, column);
}
template <typename Column>
RowFields output_column(Column AccuracyOutputsTable::* column, std::string_view name) {
  return column_field(column_info("accuracy_outputs", name), &PlanModel::accuracy_outputs, column);
}

RowFields tensor_error_fields() {
  using Table = AccuracyTable;
  return RowFields("TensorLoss", "What quantizing lost up to a tensor.")
      .with(accuracy_column(&Table::tensor, "tensor"))
      .with(accuracy_column(&Table::op_name, "op_name"))
      .with(accuracy_column(&Table::op_type, "op_type"))
      .with(accuracy_column(&Table::layer_id, "layer_id"))
      .with(accuracy_column(&Table::simulated_db, "simulated_db"))
      .with(accuracy_column(&Table::simulated_cosine, "simulated_cosine"))
      .with(accuracy_column(&Table::simulated_max_abs, "simulated_max_abs"))
      .with(accuracy_column(&Table::simulated_is_equal, "simulated_is_equal"))
      .with(accuracy_column(&Table::simulated_not_finite_count, "simulated_not_finite_count"))
      .with(accuracy_column(&Table::engine_db, "engine_db"))
      .with(accuracy_column(&Table::engine_cosine, "engine_cosine"))
      .with(accuracy_column(&Table::engine_max_abs, "engine_max_abs"))
      .with(accuracy_column(&Table::engine_is_equal, "engine_is_equal"))
      .with(accuracy_column(&Table::engine_not_finite_count, "engine_not_finite_count"))
      .with(accuracy_column(&Table::tap, "tap"))
      .with(accuracy_column(&Table::alone_simulated_db, "alone_simulated_db"))
      .with(accuracy_column(&Table::alone_engine_db, "alone_engine_db"));
}

RowFields calibration_fields() {
  using Table = CalibrationTable;
  return RowFields("CalibratedTensor", "A tensor that was quantized.")
      .with(calibration_column(&Table::tensor, "tensor"))
      .with(calibration_column(&Table::op_name, "op_name"))
      .with(calibration_column(&Table::layer_id, "layer_id"))
      .with(calibration_column(&Table::min, "min"))
      .with(calibration_column(&Table::max, "max"))
      .with(calibration_column(&Table::threshold, "threshold"))
      .with(calibration_column(&Table::scale, "scale"))
      .with(calibration_column(&Table::dtype, "dtype"))
      .with(calibration_column(&Table::is_unsigned, "is_unsigned"))
      .with(calibration_column(&Table::zero_point, "zero_point"))
      .with(calibration_column(&Table::scale_group, "scale_group"))
      .with(calibration_column(&Table::clipped_ratio, "clipped_ratio"))
      .with(calibration_column(&Table::sqnr_db, "sqnr_db"))
      .with(calibration_column(&Table::histogram_max, "histogram_max"))
      .with(calibration_column(&Table::histogram, "histogram"));
}

template <typename Column>
RowFields front_column(Column FrontTable::* column, std::string_view name) {
  return column_field(column_info("front", name), &PlanModel::front, column);
}
template <typename Column>
RowFields map_column(Column DifferenceMapsTable::* column, std::string_view name) {
  return column_field(column_info("difference_maps", name), &PlanModel::difference_maps, column);
}

// Rows of `front_layers` that belong to a row of `front`.
std::vector<std::size_t> layers_of(std::size_t row, const PlanModel& model) {
  const auto point = model.front.point.get(row);
  const model::FrontLayersTable& table = model.front_layers;
  std::vector<std::size_t> rows;
  for (std::size_t at = 0; at < table.row_count(); ++at) {
    if (point && table.point.get(at) == point) rows.push_back(at);
  }
  return rows;
}

RowFields front_fields() {
  using Table = FrontTable;
  return RowFields("FrontPoint", "A model with some layers in float, all others in INT8.")
      .with(front_column(&Table::point, "point"))
      .with(front_column(&Table::float_layers, "float_layers"))
      .field("kept", "", "Operations that stay in float.",
             [](std::size_t row, const PlanModel& model) {
               std::vector<std::string_view> names;
               for (const std::size_t at : layers_of(row, model)) {
                 names.push_back(model.text(model.front_layers.op_name[at]));
               }
               return names;
             })
      .with(front_column(&Table::macs_ratio, "macs_ratio"))
      .with(front_column(&Table::weight_bytes, "weight_bytes"))
      .with(front_column(&Table::ms, "ms"))
      .with(front_column(&Table::median_ms, "median_ms"))
      .with(front_column(&Table::median_low_ms, "median_low_ms"))
      .with(front_column(&Table::median_high_ms, "median_high_ms"))
      .with(front_column(&Table::sqnr_db, "sqnr_db"))
      .with(front_column(&Table::top1_ratio, "top1_ratio"))
      .with(front_column(&Table::judged_sqnr_db, "judged_sqnr_db"))
      .with(front_column(&Table::judged_top1_ratio, "judged_top1_ratio"))
      .with(front_column(&Table::is_chosen, "is_chosen"));
}

RowFields map_fields() {
  using Table = DifferenceMapsTable;
  return RowFields("DifferenceMap", "Where in a tensor the differences are.")
      .with(map_column(&Table::tensor, "tensor"))
      .with(map_column(&Table::shown, "shown"))
      .with(map_column(&Table::channels, "channels"))
      .with(map_column(&Table::tensor_height, "tensor_height"))
      .with(map_column(&Table::tensor_width, "tensor_width"))
      .with(map_column(&Table::height, "height"))
      .with(map_column(&Table::width, "width"))
      .with(map_column(&Table::step, "step"))
      .with(map_column(&Table::cells, "cells"));
}

RowFields output_fields() {
  using Table = AccuracyOutputsTable;
  return RowFields("OutputLoss", "What quantizing lost at an output.")
      .with(output_column(&Table::tensor, "tensor"))
      .with(output_column(&Table::record, "record"))
      .with(output_column(&Table::compared, "compared"))
      .with(output_column(&Table::sqnr_db, "sqnr_db"))
      .with(output_column(&Table::cosine, "cosine"))
      .with(output_column(&Table::max_abs, "max_abs"))
      .with(output_column(&Table::is_equal, "is_equal"))
      .with(output_column(&Table::nan_count, "nan_count"))
      .with(output_column(&Table::inf_count, "inf_count"))
      .with(output_column(&Table::class_row_count, "class_row_count"))
      .with(output_column(&Table::top1_ratio, "top1_ratio"))
      .with(output_column(&Table::top5_ratio, "top5_ratio"));
}

}  // namespace

const record::Document<AccuracyExplanation, PlanModel>& report_accuracy_document() {
  static const record::Document<AccuracyExplanation, PlanModel> kDocument = {
      "planex.report-accuracy/1", "What quantizing lost, in the report's data",
      AccuracyFields(
          "EngineAccuracy",
          "What quantizing lost, where, and whether the model or the engine is at fault.")
          .field("end_simulated_db", "dB",
                 "Lowest SQNR of the outputs in the model's own arithmetic.",
                 [](const AccuracyExplanation& of) { return of.end.simulated_db; })
          .field("end_engine_db", "dB",
                 "The same in the engine; null: the engine is not OpenVINO's.",
                 [](const AccuracyExplanation& of) { return of.end.engine_db; })
          .field("verified", "count", "Tensors whose reading left the engine unchanged.",
                 &AccuracyExplanation::verified)
          .field("disturbed", "count", "Tensors whose reading changed the engine.",
                 &AccuracyExplanation::disturbed)
          .field("unmapped", "count", "Tensors that no layer is known to write.",
                 &AccuracyExplanation::unmapped)
          .maybe("method", "", "How scales were chosen.", &AccuracyExplanation::method)
          .maybe("target", "", "The compiler that the Q/DQ were placed for.",
                 &AccuracyExplanation::target)
          .field("weight_bits", "", "Bits of the weights.", &AccuracyExplanation::weight_bits)
          .field("calibration_count", "count", "Samples that ranges were measured on.",
                 &AccuracyExplanation::calibration_count)
          .field("judge_count", "count", "Samples that quantizing was judged on.",
                 &AccuracyExplanation::judge_count)
          .field("sample_count", "count", "Samples that tensors were compared on.",
                 &AccuracyExplanation::sample_count)
          .maybe("reference", "", "The float model.", &AccuracyExplanation::reference)
          .maybe("subject", "", "The quantized model.", &AccuracyExplanation::subject)
          .maybe("runtime_version", "", "The OpenVINO that ran the models.",
                 &AccuracyExplanation::runtime_version)
          .maybe("isa", "", "Instructions of the processor that they ran on.",
                 &AccuracyExplanation::isa)
          .field("is_of_other_engine", "", "The engine is not OpenVINO's, but the figures are.",
                 &AccuracyExplanation::is_of_other_engine)
          .field("sentences", "", "The conclusions, in words.",
                 [](const AccuracyExplanation& of, const PlanModel& model) {
                   return accuracy_sentences(model, of);
                 })
          .list("tensors", "Tensors in the order of the float model.", tensor_error_fields(),
                &AccuracyExplanation::tensors)
          .list("calibration", "Quantized tensors.", calibration_fields(),
                &AccuracyExplanation::calibration)
          .list("outputs", "Outputs.", output_fields(), &AccuracyExplanation::outputs)
          .maybe("goal", "", "What a search looked for, such as 20 dB.", &AccuracyExplanation::goal)
          .maybe("cost", "", "What a layer in float costs on the front: layers, macs, bytes, ms.",
                 &AccuracyExplanation::cost)
          .list("front", "Models that no other model beats, from the cheapest on.", front_fields(),
                &AccuracyExplanation::front)
          .list("maps", "Where in tensors the differences are.", map_fields(),
                &AccuracyExplanation::maps)};
  return kDocument;
}

}  // namespace planex::render
