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
  return Fields<CuredModel>("CuredModel", "The quantized model with the cures of engine faults.")
      .field("path", "", "Where it was written.", &CuredModel::path)
      .field("narrowed", "", "Weights that are on 7 bits now.", &CuredModel::narrowed)
      .field("unsigned_tensors", "", "Tensors that are uint8 with zero point 128 now.",
             &CuredModel::unsigned_tensors)
      .list("simulated", "Outputs: float to its own arithmetic.", judged_fields(),
            &CuredModel::simulated)
      .list("engine", "Outputs: float to the engine that is made of it.", judged_fields(),
            &CuredModel::engine);
}

Fields<quantize::DifferenceMap> drawn_map_fields() {
  using quantize::DifferenceMap;
  return Fields<DifferenceMap>("LayerMap", "Where in a tensor the differences lie.")
      .field("tensor", "", "Its name.", &DifferenceMap::tensor)
      .field("shown", "",
             "float: |x| in the float model; simulated, engine: how far the model's own "
             "arithmetic, or the engine, is from that.",
             &DifferenceMap::shown)
      .one_of({"float", "simulated", "engine"})
      .field("channels", "count", "Channels that a cell is the mean of.",
             [](const DifferenceMap& map) { return map.planes.channels; })
      .field("tensor_height", "count", "Height of the tensor itself.",
             [](const DifferenceMap& map) { return map.planes.height; })
      .field("tensor_width", "count", "Its width.",
             [](const DifferenceMap& map) { return map.planes.width; })
      .field("height", "count", "Rows of cells, 64 at most.", &DifferenceMap::height)
      .field("width", "count", "Columns of cells, 64 at most.", &DifferenceMap::width)
      .field("step", "", "What 1 in cells stands for: the largest cell is 255.",
             &DifferenceMap::step)
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
             "An .npz with what goes into the part, and what the one without Q/DQ makes of it.",
             &ExtractedModel::data_path)
      .field("tensor", "", "The tensor or weight at fault, or what the layer writes.",
             &ExtractedModel::tensor)
      .maybe("node", "", "The node that makes it; of a weight, the one that reads it.",
             &ExtractedModel::node)
      .field("fault", "", "Whose fault it shows: model or engine.",
             [](const ExtractedModel& part) { return to_string(part.fault); })
      .field("sample", "", "The sample of the data that goes through it.", &ExtractedModel::sample)
      .field("node_count", "count", "Nodes of the part, with those of constants.",
             &ExtractedModel::node_count)
      .field("inputs", "", "Its inputs.", &ExtractedModel::inputs)
      .field("outputs", "", "Its outputs.", &ExtractedModel::outputs)
      .list("simulated", "Its outputs: float to its own arithmetic.", judged_fields(),
            &ExtractedModel::simulated)
      .list("engine", "Its outputs: float to the engine that is made of it.", judged_fields(),
            &ExtractedModel::engine)
      .field("command", "", "Shows the fault again.", &ExtractedModel::command);
}

Fields<Bisection> bisection_fields() {
  return Fields<Bisection>("Bisection", "What loses most, in the model's own arithmetic.")
      .field("kind", "",
             "scale: of a tensor, it does not fit its values; weight: one far from the float "
             "model's; layer: one that loses most whatever its scales; none.",
             [](const Bisection& found) { return to_string(found.kind); })
      .maybe("tensor", "", "The tensor, the weight, or what the layer writes.", &Bisection::tensor)
      .maybe("node", "", "The node that makes it; of a weight, the one that reads it.",
             &Bisection::node)
      .maybe("part", "",
             "What a Concat joins in the tensor and the scale does not fit; null: all of it.",
             &Bisection::part)
      .field("scale", "", "The scale that is there.", &Bisection::scale)
      .field("best_scale", "", "The one with the least error on this data.", &Bisection::best_scale)
      .field("own_db", "dB", "SQNR of the tensor or weight by itself.", &Bisection::own_db)
      .field("best_db", "dB", "The same with the best scale.", &Bisection::best_db)
      .field("before_db", "dB", "The worst output as the model is.", &Bisection::before_db)
      .field("after_db", "dB", "The same with what was found in float.", &Bisection::after_db)
      .field("compile_count", "count", "Compilations that it took.", &Bisection::compile_count)
      .field("steps", "", "What was tried, in order.", &Bisection::steps);
}

}  // namespace

