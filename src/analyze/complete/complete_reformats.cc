#include "analyze/complete/complete_reformats.h"

#include "graph/data_flow.h"

namespace planex::analyze {

using model::Family;
using model::LayerId;

void complete_reformats(model::PlanModel& model) {
  model::LayersTable& layers = model.layers;
  const graph::DataFlow flow(model, graph::GeneratedKernels::kMayConvert);
  for (std::size_t row = 0; row < layers.row_count(); ++row) {
    const LayerId layer(row);
    if (!model.does_work(layer) || layers.family.is_null(row)) continue;
    const bool converts = layers.family[row] == Family::kReformat || flow.is_conversion(layer);
    layers.is_reformat.set(row, converts ? 1 : 0);
  }
}

}  // namespace planex::analyze
