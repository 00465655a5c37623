// What layers launch: kernels by layer, from a trace of the device, next to the times of the
// profiler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyze/timing/reconcile.h"
#include "analyze/timing/streams.h"
#include "model/plan_model.h"

namespace planex::analyze {

struct LayerKernels {
  model::LayerId layer;
  // Under the basis; null where the profile has none.
  std::optional<double> time_ms;
  // Median over inferences of the sum of its kernels (layers.kernel_ms).
  std::optional<double> kernel_ms;
  // time_ms - kernel_ms: what the profiler adds, and the time between launches. Null if the times
  // are those of the kernels.
  std::optional<double> difference_ms;
  std::optional<double> share;    // kernel_ms relative to that of all layers
  std::vector<std::size_t> rows;  // of `kernels`, in launch order
};

// All launches of one kernel by layers.
struct KernelTotals {
  base::StringId name;
  std::int64_t rows = 0;    // places in an inference where it is launched
  std::int64_t layers = 0;  // that launch it
  // Sum of the medians of its rows, and of the sum over all kernels.
  double time_ms = 0;
  std::optional<double> share;
};

// Kernels that no layer launched.
struct OtherKernels {
  std::vector<std::size_t> rows;  // of `kernels`, most total time first
  std::int64_t launches = 0;
  double total_ms = 0;  // of all launches
};

struct KernelExplanation {
  TimeBasis basis = TimeBasis::kNone;
  // The layers' times are sums of kernels, as there was no profile.
  bool are_times_of_kernels = false;
  // The largest number of launches of a kernel in one place.
  std::int64_t inferences = 0;
  // Sums over all shown layers: of times under the basis, and of kernel_ms.
  std::optional<double> layers_ms, kernels_ms;
  // The same over layers that have both; difference = layers - kernels, and its ratio to those
  // layers' time.
  std::optional<double> compared_layers_ms, compared_kernels_ms, difference_ms, difference_share;
  std::optional<double> end_to_end_ms;  // median
  // Layers that do work: those with kernels, those without, and the time of the latter.
  std::int64_t with_kernels = 0, without_kernels = 0;
  std::optional<double> without_kernels_ms;
  // Rows of `kernels` with a layer that is shown.
  std::int64_t launches = 0;
  std::vector<LayerKernels> layers;   // in execution order
  std::vector<std::size_t> by_time;   // of `layers`, most kernel time first
  std::vector<KernelTotals> kernels;  // most time first, then by name
  // Within an inference, but not within the range of a layer; and outside of inferences.
  OtherKernels between, elsewhere;
  std::optional<StreamUses> streams;
};

// Layers of the shown optimization profile.
// Units: ms per inference, as the profiler's.
// Cost:  O(kernels + layers), besides sorting.
KernelExplanation explain_kernels(const model::PlanModel& model, const Reconciliation& time);

}  // namespace planex::analyze
