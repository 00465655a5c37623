// What pointwise layers compute: how many operations each fuses, and which.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/timing/totals.h"

namespace planex::analyze {

enum class PointwiseEvidence : std::uint8_t {
  kParameters,  // the layer lists its operations, or states their number
  kName,        // the name of a generated kernel lists them, each cut to four letters (Myelin)
};
std::string_view to_string(PointwiseEvidence evidence);

// At most this many operations of a layer are kept; the count includes all.
inline constexpr std::size_t kMaxOperations = 64;

struct PointwiseLayer {
  model::LayerId layer;
  std::int64_t operation_count = 0;
  // As the layer lists them ("var0 = iMul(literal4, arg0)"), or words of its name ("Mul"). Empty
  // where only the count is recorded.
  std::vector<std::string> operations;
  PointwiseEvidence evidence = PointwiseEvidence::kParameters;
};

// The layers that fuse the same number of operations.
struct PointwiseGroup {
  std::int64_t operation_count = 0;
  LayerTotals totals;
  // For layers with a time: their time over all their operations.
  std::optional<double> ms_per_operation;
};

struct PointwiseExplanation {
  TimeBasis basis = TimeBasis::kNone;
  std::optional<double> layers_ms;
  std::vector<PointwiseLayer> layers;  // in execution order
  std::vector<PointwiseGroup> groups;  // by operation_count
  LayerTotals all;                     // of `layers`
  LayerTotals unknown;                 // pointwise layers whose operations are unknown
};

// Layers of the family pointwise, and generated kernels whose names contain operations but no
// product. Casts, moves and reshapes in names do not count as operations. Scale layers are not
// among them: they are normalizations. Units:  ms per inference, bytes without padding. Errors:
// none; a list that can't be read counts as unknown. Cost:   O(layers + length of the lists).
PointwiseExplanation explain_pointwise(const model::PlanModel& model, const Reconciliation& time);

// "auto const var0 = pwgen::iMul(literal4, arg0);" -> "var0 = iMul(literal4, arg0)".
std::string pointwise_statement(std::string_view text);

}  // namespace planex::analyze
