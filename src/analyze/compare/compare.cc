#include "analyze/compare/compare.h"

#include <algorithm>
#include <functional>

#include "analyze/complete/complete_accuracy.h"
#include "base/text.h"

namespace planex::analyze {
namespace {

using Values = std::vector<std::optional<double>>;

std::optional<double> real_or_null(std::optional<std::int64_t> value) {
  return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

class Table {
 public:
  explicit Table(std::span<const EngineToCompare> engines) : engines_(engines) {}

  void add(std::string metric, std::string label, std::string unit, Better better,
           const std::function<std::optional<double>(const EngineToCompare&)>& value,
           bool is_detail = false) {
    TotalRow row{std::move(metric), std::move(label), std::move(unit), better, {}, is_detail};
    for (const EngineToCompare& engine : engines_) row.values.push_back(value(engine));
    const bool any = std::ranges::any_of(row.values, [](const auto& v) { return v.has_value(); });
    if (any) rows_.push_back(std::move(row));
  }

  std::vector<TotalRow> take() { return std::move(rows_); }

 private:
  std::span<const EngineToCompare> engines_;
  std::vector<TotalRow> rows_;
};

std::optional<double> per_item(std::optional<double> value, std::optional<std::int64_t> batch) {
  if (!value || !batch || *batch <= 0) return std::nullopt;
  return *value / static_cast<double>(*batch);
}

std::vector<GroupRow> align_groups(std::span<const EngineToCompare> engines,
                                   std::vector<Group> Summary::* groups) {
  std::vector<GroupRow> rows;
  for (std::size_t i = 0; i < engines.size(); ++i) {
    for (const Group& group : engines[i].summary->*groups) {
      auto row = std::ranges::find(rows, group.key, &GroupRow::key);
      if (row == rows.end()) {
        const Values nothing(engines.size());
        row = rows.insert(rows.end(), {.key = group.key,
                                       .family = group.family,
                                       .median_ms = nothing,
                                       .mean_ms = nothing,
                                       .count = nothing,
                                       .share = nothing,
                                       .item_ms = nothing,
                                       .speed_up = nothing});
      }
      row->share[i] = group.share;
      row->median_ms[i] = group.median_ms;
      row->mean_ms[i] = group.mean_ms;
      row->count[i] = static_cast<double>(group.count);
      row->item_ms[i] = per_item(group.median_ms ? group.median_ms : group.mean_ms,
                                 engines[i].model->engine.batch_size.get(0));
    }
  }
  const auto ratio = [](const Values& times, std::size_t i) -> std::optional<double> {
    return times[0] && times[i] && *times[i] > 0 ? std::optional(*times[0] / *times[i])
                                                 : std::nullopt;
  };
  for (GroupRow& row : rows) {
    for (std::size_t i = 0; i < engines.size(); ++i) {
      const auto of_medians = ratio(row.median_ms, i);
      row.speed_up[i] = of_medians ? of_medians : ratio(row.mean_ms, i);
    }
  }
  return rows;
}

std::optional<double> count_where(const EngineToCompare& engine,
                                  const std::function<bool(std::size_t)>& condition) {
  double count = 0;
  for (std::size_t row = 0; row < engine.model->layers.row_count(); ++row) {
    if (engine.model->does_work(model::LayerId(row)) && condition(row)) ++count;
  }
  return count;
}

std::vector<TotalRow> totals_of(std::span<const EngineToCompare> engines) {
  Table table(engines);
  const auto end_to_end = [](const EngineToCompare& e) -> std::optional<double> {
    return e.summary->time.end_to_end ? e.summary->time.end_to_end->median_ms : std::nullopt;
  };
  const auto layer_sum = [](const EngineToCompare& e) { return e.summary->time.layers_ms(); };
  const bool all_end_to_end =
      std::ranges::all_of(engines, [&](const auto& e) { return end_to_end(e).has_value(); });
  table.add("end_to_end_median_ms", "end to end", "ms", Better::kLower, end_to_end);
  const auto base = all_end_to_end ? end_to_end(engines[0]) : layer_sum(engines[0]);
  table.add(
      all_end_to_end ? "speed_up_ratio" : "layer_speed_up_ratio",
      base::format("speed-up over {}{}", engines[0].label, all_end_to_end ? "" : ", by Σ layers"),
      "ratio", Better::kHigher, [&](const EngineToCompare& e) -> std::optional<double> {
        const auto time = all_end_to_end ? end_to_end(e) : layer_sum(e);
        return base && time && *time > 0 ? std::optional(*base / *time) : std::nullopt;
      });
  const auto batch_of = [](const EngineToCompare& e) { return e.model->engine.batch_size.get(0); };
  const bool one_batch = std::ranges::all_of(
      engines, [&](const auto& e) { return batch_of(e) == batch_of(engines[0]); });
  table.add(
      "item_time_ms", "end to end per item of the batch", "ms", Better::kLower,
      [&](const EngineToCompare& e) -> std::optional<double> {
        return per_item(end_to_end(e), batch_of(e));
      },
      one_batch);
  table.add(
      "inferences_per_s", "inferences", "per_s", Better::kHigher,
      [](const EngineToCompare& e) { return e.summary->time.throughput_per_s; }, true);
  table.add("items_per_s", "throughput, batch items", "per_s", Better::kHigher,
            [&](const EngineToCompare& e) -> std::optional<double> {
              const auto rate = e.summary->time.throughput_per_s;
              const auto batch = batch_of(e);
              if (!rate || !batch || *batch <= 0) return std::nullopt;
              return *rate * static_cast<double>(*batch);
            });
  table.add("layers_time_ms", "Σ layers", "ms", Better::kLower, layer_sum);
  table.add("layer_count", "layers", "count", Better::kNeither,
            [](const auto& e) { return real_or_null(e.summary->layer_count); });
  table.add("reformat_count", "reformats", "count", Better::kLower,
            [](const auto& e) -> std::optional<double> {
              return e.summary->reformats ? real_or_null(e.summary->reformats->count)
                                          : std::nullopt;
            });
  table.add("reformat_share_ratio", "reformats, of Σ layers", "share", Better::kLower,
            [](const auto& e) -> std::optional<double> {
              return e.summary->reformats ? e.summary->reformats->share : std::nullopt;
            });
  table.add("float_output_count", "layers that write floats", "count", Better::kNeither,
            [](const auto& e) -> std::optional<double> {
              if (e.model->ports.row_count() == 0) return std::nullopt;
              return count_where(e, [&](std::size_t row) {
                return model::is_float(e.model->layers.output_precision[row]);
              });
            });
  table.add("activation_bytes", "activation traffic", "bytes", Better::kLower,
            [](const auto& e) { return real_or_null(e.summary->activation_bytes); });
  table.add("activation_written_bytes", "activations written", "bytes", Better::kLower,
            [](const auto& e) -> std::optional<double> {
              std::optional<double> sum;
              const model::LayersTable& layers = e.model->layers;
              for (std::size_t row = 0; row < layers.row_count(); ++row) {
                if (!e.model->does_work(model::LayerId(row))) continue;
                if (const auto bytes = layers.output_bytes.get(row)) {
                  sum = sum.value_or(0) + static_cast<double>(*bytes);
                }
              }
              return sum;
            });
  table.add("weight_bytes", "weights", "bytes", Better::kLower,
            [](const auto& e) { return real_or_null(e.summary->weight_bytes); });
  table.add(
      "footprint_bytes", "bytes moved", "bytes", Better::kLower,
      [](const auto& e) { return real_or_null(e.summary->footprint_bytes); }, true);
  table.add("peak_activation_bytes", "peak activations", "bytes", Better::kLower,
            [](const auto& e) { return real_or_null(e.summary->memory.peak.bytes); });
  table.add("flops", "work", "flops", Better::kNeither,
            [](const auto& e) { return real_or_null(e.summary->flops); });
  table.add("outputs_simulated_db", "SQNR of the outputs, simulated", "dB", Better::kHigher,
            [](const auto& e) { return end_accuracy(*e.model).simulated_db; });
  table.add("outputs_engine_db", "SQNR of the outputs, in the engine", "dB", Better::kHigher,
            [](const auto& e) { return end_accuracy(*e.model).engine_db; });
  table.add("finding_warning_count", "warnings", "count", Better::kLower,
            [](const auto& e) -> std::optional<double> {
              const std::int64_t count = e.summary->findings.warning + e.summary->findings.error;
              // Without tensors beside it, no rule can check: the absence of warnings then proves
              // nothing.
              if (count == 0 && e.model->ports.row_count() == 0) return std::nullopt;
              return real_or_null(count);
            });
  return table.take();
}

bool is_word_end(char c) { return c == '-' || c == '_' || c == '.' || c == ' ' || c == '/'; }

}  // namespace

std::vector<std::string> short_labels(std::span<const std::string> names) {
  std::vector<std::string> labels(names.begin(), names.end());
  if (labels.size() < 2) return labels;
  // The longest prefix, and then suffix, that all share and that ends at a word boundary.
  const auto common_end = [&](bool reversed) {
    std::size_t length = 0, cut = 0;
    while (true) {
      const auto at = [&](const std::string& label) -> int {
        if (length >= label.size()) return -1;
        return static_cast<unsigned char>(reversed ? label[label.size() - 1 - length]
                                                   : label[length]);
      };
      const int c = at(labels.front());
      if (c < 0 || !std::ranges::all_of(labels, [&](const auto& l) { return at(l) == c; })) break;
      ++length;
      if (is_word_end(static_cast<char>(c))) cut = length;
    }
    return cut;
  };
  for (const bool reversed : {false, true}) {
    const std::size_t cut = common_end(reversed);
    const bool leaves_all =
        std::ranges::all_of(labels, [&](const std::string& l) { return l.size() > cut; });
    if (!leaves_all) continue;
    for (std::string& label : labels) {
      label = reversed ? label.substr(0, label.size() - cut) : label.substr(cut);
    }
  }
  for (std::size_t i = 0; i < labels.size(); ++i) {
    std::size_t repeats = 0;
    for (std::size_t j = 0; j < i; ++j) {
      if (names[j] == names[i]) ++repeats;
    }
    if (repeats > 0) labels[i] += base::format(" #{}", repeats + 1);
  }
  return labels;
}

Comparison compare_totals(std::span<const EngineToCompare> engines) {
  Comparison comparison;
  if (engines.empty()) return comparison;
  for (const EngineToCompare& engine : engines) {
    comparison.engines.push_back({std::string(engine.model->text(engine.model->engine.name[0])),
                                  engine.label, engine.model, engine.summary->time.basis});
  }
  comparison.totals = totals_of(engines);
  comparison.by_type = align_groups(engines, &Summary::by_type);
  comparison.by_precision = align_groups(engines, &Summary::by_precision);
  comparison.by_output_precision = align_groups(engines, &Summary::by_output_precision);
  return comparison;
}

std::vector<MeasuredRun> measured_runs(const EngineToCompare& engine) {
  return engine.runs.empty() ? std::vector{measure_run(*engine.model)} : engine.runs;
}

EngineDifference difference_of(std::span<const EngineToCompare> engines, std::size_t base,
                               std::size_t engine, const Alignment& alignment,
                               std::span<const std::vector<MeasuredRun>> runs,
                               const GateOptions& gate) {
  const auto side = [&](std::size_t i) {
    return Side{engines[i].model, engines[i].summary->time.basis};
  };
  return {.engine = engine,
          .base = base,
          .layers = compare_layers(side(base), side(engine), alignment),
          .types = compare_types(*engines[base].model, *engines[engine].model),
          .verdict = judge(runs[base], runs[engine], gate),
          .settings = setting_differences(*engines[base].model, *engines[engine].model),
          .tactics = tactic_differences(*engines[base].model, *engines[engine].model),
          .are_unrelated = are_unrelated(alignment)};
}

namespace {

// A ratio of the times of two different models says nothing about either.
void leave_out_speed_ups_of_strangers(Comparison& comparison) {
  const auto is_speed_up = [](const TotalRow& row) {
    return row.metric == "speed_up_ratio" || row.metric == "layer_speed_up_ratio";
  };
  for (const EngineDifference& difference : comparison.differences) {
    if (!difference.are_unrelated) continue;
    for (TotalRow& row : comparison.totals) {
      if (is_speed_up(row)) row.values[difference.engine].reset();
    }
    for (auto* rows :
         {&comparison.by_type, &comparison.by_precision, &comparison.by_output_precision}) {
      for (GroupRow& row : *rows) row.speed_up[difference.engine].reset();
    }
  }
  // The base has no speed-up over itself.
  std::erase_if(comparison.totals, [&](const TotalRow& row) {
    return is_speed_up(row) && row.values.size() > 1 &&
           std::none_of(row.values.begin() + 1, row.values.end(),
                        [](const auto& value) { return value.has_value(); });
  });
}

}  // namespace

Comparison compare(std::span<const EngineToCompare> engines, const CompareOptions& options) {
  Comparison comparison = compare_totals(engines);
  std::vector<std::vector<MeasuredRun>> runs;
  std::vector<EngineLedger> ledgers;
  for (const EngineToCompare& engine : engines) {
    runs.push_back(measured_runs(engine));
    ledgers.push_back(ledger_of(*engine.model, engine.summary->time.basis));
  }
  std::vector<Alignment> alignments;
  for (std::size_t i = 1; i < engines.size(); ++i) {
    alignments.push_back(align(*engines[0].model, *engines[i].model, options.rule));
    comparison.differences.push_back(
        difference_of(engines, 0, i, alignments.back(), runs, options.gate));
  }
  leave_out_speed_ups_of_strangers(comparison);
  std::vector<const Alignment*> to_first;
  std::vector<const PairList*> lists;
  for (std::size_t i = 0; i + 1 < engines.size(); ++i) {
    to_first.push_back(&alignments[i]);
    lists.push_back(&comparison.differences[i].layers);
  }
  comparison.rows = merge_rows(lists);
  comparison.ledger = compare_ledgers(ledgers, to_first);
  return comparison;
}

}  // namespace planex::analyze
