#include "analyze/summary/summary.h"

#include <algorithm>
#include <map>
#include <utility>

#include "analyze/work/bodies.h"
#include "analyze/work/branches.h"
#include "analyze/work/sums.h"
#include "analyze/work/work.h"
#include "base/checked.h"

namespace planex::analyze {
namespace {

using model::PlanModel;
using model::Role;

// Sum of what is known; null where nothing is, and where the sum overflows. Groups the layers that
// do work by a word; `word_of` returns an empty view for "not known".
template <typename WordOf>
std::vector<Group> group_by(const PlanModel& model, const Reconciliation& time, WordOf word_of) {
  const model::LayersTable& layers = model.layers;
  std::map<std::string_view, Group> groups;
  for (std::size_t row = 0; row < layers.row_count(); ++row) {
    if (!model.does_work(model::LayerId(row))) continue;
    const std::string_view word = word_of(row);
    Group& group = groups[word];
    if (group.count++ == 0) {
      group.key = word;
      group.family = layers.family[row];
    }
    // Some layers of unknown type have a family from their names.
    if (word.empty() && group.family != layers.family[row]) group.family = model::Family::kNull;
    add_to(group.median_ms, layers.median_ms.get(row));
    add_to(group.mean_ms, layers.mean_ms.get(row));
    add_to(group.share, layers.share.get(row));
  }
  std::vector<Group> result;
  for (auto& [word, group] : groups) {
    if (time.basis != TimeBasis::kMedian) group.median_ms.reset();
    result.push_back(std::move(group));
  }
  std::ranges::stable_sort(result, [](const Group& a, const Group& b) {
    return std::pair(a.share.value_or(-1), a.count) > std::pair(b.share.value_or(-1), b.count);
  });
  return result;
}

void fill_bindings(const PlanModel& model, Summary& summary) {
  const model::BindingsTable& table = model.bindings;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const auto dims = table.dims[row];
    Binding binding{.name = std::string(model.text(table.name[row])),
                    .dims = {dims.begin(), dims.end()},
                    .dims_known = !table.dims.is_null(row),
                    .dtype = table.dtype[row],
                    .layout = table.layout[row]};
    const model::Direction direction = table.direction[row];
    auto& list = direction == model::Direction::kOutput  ? summary.outputs
                 : direction == model::Direction::kInput ? summary.inputs
                                                         : summary.bindings;
    list.push_back(std::move(binding));
  }
}

// Layers that may have products: where their work is not known, the sum is a lower bound.
bool may_have_products(const PlanModel& model, std::size_t row) {
  switch (model.layers.family[row]) {
    case model::Family::kConvolution:
    case model::Family::kGemm:
    case model::Family::kPlugin:
      return true;
    case model::Family::kOpaque:
      return named_product(model.text(model.layers.name[row])) != NamedProduct::kNone;
    default:
      return false;
  }
}

// Whether `column` is not known for layers that contain whole subgraphs and that take nearly all of
// the time, or exist while nothing has a time.
bool bodies_hide_most(const PlanModel& model, const model::Int& column) {
  // For a model, the nodes around its subgraphs are all there is to report.
  if (model.is_uncompiled()) return false;
  constexpr double kMax = 0.9;
  double share = 0;
  bool is_hidden = false, is_timed = false;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    const auto of_layer = model.layers.share.get(row);
    is_timed = is_timed || of_layer;
    if (!column.is_null(row) || !is_body(model, row)) continue;
    is_hidden = true;
    share += of_layer.value_or(0);
  }
  return is_hidden && (!is_timed || share >= kMax);
}

void fill_totals(const PlanModel& model, Summary& summary) {
  const model::LayersTable& layers = model.layers;
  summary.record_count = static_cast<std::int64_t>(layers.row_count());
  summary.tensor_count = static_cast<std::int64_t>(model.tensors.row_count());
  for (std::size_t row = 0; row < layers.row_count(); ++row) {
    if (!model.does_work(model::LayerId(row))) continue;
    ++summary.layer_count;
    if (layers.footprint_bytes.is_null(row)) ++summary.layers_without_footprint;
    if (layers.io_bytes.is_null(row)) ++summary.layers_without_bytes;
    if (layers.flops.is_null(row) && may_have_products(model, row)) {
      ++summary.layers_without_flops;
    }
  }
  const Branches branches(model);
  const auto activation_bytes = branches.total(layers.io_bytes).most;
  Total moved;
  moved.add(activation_bytes);
  moved.add(branches.total(layers.weight_bytes).most);
  summary.memory = summarize_memory(model);
  if (summary.memory.traffic_bytes) summary.activation_bytes = activation_bytes;
  // A bound that leaves out nearly all of the engine says nothing.
  if (bodies_hide_most(model, layers.weight_bytes)) summary.memory.weight_bytes.reset();
  summary.weight_bytes = summary.memory.weight_bytes;
  if (!bodies_hide_most(model, layers.flops)) {
    const Branches::Range macs = branches.total(layers.macs), flops = branches.total(layers.flops);
    summary.macs = macs.most;
    summary.flops = flops.most;
    if (macs.least != macs.most) summary.least_macs = macs.least;
    if (flops.least != flops.most) summary.least_flops = flops.least;
  }
  // Where the tensors have no sizes, the size of the weights is still known.
  const bool is_withheld = activation_bytes && !summary.memory.traffic_bytes;
  if (!is_withheld) summary.footprint_bytes = moved.value();
}

