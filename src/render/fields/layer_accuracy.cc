#include "render/fields/layer_accuracy.h"

#include "render/fields/quantize.h"

namespace planex::render {
namespace {

using arrays::Difference;
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
          .field(
              "alone_simulated_db", "dB",
              "With all other layers in float: SQNR of the model's own arithmetic at the outputs.",
              of(&LayerAccuracy::alone_simulated, &Difference::sqnr_db))
          .field("alone_engine_db", "dB", "The same of the engine.",
                 of(&LayerAccuracy::alone_engine, &Difference::sqnr_db));
  return kFields;
}

const record::Document<LayerAccuracies>& layer_accuracy_document() {
  static const record::Document<LayerAccuracies> kDocument = {
      "planex.layer-accuracy/1",
      "A quantized model against its float one: planex accuracy --format json",
      Fields<LayerAccuracies>("LayerAccuracies", "What a quantized model loses, and where.")
          .field("reference", "", "The float model.", &LayerAccuracies::reference)
          .field("subject", "", "The quantized model.", &LayerAccuracies::subject)
          .field("sample_count", "count", "Samples that both ran on.",
                 &LayerAccuracies::sample_count)
          .list("simulated", "Outputs: float to the quantized model's own arithmetic.",
                judged_fields(), &LayerAccuracies::simulated)
          .list("engine", "Outputs: float to the engine.", judged_fields(),
                &LayerAccuracies::engine)
          .list("engine_to_simulated", "Outputs: the model's own arithmetic to the engine.",
                judged_fields(), &LayerAccuracies::engine_to_simulated)
          .list("layers", "Tensors in the order of the float model.", layer_accuracy_fields(),
                &LayerAccuracies::layers)
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
