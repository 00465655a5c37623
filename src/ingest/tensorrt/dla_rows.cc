#include "ingest/tensorrt/dla_rows.h"

#include "ingest/families.h"

namespace planex::ingest::tensorrt {

std::string_view dla_row_type(std::string_view name) {
  if (name.ends_with(" from nvm")) return kDlaWait;
  if (name.ends_with(" to nvm") || name.ends_with(" copy finish")) return kDlaTransfer;
  return {};
}

void set_dla_type(model::LayerId layer, std::string_view type, model::ModelBuilder& builder) {
  model::LayersTable& layers = builder.model().layers;
  if (!layers.type.is_null(layer.index())) return;
  layers.type.set(layer.index(), builder.strings().intern(type));
  layers.family.set(layer.index(), type == kDlaTransfer                   ? model::Family::kReformat
                                   : type == kDlaPart || type == kDlaWait ? model::Family::kOpaque
                                                                          : family_of(type));
}

void type_dla_rows(model::ModelBuilder& builder) {
  const model::PlanModel& model = builder.model();
  bool has_wait = false;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    const std::string_view type = dla_row_type(model.text(model.layers.name[row]));
    // "X copy finish" alone is ambiguous; the memory between the two is called nvm.
    has_wait = has_wait || type == kDlaWait;
  }
  if (!has_wait) return;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    const std::string_view name = model.text(model.layers.name[row]);
    std::string_view type = dla_row_type(name);
    // Before 8.0 a part is named after all its layers, from then on after its first and last.
    if (name.starts_with('{') && name.ends_with('}')) type = kDlaPart;
    if (!type.empty()) set_dla_type(model::LayerId(row), type, builder);
  }
}

}  // namespace planex::ingest::tensorrt
