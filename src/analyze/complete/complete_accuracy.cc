#include "analyze/complete/complete_accuracy.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <unordered_map>

namespace planex::analyze {
namespace {

using model::LayerId;
using model::PlanModel;

// The layer that computes an operation, by the operation's name.
class LayersOfOperations {
 public:
  explicit LayersOfOperations(const PlanModel& model) : model_(model) {
    const model::SourcesTable& sources = model.sources;
    for (std::size_t row = 0; row < sources.row_count(); ++row) {
      const LayerId layer = sources.layer_id[row];
      if (!model.does_work(layer)) continue;
      LayerId& found = layers_[model.text(sources.op_name[row])];
      // A conversion is named after what it converts.
      if (found.is_null() || model.is_reformat(found) || !model.is_reformat(layer)) found = layer;
    }
  }

  LayerId of(base::StringId operation, base::StringId tensor) const {
    for (const base::StringId name : {operation, tensor}) {
      if (name.is_null()) continue;
      const auto found = layers_.find(model_.text(name));
      if (found != layers_.end()) return found->second;
    }
    return {};
  }

 private:
  const PlanModel& model_;
  std::unordered_map<std::string_view, LayerId> layers_;
};

bool is_openvino(const PlanModel& model) {
  return model.text(model.engine.producer[0]) == "openvino";
}

// The lowest figure of one comparison in one record.
std::optional<double> least(const PlanModel& model, std::string_view record,
                            std::string_view compared) {
  const model::AccuracyOutputsTable& table = model.accuracy_outputs;
  std::optional<double> result;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    if (model.text(table.record[row]) != record || model.text(table.compared[row]) != compared) {
      continue;
    }
    const auto sqnr_db = table.sqnr_db.get(row);
    if (sqnr_db) result = std::min(result.value_or(*sqnr_db), *sqnr_db);
  }
  return result;
}

}  // namespace

void complete_accuracy(PlanModel& model) {
  model::CalibrationTable& calibration = model.calibration;
  model::AccuracyTable& accuracy = model.accuracy;
  model::FrontLayersTable& front = model.front_layers;
  if (calibration.row_count() + accuracy.row_count() + front.row_count() == 0) return;
  const LayersOfOperations layers(model);
  for (std::size_t row = 0; row < calibration.row_count(); ++row) {
    calibration.layer_id.set(row, layers.of(calibration.op_name[row], calibration.tensor[row]));
  }
  for (std::size_t row = 0; row < front.row_count(); ++row) {
    front.layer_id.set(row, layers.of(front.op_name[row], {}));
  }
  const bool is_of_engine = is_openvino(model);
  for (std::size_t row = 0; row < accuracy.row_count(); ++row) {
    const LayerId layer = layers.of(accuracy.op_name[row], accuracy.tensor[row]);
    accuracy.layer_id.set(row, layer);
    if (layer.is_null()) continue;
    model.layers.simulated_db.set(layer.index(), accuracy.simulated_db.get(row));
    if (is_of_engine) model.layers.engine_db.set(layer.index(), accuracy.engine_db.get(row));
  }
}

EndAccuracy end_accuracy(const PlanModel& model) {
  EndAccuracy end;
  for (const std::string_view record : {"accuracy", "quantize", "search"}) {
    end.simulated_db = least(model, record, "simulated");
    if (is_openvino(model)) end.engine_db = least(model, record, "engine");
    if (end.simulated_db || end.engine_db) break;
  }
  return end;
}

EndAccuracy accuracy_of(const PlanModel& model, std::span<const LayerId> layers) {
  EndAccuracy last;
  for (const LayerId layer : layers) {
    const auto simulated = model.layers.simulated_db.get(layer.index());
    const auto engine = model.layers.engine_db.get(layer.index());
    if (simulated || engine) last = {simulated, engine};
  }
  return last;
}

bool have_accuracy(const PlanModel& one, const PlanModel& two) {
  return one.accuracy.row_count() > 0 && two.accuracy.row_count() > 0;
}

}  // namespace planex::analyze