void fill_top_layers(const PlanModel& model, Summary& summary) {
  constexpr std::size_t kMax = 10;
  std::vector<LayerFigure> figures;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    if (!model.is_shown(model::LayerId(row))) continue;
    const auto time = layer_time(model, row, summary.time.basis);
    if (time && *time > 0) figures.push_back({model::LayerId(row), time});
  }
  const std::size_t kept = std::min(kMax, figures.size());
  std::ranges::partial_sort(figures, figures.begin() + static_cast<std::ptrdiff_t>(kept),
                            [](const LayerFigure& a, const LayerFigure& b) {
                              return *a.time_ms != *b.time_ms ? *a.time_ms > *b.time_ms
                                                              : a.layer < b.layer;
                            });
  figures.resize(kept);
  summary.top_layers = std::move(figures);
}

void fill_diagnostics(const PlanModel& model, Summary& summary) {
  const model::DiagnosticsTable& table = model.diagnostics;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const std::string_view code = model.text(table.code[row]);
    auto group = std::ranges::find(summary.diagnostics, code, &DiagnosticGroup::code);
    if (group == summary.diagnostics.end()) {
      group = summary.diagnostics.insert(
          summary.diagnostics.end(),
          DiagnosticGroup{.code = std::string(code),
                          .message = std::string(model.text(table.message[row])),
                          .file = std::string(model.text(table.file[row])),
                          .severity = table.severity[row]});
    }
    ++group->count;
  }
}

FindingCounts count_findings(const PlanModel& model) {
  FindingCounts counts;
  for (const model::Severity severity : model.findings.severity.values()) {
    switch (severity) {
      case model::Severity::kError:
        ++counts.error;
        break;
      case model::Severity::kWarning:
        ++counts.warning;
        break;
      default:
        ++counts.info;
        break;
    }
  }
  return counts;
}

}  // namespace

Group sum_of(std::span<const Group> groups) {
  Group sum;
  for (const Group& group : groups) {
    sum.count += group.count;
    add_to(sum.median_ms, group.median_ms);
    add_to(sum.mean_ms, group.mean_ms);
    add_to(sum.share, group.share);
  }
  return sum;
}

Summary summarize(const PlanModel& model) { return summarize(model, reconcile(model)); }

Summary summarize(const PlanModel& model, Reconciliation time) {
  return summarize(model, std::move(time), find_steady_state(model));
}

Summary summarize(const PlanModel& model, Reconciliation time, std::optional<SteadyState> state) {
  Summary summary;
  summary.time = std::move(time);
  summary.steady_state = std::move(state);
  summary.machine = find_machine_state(model, summary.steady_state);
  fill_bindings(model, summary);
  fill_totals(model, summary);
  const model::LayersTable& layers = model.layers;
  summary.by_type =
      group_by(model, summary.time, [&](std::size_t row) { return model.text(layers.type[row]); });
  const auto by_dtype = [&](const model::Column<model::DType>& column) {
    auto groups =
        group_by(model, summary.time, [&](std::size_t row) { return to_string(column[row]); });
    for (Group& group : groups) group.family = model::Family::kNull;
    return groups;
  };
  summary.by_precision = by_dtype(layers.precision);
  summary.by_output_precision = by_dtype(layers.output_precision);
  fill_top_layers(model, summary);
  summary.reformats = reformats_of(model, summary.time);
  summary.headline = find_headline(model, summary.time);
  summary.dla = find_dla(model, summary.time);
  summary.providers = find_providers(model, summary.time);
  summary.host_times = find_host_times(model, summary.time);
  BuildTime build = find_build_time(model);
  if (build.build_s || !build.phases.empty()) summary.build = std::move(build);
  summary.concurrency = find_concurrency(model, summary.time, summary.steady_state);
  summary.streams = find_streams(model);
  summary.accuracy_warnings = find_accuracy_warnings(model);
  summary.findings = count_findings(model);
  fill_diagnostics(model, summary);
  summary.missing = missing_pieces(model);
  return summary;
}

}  // namespace planex::analyze
