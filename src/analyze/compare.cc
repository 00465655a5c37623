#include "analyze/compare.h"

#include <algorithm>
#include <functional>

#include "base/text.h"

namespace planex::analyze {
namespace {

using Values = std::vector<std::optional<double>>;

std::optional<double> real(std::optional<std::int64_t> value) {
  return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

std::optional<double> sum_under_basis(const Reconciliation& time) {
  return time.basis == TimeBasis::kMedian ? time.layers_median_ms : time.layers_mean_ms;
}

class Table {
 public:
  explicit Table(std::span<const EngineToCompare> engines) : engines_(engines) {}

  void add(std::string metric, std::string label, std::string unit, Better better,
           const std::function<std::optional<double>(const EngineToCompare&)>& value) {
    TotalRow row{std::move(metric), std::move(label), std::move(unit), better, {}};
    for (const EngineToCompare& engine : engines_) row.values.push_back(value(engine));
    const bool any = std::ranges::any_of(row.values, [](const auto& v) { return v.has_value(); });
    if (any) rows_.push_back(std::move(row));
  }

  std::vector<TotalRow> take() { return std::move(rows_); }

 private:
  std::span<const EngineToCompare> engines_;
  std::vector<TotalRow> rows_;
};

std::vector<GroupRow> align_groups(std::span<const EngineToCompare> engines,
                                   std::vector<Group> Summary::* groups) {
  std::vector<GroupRow> rows;
  for (std::size_t i = 0; i < engines.size(); ++i) {
    for (const Group& group : engines[i].summary->*groups) {
      auto row = std::ranges::find(rows, group.key, &GroupRow::key);
      if (row == rows.end()) {
        const Values nothing(engines.size());
        row = rows.insert(rows.end(), {group.key, group.family, nothing, nothing, nothing});
      }
      row->median_ms[i] = group.median_ms;
      row->mean_ms[i] = group.mean_ms;
      row->count[i] = static_cast<double>(group.count);
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
  const auto layer_sum = [](const EngineToCompare& e) { return sum_under_basis(e.summary->time); };
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
  table.add("layers_time_ms", "Σ layers", "ms", Better::kLower, layer_sum);
  table.add("layer_count", "layers", "count", Better::kNeither,
            [](const auto& e) { return real(e.summary->layer_count); });
  table.add("reformat_count", "reformats", "count", Better::kLower, [](const auto& e) {
    return count_where(e, [&](std::size_t row) {
      return e.model->layers.family[row] == model::Family::kReformat;
    });
  });
  table.add("reformat_share_ratio", "reformats, of Σ layers", "share", Better::kLower,
            [](const auto& e) -> std::optional<double> {
              if (e.summary->time.basis == TimeBasis::kNone) return std::nullopt;
              return e.summary->reformats ? e.summary->reformats->share : 0.0;
            });
  table.add("float_output_count", "layers that write floats", "count", Better::kNeither,
            [](const auto& e) -> std::optional<double> {
              if (e.model->ports.row_count() == 0) return std::nullopt;
              return count_where(e, [&](std::size_t row) {
                return model::is_float(e.model->layers.output_precision[row]);
              });
            });
  table.add("activation_bytes", "activation traffic", "bytes", Better::kLower,
            [](const auto& e) { return real(e.summary->activation_bytes); });
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
            [](const auto& e) { return real(e.summary->weight_bytes); });
  table.add("flops", "work", "flops", Better::kNeither,
            [](const auto& e) { return real(e.summary->flops); });
  table.add("finding_warning_count", "warnings", "count", Better::kLower, [](const auto& e) {
    return real(e.summary->findings.warning + e.summary->findings.error);
  });
  return table.take();
}

bool is_boundary(char c) { return c == '-' || c == '_' || c == '.' || c == ' ' || c == '/'; }

}  // namespace

std::vector<std::string> short_labels(std::span<const std::string> names) {
  std::vector<std::string> labels(names.begin(), names.end());
  if (labels.size() < 2) return labels;
  // The longest prefix, and then suffix, that all share and that ends at a word's end.
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
      if (is_boundary(static_cast<char>(c))) cut = length;
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
    comparison.engines.push_back(
        {std::string(engine.model->text(engine.model->engine.name[0])), engine.label});
  }
  comparison.totals = totals_of(engines);
  comparison.by_type = align_groups(engines, &Summary::by_type);
  comparison.by_precision = align_groups(engines, &Summary::by_precision);
  comparison.by_output_precision = align_groups(engines, &Summary::by_output_precision);
  return comparison;
}

}  // namespace planex::analyze
