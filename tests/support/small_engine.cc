#include "support/small_engine.h"

namespace planex::test {
namespace {

void add_ports(model::ModelBuilder& builder, model::LayerId layer, model::Direction direction,
               const std::vector<SmallPort>& ports, const Usual& usual) {
  for (const SmallPort& port : ports) {
    const std::string_view layout = port.layout.value_or(usual.layout);
    builder.add_port(layer, direction,
                     {.tensor = port.tensor,
                      .dims = port.dims.empty() ? usual.dims : port.dims,
                      .dtype = port.dtype,
                      .layout = layout.empty() ? model::Layout{} : model::layout_of(layout)});
  }
}

}  // namespace

model::PlanModel small_engine(std::string_view producer, const std::vector<SmallLayer>& layers,
                              const std::vector<std::string_view>& bindings, const Usual& usual) {
  model::ModelBuilder builder;
  builder.model().engine.producer.set(0, builder.strings().intern(producer));
  for (const SmallLayer& facts : layers) {
    const model::LayerId layer = builder.add_layer(builder.strings().add(facts.name));
    model::LayersTable& table = builder.model().layers;
    table.type.set(layer.index(), builder.strings().intern(facts.type));
    table.family.set(layer.index(), facts.family);
    table.role.set(layer.index(), facts.role);
    table.median_ms.set(layer.index(), facts.median_ms);
    if (!facts.origin.empty()) {
      table.origin.set(layer.index(), builder.strings().intern(facts.origin));
    }
    if (!facts.kernel.empty()) {
      builder.add_attribute(layer, builder.strings().intern("Kernel"),
                            builder.strings().intern(facts.kernel), model::ValueType::kArray);
    }
    add_ports(builder, layer, model::Direction::kInput, facts.inputs, usual);
    add_ports(builder, layer, model::Direction::kOutput, facts.outputs, usual);
  }
  for (const std::string_view name : bindings) {
    builder.add_binding(name, model::Direction::kNull);
  }
  return builder.finish();
}

}  // namespace planex::test
