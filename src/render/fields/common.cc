#include "render/fields/common.h"

#include <functional>
#include <optional>
#include <string_view>

namespace planex::render {

using model::LayerId;
using model::PlanModel;
using record::Fields;

const Fields<LayerId, PlanModel>& layer_fields() {
  static const auto kFields =
      Fields<LayerId, PlanModel>("Layer", "A layer.")
          .field("layer_id", "", "Position of the record in the engine's own list.",
                 [](LayerId layer) { return layer.index(); })
          .field("layer", "", "Its name.", [](LayerId layer, const PlanModel& model) {
            return model.text(model.layers.name[layer.index()]);
          });
  return kFields;
}

const Fields<LayerId, PlanModel>& maybe_layer_fields() {
  static const auto kFields =
      Fields<LayerId, PlanModel>("MaybeLayer", "A layer, or none.")
          .field("layer_id", "", "Position of the record in the engine's own list.",
                 std::identity{})
          .field("layer", "", "Its name.", [](LayerId layer, const PlanModel& model) {
            return layer.is_null() ? std::nullopt
                                   : std::optional(model.text(model.layers.name[layer.index()]));
          });
  return kFields;
}

const Fields<LayerId, PlanModel>& layer_type_fields() {
  static const auto kFields =
      Fields<LayerId, PlanModel>("LayerType", "Type of a layer.")
          .maybe("type", "", "What the layer does, in the producer's terms.",
                 [](LayerId layer, const PlanModel& model) {
                   return layer.is_null() ? std::string_view()
                                          : model.text(model.layers.type[layer.index()]);
                 });
  return kFields;
}

const Fields<PlanModel>& producer_fields() {
  static const auto kFields =
      Fields<PlanModel>("Producer", "An engine, what made it, and what it ran on.")
          .field("name", "", "Name of the engine.",
                 [](const PlanModel& model) { return model.text(model.engine.name[0]); })
          .maybe("producer", "", "tensorrt, tensorrt-rtx, openvino or onnxruntime.",
                 [](const PlanModel& model) { return model.text(model.engine.producer[0]); })
          .maybe(
              "producer_version", "", "Version of the producer, as exactly as the files tell.",
              [](const PlanModel& model) { return model.text(model.engine.producer_version[0]); })
          .maybe("device", "", "What the engine was built for or measured on.",
                 [](const PlanModel& model) { return model.text(model.engine.device[0]); });
  return kFields;
}

}  // namespace planex::render
