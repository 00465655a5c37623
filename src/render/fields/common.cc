#include "render/fields/common.h"

#include <functional>
#include <optional>
#include <string_view>

namespace planex::render {

using model::LayerId;
using model::PlanModel;
using model::TensorId;
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

const Fields<LayerId, PlanModel>& named_layer_fields() {
  static const auto kFields =
      Fields<LayerId, PlanModel>("NamedLayer", "A layer.")
          .field("layer_id", "", "Position of the record in the engine's own list.",
                 std::identity{})
          .never_null()
          .field("name", "", "Its name.",
                 [](LayerId layer, const PlanModel& model) {
                   return model.text(model.layers.name[layer.index()]);
                 })
          .with(layer_type_fields());
  return kFields;
}

const Fields<TensorId, PlanModel>& tensor_fields() {
  static const auto kFields =
      Fields<TensorId, PlanModel>("Tensor", "A tensor.")
          .field("tensor_id", "", "Row of the table of tensors.",
                 [](TensorId tensor) { return tensor.index(); })
          .field("tensor", "", "Its name.", [](TensorId tensor, const PlanModel& model) {
            return model.text(model.tensors.name[tensor.index()]);
          });
  return kFields;
}

}  // namespace planex::render
