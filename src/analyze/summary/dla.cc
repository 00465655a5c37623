#include "analyze/summary/dla.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "analyze/work/sums.h"

namespace planex::analyze {
namespace {

using model::LayerId;
using model::PlanModel;

// As the readers write them.
constexpr std::string_view kPart = "DLA", kWait = "DLA wait", kTransfer = "DLA transfer";

bool is_part(const PlanModel& model, std::size_t row) {
  return model.text(model.layers.type[row]) == kPart;
}

void count_layers(const PlanModel& model, const Reconciliation& time, DlaReport& report) {
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    if (!model.is_shown(LayerId(row))) continue;
    const std::string_view type = model.text(model.layers.type[row]);
    const auto ms = layer_time(model, row, time.basis);
    if (type == kPart) {
      ++report.part_count;
      add_to(report.part_ms, ms);
    } else if (type == kWait) {
      add_to(report.wait_ms, ms);
    } else if (type == kTransfer) {
      ++report.transfer_count;
      add_to(report.transfer_ms, ms);
    } else if (model.does_work(LayerId(row))) {
      ++report.gpu_layer_count;
    }
  }
  if (report.wait_ms) report.wait_share = time.share(report.wait_ms);
}

void count_shared_tensors(const PlanModel& model, DlaReport& report) {
  std::unordered_set<std::size_t> of_dla, of_gpu;
  bool has_ports = false;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    const LayerId layer(row);
    if (!model.is_shown(layer) || !model.does_work(layer)) continue;
    const bool on_dla = is_part(model, row);
    const model::RowRange ports = model.ports_of(layer);
    has_ports = has_ports || (on_dla && ports.count > 0);
    for (std::size_t port = ports.first; port < ports.end(); ++port) {
      const model::TensorId tensor = model.ports.tensor_id[port];
      if (!tensor.is_null()) (on_dla ? of_dla : of_gpu).insert(tensor.index());
    }
  }
  if (!has_ports) return;
  report.shared_tensor_count =
      std::ranges::count_if(of_dla, [&](std::size_t tensor) { return of_gpu.contains(tensor); });
}

void add_fallbacks(const PlanModel& model, DlaReport& report) {
  const model::MetadataTable& table = model.metadata;
  std::unordered_map<std::string_view, std::string_view> types;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    if (model.text(table.section[row]) == "dla_fallback_types") {
      types.emplace(model.text(table.key[row]), model.text(table.value[row]));
    }
  }
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> group_of;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    if (model.text(table.section[row]) != "dla_fallbacks") continue;
    ++report.fallback_count;
    const std::string_view layer = model.text(table.key[row]);
    const std::string_view reason = model.text(table.value[row]);
    const auto type = types.find(layer);
    const std::string_view type_text = type == types.end() ? std::string_view() : type->second;
    const auto [group, is_new] = group_of.try_emplace({type_text, reason}, report.fallbacks.size());
    if (is_new) {
      report.fallbacks.push_back(
          {.type = std::string(type_text), .reason = std::string(reason), .layers = {}});
    }
    report.fallbacks[group->second].layers.emplace_back(layer);
  }
  std::ranges::stable_sort(report.fallbacks, std::ranges::greater(),
                           [](const DlaFallbacks& group) { return group.layers.size(); });
}

}  // namespace

std::optional<DlaReport> find_dla(const PlanModel& model, const Reconciliation& time) {
  DlaReport report;
  count_layers(model, time, report);
  add_fallbacks(model, report);
  if (report.part_count == 0 && report.transfer_count == 0 && !report.wait_ms &&
      report.fallbacks.empty()) {
    return std::nullopt;
  }
  count_shared_tensors(model, report);
  return report;
}

}  // namespace planex::analyze
