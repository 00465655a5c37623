// What quantizing lost, where, and in which layers: from the records of planex quantize and planex
// accuracy that were read with an engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analyze/complete/complete_accuracy.h"
#include "model/plan_model.h"

namespace planex::analyze {

struct AccuracyExplanation {
  EndAccuracy end;
  // Rows of `accuracy`, in the order of the float model; of `calibration`; of `accuracy_outputs`.
  std::vector<std::size_t> tensors, calibration, outputs;
  // Rows of `front`, from the cheapest on; of `difference_maps`.
  std::vector<std::size_t> front, maps;
  // What a search optimized for, and what it counted as cost: layers, macs, bytes or ms.
  std::string_view goal, cost;
  // Of `tensors`: how many are in each tap state, and how many no layer of the engine writes.
  std::int64_t verified = 0, disturbed = 0, unmapped = 0;
  // Row of `accuracy`: the first tensor below kLowDb in the engine (in the model's own arithmetic
  // where the engine's figures are missing); and the one at which the engine falls furthest behind
  // the model's own arithmetic, by kWideGapDb or more, among those that tapping did not disturb.
  std::optional<std::size_t> first_low, widest_gap;
  // As recorded; empty: not recorded. Views into the model.
  std::string_view method, target, isa, runtime_version, reference, subject;
  std::optional<std::int64_t> weight_bits, calibration_count, judge_count, sample_count;
  // The engine's figures come from OpenVINO while the engine has another producer.
  bool is_of_other_engine = false;
};
inline constexpr double kLowDb = 20;
inline constexpr double kWideGapDb = 3;

bool has_accuracy(const model::PlanModel& model);
// The model must be complete. Cost: O(rows).
AccuracyExplanation explain_accuracy(const model::PlanModel& model);

}  // namespace planex::analyze
