// Small models by hand, for what no real engine shows.
#ifndef PLANEX_LINT_TEST_MODEL_H_
#define PLANEX_LINT_TEST_MODEL_H_

#include <optional>
#include <string_view>
#include <vector>

#include "model/builder.h"

namespace planex::lint {

struct TestPort {
  std::string_view tensor;
  model::DType dtype = model::DType::kFp32;
  std::vector<std::int64_t> dims = {1, 64, 56, 56};
};

struct TestLayer {
  std::string_view name;
  std::string_view type;
  model::Family family = model::Family::kOther;
  std::vector<TestPort> inputs;
  std::vector<TestPort> outputs;
  std::optional<double> median_ms;
  model::Role role = model::Role::kWork;
};

inline model::PlanModel make_model(std::string_view producer, const std::vector<TestLayer>& layers,
                                   const std::vector<std::string_view>& bindings) {
  model::ModelBuilder builder;
  builder.model().engine.producer.set(0, builder.strings().intern(producer));
  for (const TestLayer& facts : layers) {
    const model::LayerId layer = builder.add_layer(builder.strings().add(facts.name));
    model::LayersTable& table = builder.model().layers;
    table.type.set(layer.index(), builder.strings().intern(facts.type));
    table.family.set(layer.index(), facts.family);
    table.role.set(layer.index(), facts.role);
    table.median_ms.set(layer.index(), facts.median_ms);
    for (const auto direction : {model::Direction::kInput, model::Direction::kOutput}) {
      for (const TestPort& port :
           direction == model::Direction::kInput ? facts.inputs : facts.outputs) {
        builder.add_port(layer, direction,
                         {.tensor = port.tensor, .dims = port.dims, .dtype = port.dtype});
      }
    }
  }
  for (const std::string_view name : bindings) {
    builder.add_binding(name, model::Direction::kNull);
  }
  return builder.finish();
}

}  // namespace planex::lint

#endif  // PLANEX_LINT_TEST_MODEL_H_
