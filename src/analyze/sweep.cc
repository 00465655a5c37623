#include "analyze/sweep.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <unordered_map>
#include <utility>

#include "analyze/align/alignment.h"
#include "analyze/timing/exact_time.h"
#include "analyze/verdict/repeated_runs.h"
#include "base/numbers.h"

namespace planex::analyze {
namespace {

// A step is a cliff if at least this share of it is neither work nor noise.
constexpr double kCliffRatio = 0.05;

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

RepeatedRuns timed(std::span<const SweepRun> runs) {
  RepeatedRuns list;
  for (const SweepRun& run : runs) {
    const MeasuredRun& measured = run.measured;
    const bool is_end_to_end =
        measured.source == TimeSource::kSamples || measured.source == TimeSource::kSummary;
    if (is_end_to_end && measured.median_ms && *measured.median_ms > 0) list.push_back(&measured);
  }
  return list;
}

void fill_spread(Sweep& sweep, std::span<const std::vector<SweepRun>> runs) {
  std::vector<RepeatedRuns> cells;
  for (const auto& of_cell : runs) cells.push_back(timed(of_cell));
  const RunSpread spread = spread_of(cells);
  sweep.run_spread_ratio = spread.ratio;
  sweep.spread_freedom = spread.freedom;
}

RunSpread spread_of_runs(const Sweep& sweep) {
  return {.ratio = sweep.run_spread_ratio, .freedom = sweep.spread_freedom};
}

void fill_latency(const Sweep& sweep, const RepeatedRuns& runs, SweepCell& cell) {
  const RepeatedMedian median = repeated_median(runs, spread_of_runs(sweep));
  cell.latency_ms = median.median_ms;
  cell.latency_low_ms = median.low_ms;
  cell.latency_high_ms = median.high_ms;
}

void fill_throughput(std::span<const SweepRun> runs, SweepCell& cell) {
  if (!cell.batch_size) return;
  std::vector<double> rates;
  for (const SweepRun& run : runs) {
    if (!run.throughput_per_s || *run.throughput_per_s <= 0) continue;
    rates.push_back(*run.throughput_per_s * static_cast<double>(*cell.batch_size));
  }
  if (rates.empty()) return;
  cell.items_per_s = median(rates);
  cell.item_ms = 1000 / *cell.items_per_s;
}

// The run whose median is in the middle; for engines without times, the first.
std::size_t middle_run(std::span<const SweepRun> runs) {
  std::vector<std::pair<double, std::size_t>> medians;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto& ms = runs[i].measured.median_ms;
    if (ms) medians.emplace_back(*ms, i);
  }
  if (medians.empty()) return 0;
  std::ranges::sort(medians);
  return medians[(medians.size() - 1) / 2].second;
}

void fill_cell(const Sweep& sweep, std::span<const SweepRun> runs, SweepCell& cell) {
  if (runs.empty()) return;
  const SweepRun& middle = runs[middle_run(runs)];
  SweepCell filled = middle.figures;
  filled.id = std::move(cell.id);
  filled.at = std::move(cell.at);
  filled.values = std::move(cell.values);
  filled.error = std::move(cell.error);
  filled.state = CellState::kDone;
  filled.run_count = static_cast<std::int64_t>(runs.size());
  filled.engine = middle.engine;
  filled.concurrent = middle.measured.concurrent;
  cell = std::move(filled);
  fill_latency(sweep, timed(runs), cell);
  fill_throughput(runs, cell);
}

// The cells that no other beats: with latency ascending, those whose other figure is better than
// that of all before.
template <typename Better>
std::vector<std::size_t> front_of(const Sweep& sweep,
                                  std::optional<double> (*other)(const SweepCell&),
                                  bool SweepCell::* mark, std::vector<SweepCell>& cells,
                                  Better better) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < sweep.cells.size(); ++i) {
    if (cells[i].latency_ms && other(cells[i])) order.push_back(i);
  }
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    if (*cells[a].latency_ms != *cells[b].latency_ms) {
      return *cells[a].latency_ms < *cells[b].latency_ms;
    }
    const double of_a = *other(cells[a]), of_b = *other(cells[b]);
    return of_a != of_b ? better(of_a, of_b) : a < b;
  });
  std::vector<std::size_t> front;
  for (const std::size_t cell : order) {
    if (!front.empty() && !better(*other(cells[cell]), *other(cells[front.back()]))) continue;
    front.push_back(cell);
    cells[cell].*mark = true;
  }
  return front;
}