const Fields<LayerAccuracy>& layer_accuracy_fields() {
  static const auto kFields =
      Fields<LayerAccuracy>("LayerLoss", "A tensor that both models have.")
          .field("tensor", "", "Its name.", &LayerAccuracy::tensor)
          .maybe("node", "", "The node that makes it, in the float model.", &LayerAccuracy::node)
          .field("op_type", "", "What the node is.", &LayerAccuracy::op_type)
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
                 "Whether looking at the tensor left the engine's outputs bit for bit the same: "
                 "verified, disturbed; missing: the engine's reader knows no such tensor.",
                 &LayerAccuracy::tap)
          .maybe("seen_tensor", "",
                 "What was looked at in the engine instead, as the tensor itself disturbs it: what "
                 "an activation or pair behind it writes. null: the tensor itself.",
                 &LayerAccuracy::seen_tensor)
          .field("alone_simulated_db", "dB",
                 "With all other layers in float: SQNR of the model's own arithmetic at the worst "
                 "output; null: not run alone.",
                 of(&LayerAccuracy::alone_simulated, &Difference::sqnr_db))
          .field("alone_engine_db", "dB", "The same of the engine.",
                 of(&LayerAccuracy::alone_engine, &Difference::sqnr_db))
          .field("fault", "",
                 "Whose fault the layer's loss is: none, model, engine, both; unknown: not run "
                 "alone.",
                 [](const LayerAccuracy& layer) { return to_string(layer.fault); })
          .field("cause", "",
                 "Why the engine is at fault: saturation, cured by weights on 7 bits; sign, cured "
                 "by uint8; both; unknown; none: it is not.",
                 [](const LayerAccuracy& layer) { return to_string(layer.cause); })
          .field("cured_engine_db", "dB", "SQNR of the engine with the cure, the layer alone.",
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
          .maybe("engine_outputs_format", "", "What wrote them.",
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
                 "to tell it by.",
                 [](const LayerAccuracies& result) { return to_string(result.fault); })
          .list("labels", "Against the labels of the samples; empty: none, or no classes.",
                label_fields(), &LayerAccuracies::labels)
          .list("metrics", "By programs of the user's own.", metric_fields(),
                &LayerAccuracies::metrics)
          .list("layers", "Tensors in the order of the float model.", layer_accuracy_fields(),
                &LayerAccuracies::layers)
          .object("bisection", "What --bisect found; null: not asked for.", bisection_fields(),
                  &LayerAccuracies::bisection)
          .object("cured", "What --cured wrote; null: not asked for.", cured_fields(),
                  &LayerAccuracies::cured)
          .list("maps", "What --maps drew, of the tensors that lose most.", drawn_map_fields(),
                &LayerAccuracies::maps)
          .object("extracted", "What --extract wrote; null: not asked for.", extracted_fields(),
                  &LayerAccuracies::extracted)
          .field("compile_count", "count", "Compilations of the engine, to verify the taps.",
                 &LayerAccuracies::compile_count)
          .maybe("runtime_version", "", "The OpenVINO that ran the models.",
                 &LayerAccuracies::runtime_version)
          .maybe("isa", "", "Instructions of the processor that they ran on.",
                 &LayerAccuracies::isa)
          .field("has_vnni", "", "The processor adds products of 8 bits in 32.",
                 &LayerAccuracies::has_vnni)
          .field("notes", "", "What the user should know.", &LayerAccuracies::notes)};
  return kDocument;
}

}  // namespace planex::render
