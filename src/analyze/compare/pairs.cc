#include "analyze/compare/pairs.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "analyze/compare/side_facts.h"

namespace planex::analyze {
namespace {

using model::DType;
using model::Family;
using model::LayerId;
using model::PlanModel;

// The times of one side of a pair.
struct SideTime {
  std::optional<Femtoseconds> all;
  Femtoseconds reformats = 0, others = 0;
  std::int64_t reformat_count = 0, other_count = 0;
  bool is_complete = true;
};

SideTime side_time(const Side& side, const ExactTimes& times, std::span<const LayerId> layers) {
  SideTime result;
  for (const LayerId layer : layers) {
    const auto time = times.of_layer[layer.index()];
    const bool reformats = side.model->is_reformat(layer);
    ++(reformats ? result.reformat_count : result.other_count);
    if (!time) {
      result.is_complete = false;
      continue;
    }
    result.all = result.all.value_or(0) + *time;
    (reformats ? result.reformats : result.others) += *time;
  }
  return result;
}

template <typename T>
bool differ(const T& a, const T& b, const T& unknown) {
  return a != unknown && b != unknown && a != b;
}

bool differ(const std::optional<std::span<const std::int64_t>>& a,
            const std::optional<std::span<const std::int64_t>>& b) {
  return a && b && !std::ranges::equal(*a, *b);
}

bool layouts_differ(model::Layout a, model::Layout b) {
  return a.order != model::Order::kNull && b.order != model::Order::kNull && a != b;
}

void add_facts(const SideFacts& a, const SideFacts& b, bool same_producer,
               std::vector<ChangeKind>& changes) {
  const auto add = [&](ChangeKind kind, bool changed) {
    if (changed) changes.push_back(kind);
  };
  add(ChangeKind::kType, same_producer ? differ(a.type, b.type, std::string_view{})
                                       : differ(a.family, b.family, Family::kNull));
  add(ChangeKind::kInputPrecision, differ(a.input_precision, b.input_precision, DType::kNull));
  add(ChangeKind::kOutputPrecision, differ(a.output_precision, b.output_precision, DType::kNull));
  add(ChangeKind::kComputePrecision,
      differ(a.compute_precision, b.compute_precision, DType::kNull));
  add(ChangeKind::kTactic, same_producer && differ(a.tactic, b.tactic, std::string_view{}));
  add(ChangeKind::kInputLayout, layouts_differ(a.input_layout, b.input_layout));
  add(ChangeKind::kOutputLayout, layouts_differ(a.output_layout, b.output_layout));
  add(ChangeKind::kInputDims, differ(a.input_dims, b.input_dims));
  add(ChangeKind::kOutputDims, differ(a.output_dims, b.output_dims));
}

Cause cause_of(const LayerPair& pair, const SideTime& a, const SideTime& b) {
  if (a.other_count + b.other_count == 0) {
    return a.reformat_count == 0   ? Cause::kReformatsAdded
           : b.reformat_count == 0 ? Cause::kReformatsRemoved
                                   : Cause::kReformatsKept;
  }
  if (a.other_count == 0) return Cause::kAdded;
  if (b.other_count == 0) return Cause::kRemoved;
  if (pair.has(ChangeKind::kFused)) return Cause::kFused;
  if (pair.has(ChangeKind::kSplit)) return Cause::kSplit;
  if (pair.has(ChangeKind::kRegrouped)) return Cause::kRegrouped;
  if (pair.has(ChangeKind::kInputPrecision) || pair.has(ChangeKind::kOutputPrecision) ||
      pair.has(ChangeKind::kComputePrecision)) {
    return Cause::kPrecision;
  }
  if (pair.has(ChangeKind::kInputDims) || pair.has(ChangeKind::kOutputDims)) return Cause::kDims;
  if (pair.has(ChangeKind::kTactic) || pair.has(ChangeKind::kType) ||
      pair.has(ChangeKind::kInputLayout) || pair.has(ChangeKind::kOutputLayout)) {
    return Cause::kKernel;
  }
  return Cause::kSame;
}

void add_counts(const LayerPair& pair, const SideTime& a, const SideTime& b,
                std::vector<ChangeKind>& changes) {
  if (pair.a.empty()) {
    changes.push_back(ChangeKind::kAdded);
    return;
  }
  if (pair.b.empty()) {
    changes.push_back(ChangeKind::kRemoved);
    return;
  }
  if (a.other_count > 0 && b.other_count > 0) {
    if (a.other_count > b.other_count) changes.push_back(ChangeKind::kFused);
    if (a.other_count < b.other_count) changes.push_back(ChangeKind::kSplit);
    if (a.other_count == b.other_count && a.other_count > 1) {
      changes.push_back(ChangeKind::kRegrouped);
    }
  }
  if (a.reformat_count > b.reformat_count) changes.push_back(ChangeKind::kReformatsRemoved);
  if (a.reformat_count < b.reformat_count) changes.push_back(ChangeKind::kReformatsAdded);
}

class CauseTable {
 public:
  // Adds layers of both sides to a cause.
  void add(Cause cause, std::pair<std::int64_t, std::int64_t> layers,
           std::pair<Femtoseconds, Femtoseconds> times) {
    if (layers.first + layers.second == 0) return;
    CauseRow& row = rows_[static_cast<std::size_t>(cause)];
    row.cause = cause;
    ++row.pair_count;
    row.a_layers += layers.first;
    row.b_layers += layers.second;
    row.a_time += times.first;
    row.b_time += times.second;
  }