void fill_fronts(Sweep& sweep) {
  sweep.throughput_front = front_of(
      sweep, [](const SweepCell& cell) { return cell.items_per_s; },
      &SweepCell::is_on_throughput_front, sweep.cells, std::greater<>());
  sweep.memory_front = front_of(
      sweep,
      [](const SweepCell& cell) {
        return cell.memory_bytes ? std::optional(static_cast<double>(*cell.memory_bytes))
                                 : std::nullopt;
      },
      &SweepCell::is_on_memory_front, sweep.cells, std::less<>());
}

// Throughput must grow by more than this to count: docs/reference/numbers.md.
constexpr double kMoreThroughput = 0.05;

// By the axis; only cells that were measured.
std::vector<ScalingPoint> scaling_points(const Sweep& sweep, std::size_t axis,
                                         std::vector<std::size_t> cells) {
  const auto number = [&](std::size_t cell) {
    return axis_number(sweep.cells[cell].values[axis]).value_or(0);
  };
  std::ranges::stable_sort(cells, {}, number);
  std::vector<ScalingPoint> points;
  for (const std::size_t place : cells) {
    const SweepCell& cell = sweep.cells[place];
    if (!cell.items_per_s || !cell.latency_ms || *cell.latency_ms <= 0) continue;
    ScalingPoint point{
        .cell = place, .items_per_s = *cell.items_per_s, .latency_ms = *cell.latency_ms};
    if (!points.empty()) {
      point.throughput_ratio = point.items_per_s / points.front().items_per_s;
      point.latency_ratio = point.latency_ms / points.front().latency_ms;
    }
    points.push_back(point);
  }
  return points;
}

// The first point that no later one exceeds by more than noise.
std::optional<std::size_t> enough_of(const Sweep& sweep, const std::vector<ScalingPoint>& points) {
  const double least = 1 + std::max(kMoreThroughput, 2 * sweep.run_spread_ratio.value_or(0));
  double most = 0;  // of the later points
  std::optional<std::size_t> enough;
  for (std::size_t place = points.size() - 1; place-- > 0;) {
    most = std::max(most, points[place + 1].items_per_s);
    if (most > points[place].items_per_s * least) break;
    enough = place;
  }
  return enough;
}

void fill_scaling(Sweep& sweep) {
  for (std::size_t axis = 0; axis < sweep.axes.size(); ++axis) {
    if (!sweep.axes[axis].is_ordered) continue;
    // Cells that differ in this axis only.
    std::map<std::vector<std::size_t>, std::vector<std::size_t>> rows;
    for (std::size_t cell = 0; cell < sweep.cells.size(); ++cell) {
      std::vector<std::size_t> others = sweep.cells[cell].at;
      others[axis] = 0;
      rows[std::move(others)].push_back(cell);
    }
    for (auto& [others, cells] : rows) {
      SweepScaling scaling{.axis = axis, .points = scaling_points(sweep, axis, std::move(cells))};
      if (scaling.points.size() < 2) continue;
      const auto at_once = [&](const ScalingPoint& point) {
        return sweep.cells[point.cell].concurrent;
      };
      const auto [least, most] = std::ranges::minmax(scaling.points, {}, at_once);
      const bool varies = at_once(least) != at_once(most);
      if (!varies && sweep.axes[axis].name != "streams") continue;
      scaling.enough = enough_of(sweep, scaling.points);
      sweep.scaling.push_back(std::move(scaling));
    }
  }
}

std::optional<double> ratio_of(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
  if (!a || !b || *a <= 0 || *b <= 0) return std::nullopt;
  return static_cast<double>(*b) / static_cast<double>(*a);
}

bool changes_shapes(std::string_view axis) { return axis == "batch" || axis.starts_with("shape:"); }

struct Work {
  double ratio = 1;
  WorkBasis basis = WorkBasis::kNone;
};

// Factor by which a step's time can grow: the larger of the growth of arithmetic and traffic. Null
// where a step changes shapes and nothing shows by how much the work grows.
std::optional<Work> work_of(const SweepAxis& axis, const SweepCell& a, const SweepCell& b) {
  if (!changes_shapes(axis.name)) return Work{};
  const auto macs = ratio_of(a.macs, b.macs), traffic = ratio_of(a.traffic_bytes, b.traffic_bytes);
  if (macs && traffic) return Work{std::max({1.0, *macs, *traffic}), WorkBasis::kMacs};
  const auto items = ratio_of(a.batch_size, b.batch_size);
  if (axis.name == "batch" && items) return Work{std::max(1.0, *items), WorkBasis::kItems};
  return std::nullopt;
}

