// One engine in figures: the data of `planex summary`, its JSON and the report's Overview.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analyze/machine/machine_state.h"
#include "analyze/memory/memory.h"
#include "analyze/reproduce/missing_pieces.h"
#include "analyze/summary/accuracy_warnings.h"
#include "analyze/summary/build_time.h"
#include "analyze/summary/dla.h"
#include "analyze/summary/headline.h"
#include "analyze/summary/model_plan.h"
#include "analyze/summary/providers.h"
#include "analyze/timing/concurrency.h"
#include "analyze/timing/host_times.h"
#include "analyze/timing/reconcile.h"
#include "analyze/timing/steady_state.h"
#include "analyze/timing/streams.h"
#include "model/action.h"
#include "model/plan_model.h"

namespace planex::analyze {

// Totals of the layers that share a word: a type or a precision.
struct Group {
  std::string key;
  model::Family family = model::Family::kNull;  // of a type; kNull for precisions
  std::int64_t count = 0;
  // Sums over the group; null where no layer of it has a time (or a median).
  std::optional<double> median_ms, mean_ms;
  // Ratio of the sum of layer times (Reconciliation::basis).
  std::optional<double> share;
};

// All of them as one: the sums of their figures.
Group sum_of(std::span<const Group> groups);

struct LayerFigure {
  model::LayerId layer;
  std::optional<double> time_ms;  // under the basis
};

struct Binding {
  std::string name;
  std::vector<std::int64_t> dims;
  bool dims_known = false;
  model::DType dtype = model::DType::kNull;
  model::Layout layout;
};

// Diagnostics with one code.
struct DiagnosticGroup {
  std::string code, message, file;  // message and file of the first
  model::Severity severity = model::Severity::kNull;
  std::int64_t count = 0;
};

struct FindingCounts {
  std::int64_t error = 0, warning = 0, info = 0;
};

// A summary lists the first few actions.
inline constexpr std::size_t kFirstActions = 3;

struct Summary {
  // `bindings`: those for which the files do not say whether they are inputs or outputs.
  std::vector<Binding> inputs, outputs, bindings;
  std::int64_t layer_count = 0, record_count = 0, tensor_count = 0;
  // Sums over the layers that do work, of what is known; null where nothing is. weight_bytes counts
  // each constant once, footprint_bytes (activations and weights) what each layer reads.
  std::optional<std::int64_t> weight_bytes, activation_bytes, footprint_bytes, macs, flops;
  // Where one branch of a conditional runs and the files don't say which: the value with the
  // smaller branch; `macs` and `flops` are those with the larger. Else null.
  std::optional<std::int64_t> least_macs, least_flops;
  MemorySummary memory;
  // Layers that do work and whose traffic, work, or bytes moved are not known: the sums are then
  // lower bounds.
  std::int64_t layers_without_bytes = 0, layers_without_flops = 0, layers_without_footprint = 0;
  Reconciliation time;
  // Null where there are no times of inferences.
  std::optional<SteadyState> steady_state;
  // Null where the machine was not recorded.
  std::optional<MachineState> machine;
  // By time, then count, then key. Layers that do work: with time.others they make Σ layers.
  std::vector<Group> by_type, by_precision, by_output_precision;
  // By time, descending; at most ten.
  std::vector<LayerFigure> top_layers;
  std::optional<ReformatLoad> reformats;
  std::optional<Headline> headline;
  // Null where no file is about a DLA.
  std::optional<DlaReport> dla;
  // Null where no file mentions ONNX Runtime's providers.
  std::optional<ProviderReport> providers;
  // Null where the time of an inference outside the device is not known.
  std::optional<HostTimes> host_times;
  // Null where no log records it.
  std::optional<BuildTime> build;
  std::optional<Concurrency> concurrency;
  // Of the device, from a trace.
  std::optional<StreamUses> streams;
  // Null for engines: what targets would make of a model that nothing was compiled from.
  std::optional<ModelPlan> model_plan;
  std::vector<AccuracyWarning> accuracy_warnings;
  FindingCounts findings;
  // From the linter, for all that show a summary: what to do first, at most three actions; how many
  // there are, and what all of them save.
  std::vector<model::Action> actions;
  std::int64_t action_count = 0;
  model::ActionTotal saving;
  std::vector<DiagnosticGroup> diagnostics;
  std::vector<MissingPiece> missing;
};

// `findings` are counted from model.findings, so call lint::store first. `time` is the result of
// complete(), `state` that of find_steady_state(); without them, both are computed.
Summary summarize(const model::PlanModel& model, Reconciliation time,
                  std::optional<SteadyState> state);
Summary summarize(const model::PlanModel& model, Reconciliation time);
Summary summarize(const model::PlanModel& model);

}  // namespace planex::analyze
