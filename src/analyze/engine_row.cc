#include "analyze/engine_row.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "analyze/complete/complete_accuracy.h"

namespace planex::analyze {

namespace {

std::string main_precision(const Summary& summary) {
  const Group* most = nullptr;
  const auto weight = [](const Group& group) {
    return std::pair(group.share.value_or(0), group.count);
  };
  for (const Group& group : summary.by_precision) {
    if (most == nullptr || weight(*most) < weight(group)) most = &group;
  }
  return most == nullptr ? std::string() : most->key;
}

}  // namespace

EngineFigures engine_row(const model::PlanModel& model, const Summary& summary) {
  const model::EngineTable& engine = model.engine;
  const auto text = [&](const auto& column) { return std::string(model.text(column[0])); };
  EngineFigures row{.name = text(engine.name),
                    .producer = text(engine.producer),
                    .producer_version = text(engine.producer_version),
                    .device = text(engine.device),
                    .detail = text(engine.detail),
                    .basis = summary.time.basis,
                    .layer_count = summary.layer_count,
                    .weight_bytes = summary.weight_bytes,
                    .findings = summary.findings,
                    .precision = main_precision(summary)};
  if (!engine.batch_size.is_null(0)) row.batch_size = engine.batch_size[0];
  if (summary.time.end_to_end) row.end_to_end_median_ms = summary.time.end_to_end->median_ms;
  row.layers_ms = summary.time.layers_ms();
  const EndAccuracy end = end_accuracy(model);
  row.outputs_simulated_db = end.simulated_db;
  row.outputs_engine_db = end.engine_db;
  return row;
}

std::vector<RunTrend> run_trends(std::span<const DatedRow> rows) {
  using Key = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view,
                         std::optional<std::int64_t>>;
  std::map<Key, std::size_t> places;
  std::vector<RunTrend> trends;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const EngineFigures* row = rows[i].row;
    if (row == nullptr || !row->end_to_end_median_ms || !rows[i].modified_ns) continue;
    const auto [place, is_new] = places.try_emplace(
        Key(row->name, row->producer, row->device, row->precision, row->batch_size), trends.size());
    if (is_new) trends.emplace_back();
    trends[place->second].rows.push_back(i);
  }
  std::erase_if(trends, [](const RunTrend& trend) { return trend.rows.size() < 2; });
  for (RunTrend& trend : trends) {
    std::ranges::stable_sort(trend.rows, {},
                             [&](std::size_t index) { return *rows[index].modified_ns; });
    std::optional<double> before;
    for (const std::size_t index : trend.rows) {
      const double median_ms = *rows[index].row->end_to_end_median_ms;
      const bool has_ratio = before && *before > 0;
      trend.change_ratio.push_back(has_ratio ? std::optional(median_ms / *before - 1)
                                             : std::nullopt);
      before = median_ms;
    }
  }
  return trends;
}

}  // namespace planex::analyze
