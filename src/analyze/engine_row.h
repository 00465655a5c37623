// One engine among many, in a few figures, and how engines of one name changed from run to run: the
// index of `planex serve`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analyze/summary/summary.h"
#include "analyze/timing/reconcile.h"
#include "model/plan_model.h"

namespace planex::analyze {

// Texts are empty where they are not known.
struct EngineFigures {
  std::string name, producer, producer_version, device, detail;
  std::optional<double> end_to_end_median_ms;
  // Sum over the layers under `basis`.
  std::optional<double> layers_ms;
  TimeBasis basis = TimeBasis::kNone;
  std::int64_t layer_count = 0;
  std::optional<std::int64_t> weight_bytes;
  FindingCounts findings;
  // The precision in which most of the layer time runs; for engines without times, most layers.
  std::string precision;
  std::optional<std::int64_t> batch_size;
  // Lowest SQNR of the outputs, from end_accuracy().
  std::optional<double> outputs_simulated_db, outputs_engine_db;
};

EngineFigures engine_row(const model::PlanModel& model, const Summary& summary);

// An engine and when its files were last written.
struct DatedRow {
  const EngineFigures* row = nullptr;
  std::optional<std::int64_t> modified_ns;  // since 1970
};

// Runs of what is assumed to be one engine: with the same name, producer, device, precision and
// batch.
struct RunTrend {
  // Indexes of `rows`, the oldest first; at least two, each with a median and a date.
  std::vector<std::size_t> rows;
  // Change of end_to_end_median_ms from the run before, as a ratio of the latter; null for the
  // first. Whether it is more than noise is not known from two medians.
  std::vector<std::optional<double>> change_ratio;
};

// Shapes: rows[R] → trends[T], each row in at most one of them; in the order of their first rows.
// Cost:   O(R log R).
std::vector<RunTrend> run_trends(std::span<const DatedRow> rows);

}  // namespace planex::analyze