  void add(const LayerPair& pair, const SideTime& a, const SideTime& b) {
    const Cause reformats = a.reformat_count == 0   ? Cause::kReformatsAdded
                            : b.reformat_count == 0 ? Cause::kReformatsRemoved
                                                    : Cause::kReformatsKept;
    add(reformats, {a.reformat_count, b.reformat_count}, {a.reformats, b.reformats});
    add(pair.cause, {a.other_count, b.other_count}, {a.others, b.others});
  }

  std::vector<CauseRow> take() const {
    std::vector<CauseRow> rows;
    for (const CauseRow& row : rows_) {
      if (row.pair_count > 0) rows.push_back(row);
    }
    return rows;
  }

 private:
  std::array<CauseRow, static_cast<std::size_t>(Cause::kNoWork) + 1> rows_{};
};

// Records with a time that do no work, which alignments leave out.
std::pair<std::int64_t, Femtoseconds> without_work(const PlanModel& model,
                                                   const ExactTimes& times) {
  std::pair<std::int64_t, Femtoseconds> result{0, 0};
  for (std::size_t row = 0; row < times.of_layer.size(); ++row) {
    if (!times.of_layer[row] || *times.of_layer[row] == 0) continue;
    if (model.does_work(LayerId(row))) continue;
    ++result.first;
    result.second += *times.of_layer[row];
  }
  return result;
}

bool same_producer(const PlanModel& a, const PlanModel& b) {
  return a.text(a.engine.producer[0]) == b.text(b.engine.producer[0]);
}

std::vector<LayerNoise> noises_of(const LayerNoises& noises, std::span<const LayerId> layers) {
  std::vector<LayerNoise> result;
  for (const LayerId layer : layers) result.push_back(noises.of(layer));
  return result;
}

double mean_ms(const LayerPair& pair) {
  return (milliseconds(pair.a_time.value_or(0)) + milliseconds(pair.b_time.value_or(0))) / 2;
}

// For pairs whose layers have no known difference.
std::optional<UnchangedScatter> scatter_of_unchanged(std::span<const LayerPair> pairs,
                                                     std::span<const LayerChange> changes) {
  std::vector<UnchangedLayer> layers;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const LayerPair& pair = pairs[i];
    const bool both = !pair.a.empty() && !pair.b.empty();
    if (!both || !pair.delta || !pair.changes.empty()) continue;
    layers.push_back({.a_ms = milliseconds(*pair.a_time),
                      .b_ms = milliseconds(*pair.b_time),
                      .error_ms = changes[i].error_ms});
  }
  return scatter_of(layers);
}

void count(const LayerPair& pair, PairCounts& counts) {
  if (pair.a.empty()) {
    ++counts.only_b;
  } else if (pair.b.empty()) {
    ++counts.only_a;
  } else {
    ++counts.matched;
    if (!pair.changes.empty()) ++counts.changed;
  }
}

}  // namespace

std::string_view to_string(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::kAdded:
      return "added";
    case ChangeKind::kRemoved:
      return "removed";
    case ChangeKind::kFused:
      return "fused";
    case ChangeKind::kSplit:
      return "split";
    case ChangeKind::kRegrouped:
      return "regrouped";
    case ChangeKind::kReformatsRemoved:
      return "reformats-removed";
    case ChangeKind::kReformatsAdded:
      return "reformats-added";
    case ChangeKind::kType:
      return "type";
    case ChangeKind::kInputPrecision:
      return "precision";
    case ChangeKind::kOutputPrecision:
      return "output-precision";
    case ChangeKind::kComputePrecision:
      return "compute-precision";
    case ChangeKind::kTactic:
      return "tactic";
    case ChangeKind::kInputLayout:
      return "layout";
    case ChangeKind::kOutputLayout:
      return "output-layout";
    case ChangeKind::kInputDims:
      return "dims";
    case ChangeKind::kOutputDims:
      return "output-dims";
    case ChangeKind::kTime:
      break;
  }
  return "time";
}

