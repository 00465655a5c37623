// Builds of one model over a grid: what each costs, where a step costs more than its work, which
// are best, and what compilers leave to chance.
//
// Intervals here are 95 % confidence intervals. The spread of runs of one cell is estimated from
// all cells together (docs/design/0047), as two or three runs of one cell say too little on their
// own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/compare/pairs.h"
#include "analyze/summary/summary.h"
#include "analyze/verdict/verdict.h"
#include "model/plan_model.h"
#include "planex/error.h"

namespace planex::analyze {

struct SweepAxis {
  std::string name;  // batch, threads, precision, shape:input, or an option of the engine
  std::vector<std::string> values;
  // All values are numbers, or shapes: a step from one to the next has a direction.
  bool is_ordered = false;
};

enum class CellState : std::uint8_t { kPending, kDone, kFailed };
std::string_view to_string(CellState state);

// Null: not known.
struct SweepCell {
  std::string id;
  std::vector<std::size_t> at;      // for each axis, the index of its value
  std::vector<std::string> values;  // and the value
  CellState state = CellState::kPending;
  std::int64_t run_count = 0;  // finished ones
  std::string engine;          // the path of the median run: open it to see its layers
  std::optional<Error> error;
  // End to end, without the profiler: geometric mean of the medians of its runs.
  std::optional<double> latency_ms, latency_low_ms, latency_high_ms;
  std::optional<std::int64_t> batch_size;
  std::int64_t concurrent = 1;  // inferences that run at once
  // Median over its runs; per item of the batch.
  std::optional<double> items_per_s, item_ms;
  std::optional<std::int64_t> layer_count, reformat_count;
  std::optional<double> layers_ms, reformats_ms;
  std::optional<std::int64_t> macs, traffic_bytes, weight_bytes, peak_bytes, memory_bytes;
  // No other cell is better in one and as good in the other.
  bool is_on_throughput_front = false, is_on_memory_front = false;
  // Its position among the engines of the report that shows the sweep; null: not in it.
  std::optional<std::size_t> report_engine;
};

// The source of the step's work.
enum class WorkBasis : std::uint8_t { kMacs, kItems, kNone };
std::string_view to_string(WorkBasis basis);

struct ChangedTactic {
  std::string layer;
  std::string a_tactic, b_tactic;
  std::optional<double> a_ms, b_ms;
};

// A step along an ordered axis, with everything else the same, that costs more than its work
// explains.
struct SweepCliff {
  std::size_t axis = 0;
  std::size_t a = 0, b = 0;              // cells
  std::optional<double> a_ms, b_ms;      // per inference; with several at once, per item
  double time_ratio = 1;                 // b ÷ a
  double low_ratio = 1, high_ratio = 1;  // its interval
  double work_ratio = 1;                 // maximum that the work explains
  WorkBasis basis = WorkBasis::kNone;
  double excess_ms = 0;  // b_ms − a_ms · work_ratio
  // Layers that do the same in both but run another kernel: how many, and the most expensive.
  std::int64_t paired_layers = 0, changed_count = 0;
  std::vector<ChangedTactic> changed;
};

struct ScalingPoint {
  std::size_t cell = 0;
  double items_per_s = 0, latency_ms = 0;
  double throughput_ratio = 1, latency_ratio = 1;  // relative to the first point
};
// Effect of more inferences at once along an axis, with everything else the same.
struct SweepScaling {
  std::size_t axis = 0;
  std::vector<ScalingPoint> points;  // by the axis, ascending
  // Index into `points`: beyond this point, throughput grows by no more than the spread of runs of
  // a cell and 5 %; null: it grows up to the last point.
  std::optional<std::size_t> enough;
};

struct LotteryTactic {
  std::string tactic;
  std::int64_t run_count = 0;
  std::optional<double> time_ms;  // mean over these runs
};
struct LotteryLayer {
  std::string layer;
  std::vector<LotteryTactic> tactics;  // fastest first
  // Mean over all runs less the fastest tactic's; null where one has no time.
  std::optional<double> cost_ms;
};
// A cell whose builds chose different kernels.
struct SweepLottery {
  std::size_t cell = 0;
  std::int64_t run_count = 0, layer_count = 0;
  std::vector<LotteryLayer> layers;  // costliest first
  std::optional<double> cost_ms;     // their sum
};

struct Sweep {
  std::string folder;  // as it was opened
  std::string model;   // path
  std::int64_t repeats = 1;
  std::vector<SweepAxis> axes;
  std::vector<SweepCell> cells;  // the last axis counts fastest
  std::int64_t done_count = 0, failed_count = 0, pending_count = 0;
  // Standard deviation of a run's median around its cell's, over all cells; null without repeats.
  std::optional<double> run_spread_ratio;
  std::int64_t spread_freedom = 0;  // its degrees of freedom
  std::vector<SweepCliff> cliffs;   // by excess_ms, greatest first
  std::int64_t step_count = 0;      // steps that could be judged
  std::vector<SweepLottery> lottery;
  std::int64_t lottery_cells = 0;     // with two runs or more whose kernels are known
  std::vector<SweepScaling> scaling;  // along axes that vary the number of inferences at once
  // Cells of the fronts, by latency.
  std::vector<std::size_t> throughput_front, memory_front;
};

// What planex keeps about a run.
struct SweepRun {
  std::string engine;  // the file to open
  MeasuredRun measured;
  std::optional<double> throughput_per_s;  // inferences
  // Layers that do work and their kernels, where the files record them.
  struct Layer {
    std::string name, tactic;
    std::optional<double> time_ms;
  };
  std::vector<Layer> layers;
  // Deterministic figures of a cell with this run only.
  SweepCell figures;
};
SweepRun sweep_run(std::string engine, const model::PlanModel& model, const Summary& summary);

// A value's place on an ordered axis: its number, or the elements of its shape; null: it is
// neither.
std::optional<double> axis_number(std::string_view value);
bool is_ordered_axis(std::span<const std::string> values);

// Fills the figures of `sweep`, whose axes and cells have their names and states, from its runs;
// cliffs without their layers.
// Shapes: runs[C][R], R ≥ 0 each, parallel to sweep.cells.
// Cost: O(C · A + C log C) besides a verdict for each step, and O(layers) of all runs.
void fill_sweep(Sweep& sweep, std::span<const std::vector<SweepRun>> runs);

// Maximum number of layers named per cliff.
inline constexpr std::size_t kMaxChangedTactics = 10;
// Fills the layers of a cliff from the engines of its cells. Cost: that of align().
void fill_cliff(SweepCliff& cliff, const Side& a, const Side& b);

}  // namespace planex::analyze
