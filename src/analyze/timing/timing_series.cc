#include "analyze/timing/timing_series.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <queue>

#include "analyze/timing/reconcile.h"
#include "base/numbers.h"
#include "base/statistics.h"

namespace planex::analyze {
namespace {

// Overlap below this share of an inference is caused by the coarse clock of its time stamps.
constexpr double kMinOverlap = 0.01;

const model::Real* column_of(const model::IterationsTable& table) {
  if (const model::Real* column = end_to_end_column(table)) return column;
  // Some rows lack it: then the one that most rows have.
  const model::Real* best = nullptr;
  std::ptrdiff_t most = 0;
  for (const model::Real* column : {&table.compute_ms, &table.latency_ms}) {
    const auto known =
        std::ranges::count_if(column->values(), [](double value) { return !std::isnan(value); });
    if (known > most) {
      most = known;
      best = column;
    }
  }
  return best;
}

std::optional<double> start_of(const model::IterationsTable& table, std::size_t row) {
  return base::finite(table.start_ms.get(row));
}

bool has_all_starts(const model::IterationsTable& table) {
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    if (!start_of(table, row)) return false;
  }
  return true;
}

TimingSeries series_of(const model::IterationsTable& table, const model::Real& column) {
  const std::vector<std::size_t> order = inference_order(table);
  const bool timed = has_all_starts(table);
  TimingSeries series;
  series.field = &column == &table.compute_ms ? "compute" : "latency";
  for (std::size_t position = 0; position < order.size(); ++position) {
    const std::size_t row = order[position];
    const double ms = column[row];
    if (!(ms > 0) || ms > kLongestSampleMs) {
      ++series.unusable_count;
      continue;
    }
    series.ms.push_back(ms);
    series.positions.push_back(static_cast<std::int64_t>(position));
    if (timed) series.start_ms.push_back(table.start_ms[row]);
  }
  if (timed && !order.empty()) {
    const double origin_ms = table.start_ms[order.front()];
    for (double& ms : series.start_ms) ms -= origin_ms;
  }
  return series;
}

}  // namespace

std::vector<std::size_t> inference_order(const model::IterationsTable& table) {
  std::vector<std::size_t> order(table.row_count());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto start = [&](std::size_t row) { return table.start_ms[row]; };
  if (has_all_starts(table) && !std::ranges::is_sorted(order, {}, start)) {
    std::ranges::stable_sort(order, {}, start);
  }
  return order;
}

std::optional<TimingSeries> timing_series(const model::IterationsTable& table) {
  const model::Real* column = column_of(table);
  if (column == nullptr) return std::nullopt;
  return series_of(table, *column);
}

Overlap find_overlap(const model::IterationsTable& table) {
  Overlap overlap;
  struct Span {
    double start = 0, end = 0;
  };
  std::vector<Span> spans;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    auto start = table.start_compute_ms.get(row), end = table.end_compute_ms.get(row);
    if (!start || !end) {
      start = table.start_ms.get(row);
      end = table.end_ms.get(row);
    }
    if (!start || !end || !std::isfinite(*start) || !std::isfinite(*end)) return overlap;
    spans.push_back({*start, *end - kMinOverlap * (*end - *start)});
  }
  if (!std::ranges::is_sorted(spans, {}, &Span::start)) std::ranges::sort(spans, {}, &Span::start);
  std::priority_queue<double, std::vector<double>, std::greater<>> running;
  std::vector<double> depths;
  for (const Span& span : spans) {
    while (!running.empty() && running.top() <= span.start) running.pop();
    running.push(span.end);
    depths.push_back(static_cast<double>(running.size()));
  }
  if (depths.empty()) return overlap;
  const auto overlapping = std::ranges::count_if(depths, [](double depth) { return depth > 1; });
  overlap.share = static_cast<double>(overlapping) / static_cast<double>(depths.size());
  std::ranges::sort(depths);
  overlap.depth = static_cast<std::int64_t>(base::quantile(depths, 0.99));
  return overlap;
}

}  // namespace planex::analyze