std::vector<MeasuredRun> measured(std::span<const SweepRun> runs) {
  std::vector<MeasuredRun> list;
  for (const MeasuredRun* run : timed(runs)) list.push_back(*run);
  return list;
}

class CliffFinder {
 public:
  CliffFinder(Sweep& sweep, std::span<const std::vector<SweepRun>> runs)
      : sweep_(sweep), runs_(runs) {}

  void find() {
    std::map<std::vector<std::size_t>, std::size_t> cell_at;
    for (std::size_t i = 0; i < sweep_.cells.size(); ++i) cell_at[sweep_.cells[i].at] = i;
    for (std::size_t axis = 0; axis < sweep_.axes.size(); ++axis) {
      if (!sweep_.axes[axis].is_ordered) continue;
      const std::vector<std::size_t> order = ascending(sweep_.axes[axis]);
      for (const auto& [at, a] : cell_at) {
        const auto place = std::ranges::find(order, at[axis]);
        if (place == order.end() || place + 1 == order.end()) continue;
        std::vector<std::size_t> next = at;
        next[axis] = *(place + 1);
        const auto b = cell_at.find(next);
        if (b != cell_at.end()) look_at(axis, a, b->second);
      }
    }
    std::ranges::stable_sort(sweep_.cliffs, std::greater<>(), &SweepCliff::excess_ms);
  }

 private:
  static std::vector<std::size_t> ascending(const SweepAxis& axis) {
    std::vector<std::size_t> order(axis.values.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, {},
                             [&](std::size_t i) { return *axis_number(axis.values[i]); });
    return order;
  }

  void look_at(std::size_t axis, std::size_t a, std::size_t b) {
    const SweepCell& before = sweep_.cells[a];
    const SweepCell& after = sweep_.cells[b];
    const auto work = work_of(sweep_.axes[axis], before, after);
    if (!work) return;
    SweepCliff cliff{.axis = axis, .a = a, .b = b};
    const bool is_judged = before.concurrent == 1 && after.concurrent == 1 ? compare_latency(cliff)
                                                                           : compare_items(cliff);
    if (!is_judged) return;
    ++sweep_.step_count;
    cliff.basis = work->basis;
    cliff.work_ratio = work->ratio;
    // The work of one item stays the same.
    if (before.concurrent != 1 || after.concurrent != 1) {
      const auto items = ratio_of(before.batch_size, after.batch_size);
      cliff.work_ratio = std::max(1.0, work->ratio / items.value_or(1));
    }
    if (cliff.low_ratio <= cliff.work_ratio * (1 + kCliffRatio)) return;
    cliff.excess_ms = *cliff.b_ms - *cliff.a_ms * cliff.work_ratio;
    sweep_.cliffs.push_back(std::move(cliff));
  }

  bool compare_latency(SweepCliff& cliff) const {
    GateOptions options;
    if (const RunSpread spread = spread_of_runs(sweep_); spread.is_known()) {
      options.assumed_run_spread_ratio = spread.used_ratio();
    }
    const Verdict verdict = judge(measured(runs_[cliff.a]), measured(runs_[cliff.b]), options);
    if (!verdict.change_ratio || !verdict.low_ratio || !verdict.high_ratio) return false;
    cliff.a_ms = sweep_.cells[cliff.a].latency_ms;
    cliff.b_ms = sweep_.cells[cliff.b].latency_ms;
    cliff.time_ratio = 1 + *verdict.change_ratio;
    cliff.low_ratio = 1 + *verdict.low_ratio;
    cliff.high_ratio = 1 + *verdict.high_ratio;
    return cliff.a_ms && cliff.b_ms;
  }

