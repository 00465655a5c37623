// Which execution providers run the layers of ONNX Runtime, what is between them, and why nodes
// fell back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyze/timing/reconcile.h"
#include "model/plan_model.h"

namespace planex::analyze {

struct ProviderLoad {
  std::string provider;
  // Layers on it that do work, without copies between providers; null: the log says that all run on
  // it, but not how many there are.
  std::optional<std::int64_t> layer_count;
  // Sum under the basis, and of Σ layers; null where none of them has a time.
  std::optional<double> time_ms, share;
};

struct ProviderFallbacks {
  std::string type;  // of the nodes; empty: not recorded
  std::string reason;
  std::vector<std::string> nodes;  // names; a node without a name is left out
  std::int64_t count = 0;
};

struct ProviderReport {
  std::vector<ProviderLoad> providers;  // by time, then count, descending
  // Copies between the host and a device where the provider changes; null: not known.
  std::optional<std::int64_t> copy_count;
  std::optional<double> copy_ms, copy_share;
  std::vector<ProviderFallbacks> fallbacks;  // most first
};

// Whether the layer is a copy that ONNX Runtime inserted between two providers.
bool is_provider_copy(const model::PlanModel& model, model::LayerId layer);

// Null where no file mentions providers. Cost: O(layers + metadata).
std::optional<ProviderReport> find_providers(const model::PlanModel& model,
                                             const Reconciliation& time);

}  // namespace planex::analyze
