#include "analyze/explain/kernels.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "analyze/timing/totals.h"

namespace planex::analyze {
namespace {

using model::LayerId;
using model::PlanModel;

void add(std::optional<double>& sum, double value) { sum = sum.value_or(0) + value; }

bool has_diagnostic(const PlanModel& model, std::string_view code) {
  const base::StringId id = model.strings.find(code);
  return !id.is_null() && std::ranges::find(model.diagnostics.code.values(), id) !=
                              model.diagnostics.code.values().end();
}

// Rows of layers come in the order of their launch; files of other tools can have them in any
// order.
std::vector<std::size_t> rows_of_layers(const PlanModel& model) {
  const model::KernelsTable& kernels = model.kernels;
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < kernels.row_count(); ++row) {
    const LayerId layer = kernels.layer_id[row];
    if (!layer.is_null() && model.is_shown(layer)) rows.push_back(row);
  }
  std::ranges::stable_sort(rows, {}, [&](std::size_t row) {
    return std::pair(kernels.layer_id[row], kernels.index[row]);
  });
  return rows;
}

void explain_layers(const PlanModel& model, const LayerTimes& times, KernelExplanation& result) {
  const model::KernelsTable& kernels = model.kernels;
  const std::vector<std::size_t> rows = rows_of_layers(model);
  result.launches = static_cast<std::int64_t>(rows.size());
  std::size_t at = 0;
  for (std::size_t index = 0; index < model.layers.row_count(); ++index) {
    const LayerId layer(index);
    LayerKernels of{.layer = layer};
    while (at < rows.size() && kernels.layer_id[rows[at]] == layer) of.rows.push_back(rows[at++]);
    if (!model.is_shown(layer)) continue;
    of.time_ms = times.of(layer);
    if (of.rows.empty()) {
      if (!model.does_work(layer)) continue;
      ++result.without_kernels;
      if (of.time_ms) add(result.without_kernels_ms, *of.time_ms);
      continue;
    }
    result.with_kernels += model.does_work(layer) ? 1 : 0;
    of.kernel_ms = model.layers.kernel_ms.get(index);
    if (of.kernel_ms) add(result.kernels_ms, *of.kernel_ms);
    if (of.kernel_ms && of.time_ms && !result.are_times_of_kernels) {
      of.difference_ms = *of.time_ms - *of.kernel_ms;
      add(result.compared_layers_ms, *of.time_ms);
      add(result.compared_kernels_ms, *of.kernel_ms);
    }
    for (const std::size_t row : of.rows) {
      result.inferences = std::max(result.inferences, kernels.count.get(row).value_or(0));
    }
    result.layers.push_back(std::move(of));
  }
  if (result.compared_layers_ms) {
    result.difference_ms = *result.compared_layers_ms - *result.compared_kernels_ms;
    if (*result.compared_layers_ms > 0) {
      result.difference_share = *result.difference_ms / *result.compared_layers_ms;
    }
  }
  for (LayerKernels& of : result.layers) {
    if (of.kernel_ms && result.kernels_ms.value_or(0) > 0) {
      of.share = *of.kernel_ms / *result.kernels_ms;
    }
  }
  result.by_time.resize(result.layers.size());
  std::iota(result.by_time.begin(), result.by_time.end(), std::size_t{0});
  std::ranges::stable_sort(result.by_time, std::ranges::greater(),
                           [&](std::size_t i) { return result.layers[i].kernel_ms.value_or(-1); });
}

void sum_by_kernel(const PlanModel& model, KernelExplanation& result) {
  const model::KernelsTable& kernels = model.kernels;
  std::unordered_map<std::size_t, std::size_t> place;  // by string
  std::vector<LayerId> last_layer;
  double sum = 0;
  for (const LayerKernels& of : result.layers) {
    for (const std::size_t row : of.rows) {
      const base::StringId name = kernels.name[row];
      const auto key = name.is_null() ? static_cast<std::size_t>(-1) : name.index();
      const auto [found, is_new] = place.try_emplace(key, result.kernels.size());
      if (is_new) {
        result.kernels.push_back({.name = name});
        last_layer.emplace_back();
      }
      KernelTotals& totals = result.kernels[found->second];
      ++totals.rows;
      LayerId& last = last_layer[found->second];
      totals.layers += last == of.layer ? 0 : 1;
      last = of.layer;
      const double ms = kernels.median_us.get(row).value_or(0) / 1000;
      totals.time_ms += ms;
      sum += ms;
    }
  }
  for (KernelTotals& totals : result.kernels) {
    if (sum > 0) totals.share = totals.time_ms / sum;
  }
  std::ranges::sort(result.kernels, [&](const KernelTotals& a, const KernelTotals& b) {
    return std::tuple(-a.time_ms, model.text(a.name)) < std::tuple(-b.time_ms, model.text(b.name));
  });
}

void list_others(const PlanModel& model, KernelExplanation& result) {
  const model::KernelsTable& kernels = model.kernels;
  for (std::size_t row = 0; row < kernels.row_count(); ++row) {
    if (!kernels.layer_id[row].is_null()) continue;
    // Only kernels that belong to an inference have a start in it.
    OtherKernels& others = kernels.start_us.is_null(row) ? result.elsewhere : result.between;
    others.rows.push_back(row);
    others.launches += kernels.count.get(row).value_or(0);
    others.total_ms += kernels.total_ms.get(row).value_or(0);
  }
  for (OtherKernels* others : {&result.between, &result.elsewhere}) {
    std::ranges::stable_sort(others->rows, std::ranges::greater(), [&](std::size_t row) {
      return kernels.total_ms.get(row).value_or(0);
    });
  }
}

}  // namespace

KernelExplanation explain_kernels(const PlanModel& model, const Reconciliation& time) {
  KernelExplanation result;
  const LayerTimes times(model, time);
  result.basis = times.basis();
  result.layers_ms = times.sum_ms();
  result.are_times_of_kernels = has_diagnostic(model, "times-from-kernels");
  if (time.end_to_end) result.end_to_end_ms = time.end_to_end->median_ms;
  explain_layers(model, times, result);
  sum_by_kernel(model, result);
  list_others(model, result);
  result.streams = find_streams(model);
  return result;
}

}  // namespace planex::analyze