  // Where inferences run side by side, each waits for the others: what counts is the time per item.
  // It is one figure per run, so its error is the spread of runs.
  bool compare_items(SweepCliff& cliff) const {
    cliff.a_ms = sweep_.cells[cliff.a].item_ms;
    cliff.b_ms = sweep_.cells[cliff.b].item_ms;
    const RunSpread spread = spread_of_runs(sweep_);
    if (!cliff.a_ms || !cliff.b_ms || !spread.is_known()) return false;
    const double runs = 1 / static_cast<double>(runs_[cliff.a].size()) +
                        1 / static_cast<double>(runs_[cliff.b].size());
    const double off = spread.half_interval() * std::sqrt(runs);
    cliff.time_ratio = *cliff.b_ms / *cliff.a_ms;
    cliff.low_ratio = cliff.time_ratio * std::exp(-off);
    cliff.high_ratio = cliff.time_ratio * std::exp(off);
    return true;
  }

  Sweep& sweep_;
  std::span<const std::vector<SweepRun>> runs_;
};

// Layers with the same name are distinguished by their order.
using LayerKey = std::pair<std::string_view, std::size_t>;

std::map<LayerKey, const SweepRun::Layer*> layers_by_name(const SweepRun& run) {
  std::unordered_map<std::string_view, std::size_t> seen;
  std::map<LayerKey, const SweepRun::Layer*> layers;
  for (const SweepRun::Layer& layer : run.layers) {
    layers.emplace(LayerKey{layer.name, seen[layer.name]++}, &layer);
  }
  return layers;
}

std::optional<double> mean_time(const std::vector<std::optional<double>>& times) {
  double sum = 0;
  for (const auto& time : times) {
    if (!time) return std::nullopt;
    sum += *time;
  }
  return sum / static_cast<double>(times.size());
}

// Null where all runs chose the same.
std::optional<LotteryLayer> lottery_layer(std::string_view name,
                                          std::span<const SweepRun::Layer* const> layers) {
  std::map<std::string_view, std::vector<std::optional<double>>> times;
  std::vector<std::optional<double>> all;
  for (const SweepRun::Layer* layer : layers) {
    times[layer->tactic].push_back(layer->time_ms);
    all.push_back(layer->time_ms);
  }
  if (times.size() < 2) return std::nullopt;
  LotteryLayer result{.layer = std::string(name), .tactics = {}, .cost_ms = {}};
  for (const auto& [tactic, of_tactic] : times) {
    result.tactics.push_back({.tactic = std::string(tactic),
                              .run_count = static_cast<std::int64_t>(of_tactic.size()),
                              .time_ms = mean_time(of_tactic)});
  }
  std::ranges::stable_sort(result.tactics, {}, [](const LotteryTactic& tactic) {
    return std::pair(!tactic.time_ms, tactic.time_ms.value_or(0));
  });
  if (const auto mean = mean_time(all)) result.cost_ms = *mean - *result.tactics.front().time_ms;
  return result;
}

void add_lottery(Sweep& sweep, std::size_t cell, std::span<const SweepRun> runs) {
  std::vector<std::map<LayerKey, const SweepRun::Layer*>> by_run;
  for (const SweepRun& run : runs) {
    if (!run.layers.empty()) by_run.push_back(layers_by_name(run));
  }
  if (by_run.size() < 2) return;
  ++sweep.lottery_cells;
  SweepLottery lottery{.cell = cell, .run_count = static_cast<std::int64_t>(by_run.size())};
  std::optional<double> cost = 0.0;
  for (const auto& [key, first] : by_run.front()) {
    std::vector<const SweepRun::Layer*> layers;
    for (const auto& run : by_run) {
      if (const auto found = run.find(key); found != run.end()) layers.push_back(found->second);
    }
    if (layers.size() < by_run.size()) continue;
    ++lottery.layer_count;
    auto changed = lottery_layer(key.first, layers);
    if (!changed) continue;
    if (!changed->cost_ms) cost.reset();
    if (cost) *cost += *changed->cost_ms;
    lottery.layers.push_back(std::move(*changed));
  }
  if (lottery.layers.empty()) return;
  std::ranges::stable_sort(lottery.layers, std::greater<>(),
                           [](const LotteryLayer& layer) { return layer.cost_ms.value_or(-1); });
  lottery.cost_ms = cost;
  sweep.lottery.push_back(std::move(lottery));
}

void count_states(Sweep& sweep) {
  sweep.done_count = sweep.failed_count = sweep.pending_count = 0;
  for (const SweepCell& cell : sweep.cells) {
    switch (cell.state) {
      case CellState::kDone:
        ++sweep.done_count;
        break;
      case CellState::kFailed:
        ++sweep.failed_count;
        break;
      case CellState::kPending:
        ++sweep.pending_count;
        break;
    }
  }
}

}  // namespace

