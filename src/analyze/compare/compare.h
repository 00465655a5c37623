// Compares several engines: totals, layers in pairs, operations, and a verdict.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analyze/align/alignment.h"
#include "analyze/compare/ledger.h"
#include "analyze/compare/pairs.h"
#include "analyze/compare/rows.h"
#include "analyze/compare/settings.h"
#include "analyze/compare/tactics.h"
#include "analyze/compare/types.h"
#include "analyze/summary/summary.h"
#include "analyze/verdict/verdict.h"
#include "model/plan_model.h"

namespace planex::analyze {

enum class Better { kLower, kHigher, kNeither };

// One figure for every engine; values[i] belongs to engines[i].
struct TotalRow {
  std::string metric;  // permanent id with its unit: end_to_end_median_ms
  std::string label;
  // ms, bytes, flops, share (0 to 1, of what the label says), ratio (a factor), per_s, dB
  // or count.
  std::string unit;
  Better better = Better::kNeither;
  std::vector<std::optional<double>> values;
  // Repeats what other rows say for these engines: a screen can leave it out.
  bool is_detail = false;
};

// One type or precision; null where an engine has no layer of it.
struct GroupRow {
  std::string key;
  model::Family family = model::Family::kNull;
  std::vector<std::optional<double>> median_ms, mean_ms;
  std::vector<std::optional<double>> count;
  // Of the sum of the engine's layer times.
  std::vector<std::optional<double>> share;
  // The median, else the mean, for one item of the engine's batch.
  std::vector<std::optional<double>> item_ms;
  // The first engine's time ÷ this one's; medians where both have them, else means.
  std::vector<std::optional<double>> speed_up;
};

struct ComparedEngine {
  std::string name;
  // Short and unique among the engines.
  std::string label;
  // Outlives the comparison.
  const model::PlanModel* model = nullptr;
  TimeBasis basis = TimeBasis::kNone;
};

// Two engines: the base (a) and the candidate (b).
struct EngineDifference {
  std::size_t engine = 0;  // b
  std::size_t base = 0;    // a
  PairList layers;
  std::vector<TypeChange> types;
  Verdict verdict;
  std::vector<SettingDifference> settings;
  // Where logs of both builds have them.
  std::optional<TacticDifferences> tactics = {};
  // Probably different models: a change of time then says nothing.
  bool are_unrelated = false;
};

struct Comparison {
  std::vector<ComparedEngine> engines;
  std::vector<TotalRow> totals;
  // By the first engine that has them, in its order.
  std::vector<GroupRow> by_type, by_precision, by_output_precision;
  // One per engine after the first, which is their base. The following are empty for
  // compare_totals.
  std::vector<EngineDifference> differences;
  std::vector<EngineRow> rows;
  // Views into the models.
  Ledger ledger;
};

struct EngineToCompare {
  std::string label;
  const model::PlanModel* model = nullptr;
  const Summary* summary = nullptr;
  // Runs of this engine, the model's own first; empty: only the model's own.
  std::vector<MeasuredRun> runs;
};

struct CompareOptions {
  AlignRule rule = AlignRule::kBest;
  GateOptions gate;
};

// Speed-ups are ratios of end-to-end medians against the first engine; where one has none, ratios
// of the sums of layer times, and the row says so.
Comparison compare_totals(std::span<const EngineToCompare> engines);

// The same, with everything else. Models must be complete and outlive the result. Cost: that of
// align() for each engine after the first.
Comparison compare(std::span<const EngineToCompare> engines, const CompareOptions& options = {});

// The runs of an engine, as the verdict uses them.
std::vector<MeasuredRun> measured_runs(const EngineToCompare& engine);

// One engine against another: layers, types and verdict. `runs` has those of every engine.
EngineDifference difference_of(std::span<const EngineToCompare> engines, std::size_t base,
                               std::size_t engine, const Alignment& alignment,
                               std::span<const std::vector<MeasuredRun>> runs,
                               const GateOptions& gate);

// Short, unique labels from names: parts that all names share at their start and end are cut at
// word boundaries, and repeated names are numbered.
std::vector<std::string> short_labels(std::span<const std::string> names);

}  // namespace planex::analyze