std::string_view to_string(Cause cause) {
  switch (cause) {
    case Cause::kReformatsRemoved:
      return "reformats-removed";
    case Cause::kReformatsAdded:
      return "reformats-added";
    case Cause::kReformatsKept:
      return "reformats-kept";
    case Cause::kRemoved:
      return "removed";
    case Cause::kAdded:
      return "added";
    case Cause::kFused:
      return "fused";
    case Cause::kSplit:
      return "split";
    case Cause::kRegrouped:
      return "regrouped";
    case Cause::kPrecision:
      return "precision";
    case Cause::kDims:
      return "dims";
    case Cause::kKernel:
      return "kernel";
    case Cause::kSame:
      return "same";
    case Cause::kNoWork:
      break;
  }
  return "no-work";
}

bool LayerPair::has(ChangeKind kind) const {
  return std::ranges::find(changes, kind) != changes.end();
}

PairList compare_layers(const Side& a, const Side& b, const Alignment& alignment) {
  const ExactTimes a_times = exact_times(*a.model, a.basis);
  const ExactTimes b_times = exact_times(*b.model, b.basis);
  const LayerNoises a_noises(*a.model), b_noises(*b.model);
  const bool is_same_producer = same_producer(*a.model, *b.model);
  const SideReader a_reader(*a.model), b_reader(*b.model);
  PairList list;
  CauseTable causes;
  std::vector<LayerChange> changes;
  std::vector<std::pair<SideTime, SideTime>> side_times;
  list.pairs.reserve(alignment.matches.size());
  for (const Match& match : alignment.matches) {
    LayerPair& pair = list.pairs.emplace_back();
    pair.a = match.a;
    pair.b = match.b;
    pair.by = match.by;
    pair.certainty = match.certainty;
    const SideTime a_time = side_time(a, a_times, pair.a);
    const SideTime b_time = side_time(b, b_times, pair.b);
    pair.a_time = a_time.all;
    pair.b_time = b_time.all;
    if (a_time.is_complete && b_time.is_complete) {
      pair.delta = pair.b_time.value_or(0) - pair.a_time.value_or(0);
    }
    const bool both = !pair.a.empty() && !pair.b.empty();
    if (both && pair.delta && *pair.a_time != 0) {
      pair.ratio = static_cast<double>(*pair.b_time) / static_cast<double>(*pair.a_time);
    }
    add_counts(pair, a_time, b_time, pair.changes);
    if (both) {
      add_facts(a_reader.facts(pair.a), b_reader.facts(pair.b), is_same_producer, pair.changes);
    }
    pair.cause = cause_of(pair, a_time, b_time);
    causes.add(pair, a_time, b_time);
    changes.push_back(layer_change(noises_of(a_noises, pair.a), noises_of(b_noises, pair.b)));
  }
  list.unchanged = scatter_of_unchanged(list.pairs, changes);
  if (list.unchanged) {
    for (std::size_t i = 0; i < changes.size(); ++i) {
      widen(changes[i], mean_ms(list.pairs[i]), *list.unchanged);
    }
  }
  control_false_discovery(changes);
  for (std::size_t i = 0; i < list.pairs.size(); ++i) {
    LayerPair& pair = list.pairs[i];
    pair.noise = changes[i];
    const bool both = !pair.a.empty() && !pair.b.empty();
    if (both && pair.noise.changed == Changed::kYes) pair.changes.push_back(ChangeKind::kTime);
    count(pair, list.counts);
    if (pair.delta.value_or(0) != 0) list.movers.push_back(i);
  }
  std::ranges::stable_sort(list.movers, [&](std::size_t x, std::size_t y) {
    const auto size = [&](std::size_t i) {
      const Femtoseconds delta = *list.pairs[i].delta;
      return delta < 0 ? -delta : delta;
    };
    return size(x) > size(y);
  });
  const auto a_rest = without_work(*a.model, a_times), b_rest = without_work(*b.model, b_times);
  causes.add(Cause::kNoWork, {a_rest.first, b_rest.first}, {a_rest.second, b_rest.second});
  list.causes = causes.take();
  list.a_total = a_times.total;
  list.b_total = b_times.total;
  if (list.a_total && list.b_total) list.delta = *list.b_total - *list.a_total;
  return list;
}

SideFacts side_facts(const PlanModel& model, std::span<const LayerId> layers) {
  return SideReader(model).facts(layers);
}

}  // namespace planex::analyze
