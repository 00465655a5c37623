// Totals of several engines side by side. Pairs of layers are another analysis.
#ifndef PLANEX_ANALYZE_COMPARE_H_
#define PLANEX_ANALYZE_COMPARE_H_

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analyze/summary.h"
#include "model/plan_model.h"

namespace planex::analyze {

enum class Better { kLower, kHigher, kNeither };

// One figure of every engine; values[i] belongs to engines[i].
struct TotalRow {
  std::string metric;  // permanent id with its unit: end_to_end_median_ms
  std::string label;
  // ms, bytes, flops, share (0 to 1, of what the label says), ratio (a factor) or count.
  std::string unit;
  Better better = Better::kNeither;
  std::vector<std::optional<double>> values;
};

// One type or precision; null where an engine has no layer of it.
struct GroupRow {
  std::string key;
  model::Family family = model::Family::kNull;
  std::vector<std::optional<double>> median_ms, mean_ms;
  std::vector<std::optional<double>> count;
};

struct ComparedEngine {
  std::string name;
  // Short and unique among the engines.
  std::string label;
};

struct Comparison {
  std::vector<ComparedEngine> engines;
  std::vector<TotalRow> totals;
  // By the first engine that has them, in its order.
  std::vector<GroupRow> by_type, by_precision, by_output_precision;
};

struct EngineToCompare {
  std::string label;
  const model::PlanModel* model = nullptr;
  const Summary* summary = nullptr;
};

// Speed-ups are ratios of end-to-end medians against the first engine; where one has none, ratios
// of the sums of layer times, and the row says so.
Comparison compare_totals(std::span<const EngineToCompare> engines);

// Short, unique labels from names: parts that all names share at their start and end are cut at
// word boundaries, and repeated names are numbered.
std::vector<std::string> short_labels(std::span<const std::string> names);

}  // namespace planex::analyze

#endif  // PLANEX_ANALYZE_COMPARE_H_
