#include "render/fields/common.h"

#include <functional>
#include <optional>
#include <string_view>

namespace planex::render {

using analyze::LayerTotals;
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

const Fields<PlanModel>& producer_fields() {
  static const auto kFields =
      Fields<PlanModel>("Producer", "An engine, what made it, and what it ran on.")
          .field("name", "", "Name of the engine.",
                 [](const PlanModel& model) { return model.text(model.engine.name[0]); })
          .maybe("producer", "", "tensorrt, tensorrt-rtx, openvino or onnxruntime.",
                 [](const PlanModel& model) { return model.text(model.engine.producer[0]); })
          .maybe(
              "producer_version", "", "Version of the producer, as exactly as the files record it.",
              [](const PlanModel& model) { return model.text(model.engine.producer_version[0]); })
          .maybe("device", "", "What the engine was built for or measured on.",
                 [](const PlanModel& model) { return model.text(model.engine.device[0]); });
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

const Fields<LayerTotals>& totals_fields() {
  static const auto kFields =
      Fields<LayerTotals>("LayerTotals", "Sums over some of an engine's layers.")
          .field("count", "count", "Layers.", &LayerTotals::count)
          .field("time_ms", "ms", "Sum of the known values.", &LayerTotals::time_ms)
          .field("share", "ratio", "Share of the sum of all layer times.", &LayerTotals::share)
          .field("io_bytes", "bytes", "Activations read and written, without padding.",
                 &LayerTotals::io_bytes)
          .field("without_time", "count", "Layers missing from the sum of times.",
                 &LayerTotals::without_time)
          .field("without_bytes", "count", "Layers missing from the sum of bytes.",
                 &LayerTotals::without_bytes);
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
