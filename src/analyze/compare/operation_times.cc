#include "analyze/compare/operation_times.h"
#include "analyze/work/sums.h"

#include <algorithm>
#include <map>

namespace planex::analyze {
namespace {

using model::LayerId;

}  // namespace

OperationTimes operation_times(
    const model::PlanModel& model, TimeBasis basis, std::size_t count,
    const std::function<std::optional<std::uint32_t>(std::string_view name)>& index_of) {
  OperationTimes times{.basis = basis, .layers = exact_times(model, basis)};
  times.of_operation.resize(count);
  times.part.resize(count);
  times.whole.resize(count);
  const EngineLedger ledger = ledger_of(model, basis);
  if (ledger.total) times.on_operations = 0;

  auto share = ledger.shares.begin();
  std::map<std::uint32_t, OperationLayer> of_layer;  // by operation; a layer has few
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    const LayerId layer(row);
    of_layer.clear();
    bool is_placed = false;
    for (; share != ledger.shares.end() && share->layer == layer; ++share) {
      const auto index = index_of(ledger.operations[share->operation].name);
      if (!index) continue;
      is_placed = true;
      OperationLayer& entry = of_layer[*index];
      add_to(entry.part, share->time);
      add_to(times.on_operations, share->time);
      entry.rule = std::min(entry.rule.value_or(share->rule), share->rule);
      entry.is_reformat_for_it = share->is_reformat_for_it;
    }
    if (!model.is_shown(layer)) continue;
    const model::RowRange sources = model.sources_of(layer);
    for (std::size_t source = sources.first; source < sources.end(); ++source) {
      if (const auto index = index_of(model.text(model.sources.op_name[source]))) of_layer[*index];
    }
    if (!is_placed && model.does_work(layer)) ++times.layers_elsewhere;
    std::uint32_t position = 0;
    for (auto& [index, entry] : of_layer) {
      entry.layer = layer;
      entry.position = ++position;
      entry.count = static_cast<std::uint32_t>(of_layer.size());
      add_to(times.part[index], entry.part);
      add_to(times.whole[index], times.layers.of_layer[row]);
      times.of_operation[index].push_back(entry);
    }
  }
  if (ledger.total) times.elsewhere = *ledger.total - *times.on_operations;
  return times;
}

}  // namespace planex::analyze
