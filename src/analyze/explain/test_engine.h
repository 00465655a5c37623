// Small engines by hand, for tests of explanations: sizes and times are completed as for users.
#ifndef PLANEX_ANALYZE_EXPLAIN_TEST_ENGINE_H_
#define PLANEX_ANALYZE_EXPLAIN_TEST_ENGINE_H_

#include <optional>
#include <string_view>
#include <vector>

#include "analyze/complete.h"
#include "model/builder.h"

namespace planex::analyze {

struct PortOfTest {
  std::string_view tensor;
  model::DType dtype = model::DType::kFp32;
  std::string_view layout = "NCHW";
  std::vector<std::int64_t> dims = {1, 32, 8, 8};
};

struct LayerOfTest {
  std::string_view name;
  std::string_view type;
  model::Family family = model::Family::kOther;
  std::vector<PortOfTest> inputs;
  std::vector<PortOfTest> outputs;
  std::optional<double> median_ms;
  std::string_view origin = {};
  model::Role role = model::Role::kWork;
};

struct EngineOfTest {
  model::PlanModel model;
  Reconciliation time;
};

inline EngineOfTest make_engine(std::string_view producer, const std::vector<LayerOfTest>& layers,
                                const std::vector<std::string_view>& bindings) {
  model::ModelBuilder builder;
  builder.model().engine.producer.set(0, builder.strings().intern(producer));
  for (const LayerOfTest& facts : layers) {
    const model::LayerId layer = builder.add_layer(builder.strings().add(facts.name));
    model::LayersTable& table = builder.model().layers;
    table.type.set(layer.index(), builder.strings().intern(facts.type));
    table.family.set(layer.index(), facts.family);
    table.role.set(layer.index(), facts.role);
    table.median_ms.set(layer.index(), facts.median_ms);
    table.mean_ms.set(layer.index(), facts.median_ms);
    if (!facts.origin.empty()) {
      table.origin.set(layer.index(), builder.strings().intern(facts.origin));
    }
    for (const auto direction : {model::Direction::kInput, model::Direction::kOutput}) {
      for (const PortOfTest& port :
           direction == model::Direction::kInput ? facts.inputs : facts.outputs) {
        builder.add_port(layer, direction,
                         {.tensor = port.tensor,
                          .dims = port.dims,
                          .dtype = port.dtype,
                          .layout = model::layout_of(port.layout)});
      }
    }
  }
  for (const std::string_view name : bindings) {
    builder.add_binding(name, model::Direction::kNull);
  }
  EngineOfTest engine{builder.finish(), {}};
  engine.time = complete(engine.model);
  return engine;
}

}  // namespace planex::analyze

#endif  // PLANEX_ANALYZE_EXPLAIN_TEST_ENGINE_H_
