// What explains most of an engine's layer time, as facts: what its first sentence is about.
#ifndef PLANEX_ANALYZE_HEADLINE_H_
#define PLANEX_ANALYZE_HEADLINE_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "analyze/reconcile.h"
#include "model/plan_model.h"

namespace planex::analyze {

// The layers that change nothing but type or layout (layers.is_reformat).
struct ReformatLoad {
  std::int64_t count = 0;
  std::optional<double> time_ms, share;  // sums; null where none of them has a time
};

// Null where it is not known of any layer whether it is one, as of names alone.
std::optional<ReformatLoad> reformats_of(const model::PlanModel& model, const Reconciliation& time);

enum class HeadlineKind : std::uint8_t {
  kReformats,
  kLayer,     // one layer of several
  kOnly,      // the engine is one layer
  kRepeated,  // layers of one kernel and one shape
};

// What layers of one kernel compute: "attention", "convolution", "matrix product". Empty where
// neither names nor families tell.
std::string_view work_of_layer(const model::PlanModel& model, model::LayerId layer);

struct Headline {
  HeadlineKind kind = HeadlineKind::kLayer;
  model::LayerId layer;    // the layer; of several the first in execution order
  std::int64_t count = 1;  // layers
  double time_ms = 0;      // sum
  double share = 0;        // of Σ layers
  // Errors and warnings of lint on these very layers.
  std::int64_t warnings = 0;
};

// Of what may be said, that which explains most time: reformats from 5 % on, one layer from 25 %,
// six equal layers or more from 15 %. Null where nothing reaches its limit.
// Cost: O(layers log layers + ports).
std::optional<Headline> find_headline(const model::PlanModel& model, const Reconciliation& time);

}  // namespace planex::analyze

#endif  // PLANEX_ANALYZE_HEADLINE_H_
