#include "render/words/sweep_sentences.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/quantities.h"
#include "base/text.h"

namespace planex::render {
namespace {

using analyze::Sweep;
using analyze::SweepCell;
using analyze::SweepCliff;
using analyze::SweepLottery;
using base::counted;
using base::format;
using base::ms_text;

// " (batch 4)": the other values of the cell.
std::string rest_of_cell_text(const Sweep& sweep, std::size_t axis, std::size_t cell) {
  std::string others;
  for (std::size_t other = 0; other < sweep.axes.size(); ++other) {
    if (other == axis) continue;
    others += format("{}{} {}", others.empty() ? " (" : ", ", sweep.axes[other].name,
                     sweep.cells[cell].values[other]);
  }
  return others.empty() ? others : others + ")";
}

// "batch 4 to 8 (threads 1)".
std::string step_text(const Sweep& sweep, const SweepCliff& cliff) {
  const SweepCell& a = sweep.cells[cliff.a];
  const SweepCell& b = sweep.cells[cliff.b];
  return format("{} {} to {}{}", sweep.axes[cliff.axis].name, a.values[cliff.axis],
                b.values[cliff.axis], rest_of_cell_text(sweep, cliff.axis, cliff.a));
}

std::string best_sentence(const Sweep& sweep) {
  if (sweep.throughput_front.empty()) return {};
  const std::size_t fastest = sweep.throughput_front.front();
  const std::size_t most = sweep.throughput_front.back();
  const SweepCell& quick = sweep.cells[fastest];
  const SweepCell& busy = sweep.cells[most];
  const std::string rate = base::throughput_text(*busy.items_per_s);
  if (fastest == most) {
    return format("{} has the shortest latency, {} ms, and the greatest throughput, {} items/s.",
                  cell_text(sweep, fastest), ms_text(*quick.latency_ms), rate);
  }
  return format("{} has the shortest latency, {} ms; {} the greatest throughput, {} items/s.",
                cell_text(sweep, fastest), ms_text(*quick.latency_ms), cell_text(sweep, most),
                rate);
}

std::string scaling_sentence(const Sweep& sweep, const analyze::SweepScaling& scaling) {
  const std::string& axis = sweep.axes[scaling.axis].name;
  const auto value = [&](const analyze::ScalingPoint& point) -> const std::string& {
    return sweep.cells[point.cell].values[scaling.axis];
  };
  const auto rates = [](const analyze::ScalingPoint& a, const analyze::ScalingPoint& b) {
    return format("{} → {} items/s", base::throughput_text(a.items_per_s),
                  base::throughput_text(b.items_per_s));
  };
  const auto latencies = [](const analyze::ScalingPoint& a, const analyze::ScalingPoint& b) {
    return format("{} → {} ms", ms_text(a.latency_ms), ms_text(b.latency_ms));
  };
  const analyze::ScalingPoint& first = scaling.points.front();
  const analyze::ScalingPoint& last = scaling.points.back();
  const std::string others = rest_of_cell_text(sweep, scaling.axis, first.cell);
  if (!scaling.enough) {
    return format("From {} {} to {}{} throughput grows, {}, and an inference takes {}.", axis,
                  value(first), value(last), others, rates(first, last), latencies(first, last));
  }
  const analyze::ScalingPoint& enough = scaling.points[*scaling.enough];
  std::string grows;
  if (*scaling.enough > 0) {
    grows =
        format("From {} {} to {}{} throughput grows, {}, and an inference takes {}. ", axis,
               value(first), value(enough), others, rates(first, enough), latencies(first, enough));
  }
  const bool takes_longer = last.latency_ms > enough.latency_ms;
  return format("{}{} {} {}{} no more throughput, {}{}: {}.", grows, "More than", axis,
                value(enough), *scaling.enough > 0 ? " brings" : others + " brings",
                rates(enough, last), takes_longer ? ", only latency" : "", latencies(enough, last));
}

std::string cliffs_sentence(const Sweep& sweep) {
  if (sweep.step_count == 0) return {};
  const auto steps = static_cast<std::size_t>(sweep.step_count);
  if (sweep.cliffs.empty()) {
    return format("None of {} costs more than its work explains.", counted(steps, "step"));
  }
  const SweepCliff& worst = sweep.cliffs.front();
  const bool is_one = sweep.cliffs.size() == 1;
  return format("{} of {} {} more than the work explains: {}{}, by {} ms.", sweep.cliffs.size(),
                counted(steps, "step"), is_one ? "costs" : "cost", is_one ? "" : "most of all ",
                step_text(sweep, worst), ms_text(worst.excess_ms));
}

std::string lotteries_sentence(const Sweep& sweep) {
  if (sweep.lottery_cells == 0) return {};
  const auto cells = static_cast<std::size_t>(sweep.lottery_cells);
  if (sweep.lottery.empty()) {
    return format("Builds of the same cell chose the same kernels, in all of {}.",
                  counted(cells, "cell"));
  }
  return format("In {} of {}, builds chose different kernels.", sweep.lottery.size(),
                counted(cells, "cell"));
}

}  // namespace

std::string cell_text(const Sweep& sweep, std::size_t cell) {
  std::string text;
  for (std::size_t axis = 0; axis < sweep.axes.size(); ++axis) {
    if (axis > 0) text += ", ";
    text += format("{} {}", sweep.axes[axis].name, sweep.cells[cell].values[axis]);
  }
  return text.empty() ? std::string("the only cell") : text;
}

std::string cliff_sentence(const Sweep& sweep, const SweepCliff& cliff) {
  const std::string work = cliff.basis == analyze::WorkBasis::kNone
                               ? std::string("for the same work")
                               : format("for {}× the work", base::significant(cliff.work_ratio));
  const std::string kernels =
      cliff.changed_count == 0
          ? std::string()
          : format("; {} another kernel",
                   cliff.changed_count == 1
                       ? std::string("1 layer runs")
                       : format("{} layers run", base::grouped(cliff.changed_count)));
  return format("{} takes {}× as long {}, {} ms too much{}.", step_text(sweep, cliff),
                base::significant(cliff.time_ratio), work, ms_text(cliff.excess_ms), kernels);
}

std::string lottery_sentence(const Sweep& sweep, const SweepLottery& lottery) {
  const std::string cost = lottery.cost_ms
                               ? format(", which costs {} ms on average", ms_text(*lottery.cost_ms))
                               : std::string();
  const std::string layers = counted(static_cast<std::size_t>(lottery.layer_count), "layer");
  return format("{}: {} of {} {} a different kernel from build to build{}.",
                cell_text(sweep, lottery.cell), lottery.layers.size(), layers,
                lottery.layers.size() == 1 ? "has" : "have", cost);
}

std::vector<std::string> sweep_sentences(const Sweep& sweep) {
  std::vector<std::string> sentences;
  const auto add = [&](std::string text) {
    if (!text.empty()) sentences.push_back(std::move(text));
  };
  add(best_sentence(sweep));
  // With several axes there can be many rows.
  constexpr std::size_t kMaxScaling = 4;
  for (std::size_t i = 0; i < std::min(sweep.scaling.size(), kMaxScaling); ++i) {
    add(scaling_sentence(sweep, sweep.scaling[i]));
  }
  add(cliffs_sentence(sweep));
  add(lotteries_sentence(sweep));
  return sentences;
}

}  // namespace planex::render