std::string_view to_string(CellState state) {
  switch (state) {
    case CellState::kPending:
      return "pending";
    case CellState::kDone:
      return "done";
    case CellState::kFailed:
      return "failed";
  }
  return {};
}

std::string_view to_string(WorkBasis basis) {
  switch (basis) {
    case WorkBasis::kMacs:
      return "macs";
    case WorkBasis::kItems:
      return "items";
    case WorkBasis::kNone:
      return "none";
  }
  return {};
}

SweepRun sweep_run(std::string engine, const model::PlanModel& model, const Summary& summary) {
  SweepRun run{.engine = std::move(engine),
               .measured = measure_run(model),
               .throughput_per_s = summary.time.throughput_per_s,
               .layers = {},
               .figures = {}};
  const model::LayersTable& layers = model.layers;
  for (std::size_t row = 0; row < layers.row_count(); ++row) {
    const std::string_view tactic = model.text(layers.tactic[row]);
    if (tactic.empty() || !model.does_work(model::LayerId(row))) continue;
    run.layers.push_back({std::string(model.text(layers.name[row])), std::string(tactic),
                          layer_time(model, row, summary.time.basis)});
  }
  SweepCell& cell = run.figures;
  cell.batch_size = model.engine.batch_size[0];
  cell.layer_count = summary.layer_count;
  cell.layers_ms = summary.time.layers_ms();
  if (summary.reformats) {
    cell.reformat_count = summary.reformats->count;
    cell.reformats_ms = summary.reformats->time_ms;
  }
  // Sums that lack a layer can't be compared.
  if (summary.layers_without_flops == 0) cell.macs = summary.macs;
  if (summary.layers_without_bytes == 0) cell.traffic_bytes = summary.memory.traffic_bytes;
  cell.weight_bytes = summary.memory.weight_bytes;
  cell.peak_bytes = summary.memory.peak.bytes;
  cell.memory_bytes = summary.memory.kept_bytes();
  return run;
}

std::optional<double> axis_number(std::string_view value) {
  double product = 1;
  while (true) {
    const std::size_t end = value.find('x');
    const auto number = base::number_in<double>(value.substr(0, end));
    if (!number) return std::nullopt;
    product *= *number;
    if (end == std::string_view::npos) return product;
    value.remove_prefix(end + 1);
  }
}

bool is_ordered_axis(std::span<const std::string> values) {
  return values.size() > 1 && std::ranges::all_of(values, [](const std::string& value) {
           return axis_number(value).has_value();
         });
}

void fill_sweep(Sweep& sweep, std::span<const std::vector<SweepRun>> runs) {
  fill_spread(sweep, runs);
  for (std::size_t i = 0; i < sweep.cells.size(); ++i) fill_cell(sweep, runs[i], sweep.cells[i]);
  count_states(sweep);
  fill_fronts(sweep);
  fill_scaling(sweep);
  CliffFinder(sweep, runs).find();
  for (std::size_t i = 0; i < sweep.cells.size(); ++i) add_lottery(sweep, i, runs[i]);
}

void fill_cliff(SweepCliff& cliff, const Side& a, const Side& b) {
  const PairList list = compare_layers(a, b, align(*a.model, *b.model));
  const auto sorted = [&] {
    std::vector<const LayerPair*> pairs;
    for (const LayerPair& pair : list.pairs) {
      if (!pair.a.empty() && !pair.b.empty()) ++cliff.paired_layers;
      if (pair.has(ChangeKind::kTactic)) pairs.push_back(&pair);
    }
    std::ranges::stable_sort(pairs, std::greater<>(),
                             [](const LayerPair* pair) { return pair->delta.value_or(0); });
    return pairs;
  }();
  cliff.changed_count = static_cast<std::int64_t>(sorted.size());
  for (const LayerPair* pair : sorted) {
    if (cliff.changed.size() == kMaxChangedTactics) break;
    const SideFacts before = side_facts(*a.model, pair->a), after = side_facts(*b.model, pair->b);
    cliff.changed.push_back(
        {.layer = std::string(b.model->text(b.model->layers.name[after.principal.index()])),
         .a_tactic = std::string(before.tactic),
         .b_tactic = std::string(after.tactic),
         .a_ms = milliseconds(pair->a_time),
         .b_ms = milliseconds(pair->b_time)});
  }
}

}  // namespace planex::analyze
