#include "render/fields/layer_accuracy.h"

#include "render/fields/quantize.h"

namespace planex::render {
namespace {

using arrays::Difference;
using quantize::Bisection;
using quantize::CuredModel;
using quantize::ExtractedModel;
using quantize::LayerAccuracies;
using quantize::LayerAccuracy;
using record::Fields;

using MaybeDifference = std::optional<Difference> LayerAccuracy::*;

// A figure of a comparison that may not have been made.
template <typename T>
auto of(MaybeDifference which, std::optional<T> Difference::* figure) {
  return [which, figure](const LayerAccuracy& layer) {
    return (layer.*which) ? (*(layer.*which)).*figure : std::nullopt;
  };
}

auto is_equal(MaybeDifference which) {
  return [which](const LayerAccuracy& layer) {
    return (layer.*which) ? std::optional((layer.*which)->is_equal) : std::nullopt;
  };
}

auto not_finite(MaybeDifference which) {
  return [which](const LayerAccuracy& layer) {
    return (layer.*which) ? std::optional((layer.*which)->subject_nan_count +
                                          (layer.*which)->subject_inf_count)
                          : std::nullopt;
  };
}

Fields<CuredModel> cured_fields() {
  return Fields<CuredModel>("CuredModel", "The quantized model with cures for the engine's faults.")
      .field("path", "", "Where it was written.", &CuredModel::path)
      .field("narrowed", "", "Weights that now have 7 bits.", &CuredModel::narrowed)
      .field("unsigned_tensors", "", "Tensors that are now uint8 with zero point 128.",
             &CuredModel::unsigned_tensors)
      .list("simulated", "Outputs: float to its own arithmetic.", judged_fields(),
            &CuredModel::simulated)
      .list("engine", "Outputs: float to the engine that is built from it.", judged_fields(),
            &CuredModel::engine);
}

Fields<quantize::DifferenceMap> drawn_map_fields() {
  using quantize::DifferenceMap;
  return Fields<DifferenceMap>("LayerMap", "Where in a tensor the differences are.")
      .field("tensor", "", "Its name.", &DifferenceMap::tensor)
      .field("shown", "",
             "float: |x| in the float model; simulated, engine: how far the model's own "
             "arithmetic, or the engine, is from that.",
             &DifferenceMap::shown)
      .one_of({"float", "simulated", "engine"})
      .field("channels", "count", "Number of channels that a cell averages.",
             [](const DifferenceMap& map) { return map.planes.channels; })
      .field("tensor_height", "count", "Height of the tensor itself.",
             [](const DifferenceMap& map) { return map.planes.height; })
      .field("tensor_width", "count", "Its width.",
             [](const DifferenceMap& map) { return map.planes.width; })
      .field("height", "count", "Rows of cells, 64 at most.", &DifferenceMap::height)
      .field("width", "count", "Columns of cells, 64 at most.", &DifferenceMap::width)
      .field("step", "", "Value of 1 in cells: the largest cell is 255.", &DifferenceMap::step)
      .field("cells", "", "Cells row by row, from 0 to 255, of the first sample.",
             &DifferenceMap::cells);
}

Fields<ExtractedModel> extracted_fields() {
  return Fields<ExtractedModel>("ExtractedModel",
                                "The smallest part of the model that shows the fault.")
      .field("path", "", "The part, with what is at fault quantized and all else in float.",
             &ExtractedModel::path)
      .field("reference_path", "", "The same part without Q/DQ.", &ExtractedModel::reference_path)
      .field("data_path", "",
             "An .npz with the inputs of the part, and the outputs of the one without Q/DQ.",
             &ExtractedModel::data_path)
      .field("tensor", "", "The tensor or weight at fault, or what the layer writes.",
             &ExtractedModel::tensor)
      .maybe("node", "", "The node that writes it; for a weight, the one that reads it.",
             &ExtractedModel::node)
      .field("fault", "", "Whose fault it shows: model or engine.",
             [](const ExtractedModel& part) { return to_string(part.fault); })
      .field("sample", "", "The sample of the data that the part runs on.", &ExtractedModel::sample)
      .field("node_count", "count", "Nodes of the part, including those of constants.",
             &ExtractedModel::node_count)
      .field("inputs", "", "Its inputs.", &ExtractedModel::inputs)
      .field("outputs", "", "Its outputs.", &ExtractedModel::outputs)
      .list("simulated", "Its outputs: float to its own arithmetic.", judged_fields(),
            &ExtractedModel::simulated)
      .list("engine", "Its outputs: float to the engine that is built from it.", judged_fields(),
            &ExtractedModel::engine)
      .field("command", "", "The part reproduces the fault.", &ExtractedModel::command);
}

Fields<Bisection> bisection_fields() {
  return Fields<Bisection>("Bisection", "What loses most, in the model's own arithmetic.")
      .field("kind", "",
             "scale: the scale of a tensor does not fit its values; weight: a weight is far from "
             "the float model's; layer: a layer loses most whatever its scales are; none.",
             [](const Bisection& found) { return to_string(found.kind); })
      .maybe("tensor", "", "The tensor, the weight, or what the layer writes.", &Bisection::tensor)
      .maybe("node", "", "The node that writes it; for a weight, the one that reads it.",
             &Bisection::node)
      .maybe("part", "",
             "The part of the tensor, joined by a Concat, that the scale does not fit; null: all "
             "of it.",
             &Bisection::part)
      .field("scale", "", "The current scale.", &Bisection::scale)
      .field("best_scale", "", "The scale with the smallest error on this data.",
             &Bisection::best_scale)
      .field("own_db", "dB", "SQNR of the tensor or weight by itself.", &Bisection::own_db)
      .field("best_db", "dB", "The same with the best scale.", &Bisection::best_db)
      .field("before_db", "dB", "SQNR of the worst output of the model as it is.",
             &Bisection::before_db)
      .field("after_db", "dB", "The same with what was found in float.", &Bisection::after_db)
      .field("compile_count", "count", "Number of compilations.", &Bisection::compile_count)
      .field("steps", "", "What was tried, in order.", &Bisection::steps);
}

}  // namespace

const Fields<LayerAccuracy>& layer_accuracy_fields() {
  static const auto kFields =
      Fields<LayerAccuracy>("LayerLoss", "A tensor that both models have.")
          .field("tensor", "", "Its name.", &LayerAccuracy::tensor)
          .maybe("node", "", "The node that writes it, in the float model.", &LayerAccuracy::node)
          .field("op_type", "", "Operator of the node.", &LayerAccuracy::op_type)
          .field("simulated_db", "dB",
                 "SQNR of the quantized model's own arithmetic against the float model; null: no "
                 "signal, or no noise.",
                 of(&LayerAccuracy::simulated, &Difference::sqnr_db))
          .field("simulated_is_equal", "", "Bit for bit the same as in float.",
                 is_equal(&LayerAccuracy::simulated))
          .field("simulated_max_abs", "", "Largest |s - r|.",
                 of(&LayerAccuracy::simulated, &Difference::max_abs))
          .field("simulated_cosine", "", "Cosine of the angle between the two.",
                 of(&LayerAccuracy::simulated, &Difference::cosine))
          .field("simulated_not_finite_count", "count", "NaN and infinities.",
                 not_finite(&LayerAccuracy::simulated))
          .field("engine_db", "dB", "SQNR of the engine against the float model.",
                 of(&LayerAccuracy::engine, &Difference::sqnr_db))
          .field("engine_is_equal", "", "Bit for bit the same as in float.",
                 is_equal(&LayerAccuracy::engine))
          .field("engine_max_abs", "", "Largest |s - r|.",
                 of(&LayerAccuracy::engine, &Difference::max_abs))
          .field("engine_cosine", "", "Cosine of the angle between the two.",
                 of(&LayerAccuracy::engine, &Difference::cosine))
          .field("engine_not_finite_count", "count", "NaN and infinities.",
                 not_finite(&LayerAccuracy::engine))
          .field("tap", "",
                 "Whether reading the tensor left the engine's outputs bit-identical: verified, "
                 "disturbed; missing: the engine's reader does not know the tensor.",
                 &LayerAccuracy::tap)
          .maybe("seen_tensor", "",
                 "The tensor that was read in the engine instead, because reading the tensor "
                 "itself changes the engine: the output of an activation or pair after it. null: "
                 "the tensor itself.",
                 &LayerAccuracy::seen_tensor)
          .field("alone_simulated_db", "dB",
                 "With all other layers in float: SQNR of the model's own arithmetic at the worst "
                 "output; null: not run alone.",
                 of(&LayerAccuracy::alone_simulated, &Difference::sqnr_db))
          .field("alone_engine_db", "dB", "The same for the engine.",
                 of(&LayerAccuracy::alone_engine, &Difference::sqnr_db))
          .field("fault", "",
                 "Whose fault the layer's loss is: none, model, engine, both; unknown: not run "
                 "alone.",
                 [](const LayerAccuracy& layer) { return to_string(layer.fault); })
          .field("cause", "",
                 "Why the engine is at fault: saturation, cured by weights on 7 bits; sign, cured "
                 "by uint8; both; unknown; none: it is not.",
                 [](const LayerAccuracy& layer) { return to_string(layer.cause); })
          .field("cured_engine_db", "dB", "SQNR of the engine with the cure, for the layer alone.",
                 of(&LayerAccuracy::cured_engine, &Difference::sqnr_db));
  return kFields;
}

const record::Document<LayerAccuracies>& layer_accuracy_document() {
  static const record::Document<LayerAccuracies> kDocument = {
      "planex.layer-accuracy/1",
      "A quantized model against its float one: planex accuracy --format json",
      Fields<LayerAccuracies>("LayerAccuracies", "What a quantized model loses, and where.")
          .field("reference", "", "The float model.", &LayerAccuracies::reference)
          .field("subject", "", "The quantized model.", &LayerAccuracies::subject)
          .maybe("engine_outputs", "",
                 "Where the engine's outputs were read from; null: OpenVINO's engine ran here.",
                 &LayerAccuracies::engine_outputs)
          .maybe("engine_outputs_format", "", "Which program wrote them.",
                 &LayerAccuracies::engine_outputs_format)
          .field("sample_count", "count", "Samples that both ran on.",
                 &LayerAccuracies::sample_count)
          .list("simulated", "Outputs: float to the quantized model's own arithmetic.",
                judged_fields(), &LayerAccuracies::simulated)
          .list("engine", "Outputs: float to the engine.", judged_fields(),
                &LayerAccuracies::engine)
          .list("engine_to_simulated", "Outputs: the model's own arithmetic to the engine.",
                judged_fields(), &LayerAccuracies::engine_to_simulated)
          .field("fault", "",
                 "Whose fault the outputs' loss is: none, model, engine, both; unknown: nothing "
                 "shows it.",
                 [](const LayerAccuracies& result) { return to_string(result.fault); })
          .list("labels",
                "Results against the labels of the samples; empty: no labels, or no classes.",
                label_fields(), &LayerAccuracies::labels)
          .list("metrics", "Results of the user's own programs.", metric_fields(),
                &LayerAccuracies::metrics)
          .list("layers", "Tensors in the order of the float model.", layer_accuracy_fields(),
                &LayerAccuracies::layers)
          .object("bisection", "What --bisect found; null: not requested.", bisection_fields(),
                  &LayerAccuracies::bisection)
          .object("cured", "What --cured wrote; null: not requested.", cured_fields(),
                  &LayerAccuracies::cured)
          .list("maps", "What --maps drew, of the tensors that lose most.", drawn_map_fields(),
                &LayerAccuracies::maps)
          .object("extracted", "What --extract wrote; null: not requested.", extracted_fields(),
                  &LayerAccuracies::extracted)
          .field("compile_count", "count", "Compilations of the engine, to verify the taps.",
                 &LayerAccuracies::compile_count)
          .maybe("runtime_version", "", "The OpenVINO that ran the models.",
                 &LayerAccuracies::runtime_version)
          .maybe("isa", "", "Instructions of the processor that they ran on.",
                 &LayerAccuracies::isa)
          .field("has_vnni", "", "The processor adds products of 8 bits in 32 bits.",
                 &LayerAccuracies::has_vnni)
          .field("notes", "", "What the user should know.", &LayerAccuracies::notes)};
  return kDocument;
}

}  // namespace planex::render
