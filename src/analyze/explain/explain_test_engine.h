// Small hand-made engines for tests of explanations: sizes and times are completed as for users.
#pragma once

#include <string_view>
#include <vector>

#include "analyze/complete/complete.h"
#include "support/small_engine.h"

namespace planex::analyze {

using LayerOfTest = test::SmallLayer;

struct EngineOfTest {
  model::PlanModel model;
  Reconciliation time;
};

inline EngineOfTest make_engine(std::string_view producer, const std::vector<LayerOfTest>& layers,
                                const std::vector<std::string_view>& bindings) {
  EngineOfTest engine{
      test::small_engine(producer, layers, bindings, {.dims = {1, 32, 8, 8}, .layout = "NCHW"}),
      {}};
  model::LayersTable& table = engine.model.layers;
  for (std::size_t row = 0; row < layers.size(); ++row) {
    table.mean_ms.set(row, layers[row].median_ms);
  }
  engine.time = complete(engine.model);
  return engine;
}

}  // namespace planex::analyze
