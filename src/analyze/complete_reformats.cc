#include "analyze/complete_reformats.h"

#include "analyze/remark.h"
#include "base/text.h"
#include "graph/data_flow.h"

namespace planex::analyze {
namespace {

using model::Family;
using model::LayerId;

// "Reformatting CopyNode for Input Tensor 0 to Conv_0": every version since 5 names its own copies
// so, and nothing else.
constexpr std::string_view kCopyNode = "Reformatting CopyNode for ";

}  // namespace

void complete_reformats(model::PlanModel& model) {
  model::LayersTable& layers = model.layers;
  std::size_t by_name = 0, without_family = 0;
  for (std::size_t row = 0; row < layers.row_count(); ++row) {
    if (!model.does_work(LayerId(row)) || !layers.family.is_null(row)) continue;
    ++without_family;
    if (!model.text(layers.name[row]).starts_with(kCopyNode)) continue;
    layers.family.set(row, Family::kReformat);
    ++by_name;
  }
  if (by_name > 0) {
    remark_once(
        model, "reformats-by-name",
        base::format("{} of {} without a type {} named as a reformat, and {} taken for {}", by_name,
                     base::counted(without_family, "layer"), by_name == 1 ? "is" : "are",
                     by_name == 1 ? "is" : "are", by_name == 1 ? "one" : "reformats"));
  }
  const graph::DataFlow flow(model, graph::GeneratedKernels::kMayConvert);
  for (std::size_t row = 0; row < layers.row_count(); ++row) {
    const LayerId layer(row);
    if (!model.does_work(layer) || layers.family.is_null(row)) continue;
    const bool converts = layers.family[row] == Family::kReformat || flow.is_conversion(layer);
    layers.is_reformat.set(row, converts ? 1 : 0);
  }
}

}  // namespace planex::analyze
