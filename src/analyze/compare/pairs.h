// Layers of two engines that do the same, and how they differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analyze/align/alignment.h"
#include "analyze/timing/exact_time.h"
#include "analyze/verdict/layer_noise.h"
#include "model/plan_model.h"

namespace planex::analyze {

// What is not known on one of the sides is not compared.
enum class ChangeKind : std::uint8_t {
  kAdded,      // only the second engine has it
  kRemoved,    // only the first
  kFused,      // fewer layers do it, not counting reformats
  kSplit,      // more layers do it
  kRegrouped,  // several layers do it in both, the same number
  kReformatsRemoved,
  kReformatsAdded,
  kType,  // for engines of one producer; else the family
  kInputPrecision,
  kOutputPrecision,
  kComputePrecision,
  kTactic,
  kInputLayout,
  kOutputLayout,
  kInputDims,
  kOutputDims,
  kTime,  // by more than noise
};
// As JSON has it; permanent.
std::string_view to_string(ChangeKind kind);

// The layers of one side of a pair taken together, seen from outside. Views into the model.
struct SideFacts {
  // The layer with most of the work: the one with the most MACs that is not a reformat, else the
  // first. Null where the side is empty.
  model::LayerId principal;
  // Where inputs and outputs are taken from: the first and the last layer, without reformats if
  // there are others, and the rows of their first ports that are not shapes.
  model::LayerId first, last;
  std::optional<std::size_t> input_port, output_port;
  std::size_t layer_count = 0, reformat_count = 0;
  std::string_view type, tactic;  // of the principal
  model::Family family = model::Family::kNull;
  model::DType compute_precision = model::DType::kNull;
  // Inputs and outputs: the first data input of the first layer, the first output of the last;
  // without reformats if there are others.
  model::DType input_precision = model::DType::kNull, output_precision = model::DType::kNull;
  model::Layout input_layout, output_layout;
  std::string_view input_format, output_format;  // as written
  std::optional<std::span<const std::int64_t>> input_dims, output_dims;
  // Sums over the layers, null where one value is not known.
  std::optional<std::int64_t> weight_bytes, io_bytes;
};
// `layers` belong to one engine and are in execution order. Cost: O(layers and their ports).
SideFacts side_facts(const model::PlanModel& model, std::span<const model::LayerId> layers);

// Where a difference in time comes from; every pair has one cause, apart from its reformats.
enum class Cause : std::uint8_t {
  kReformatsRemoved,
  kReformatsAdded,
  kReformatsKept,
  kRemoved,
  kAdded,
  kFused,
  kSplit,
  kRegrouped,
  kPrecision,  // input, output or compute precision
  kDims,
  kKernel,  // tactic, layout or type
  kSame,    // nothing that the files record
  kNoWork,  // records that do no work and have a time
};
std::string_view to_string(Cause cause);

struct LayerPair {
  // In execution order; either may be empty.
  std::vector<model::LayerId> a, b;
  MatchBy by = MatchBy::kUnmatched;
  double certainty = 0;
  // Sums over layers that have a time; null where none has.
  std::optional<Femtoseconds> a_time, b_time;
  // b − a; a missing side counts as 0. Null where a layer has no time.
  std::optional<Femtoseconds> delta;
  // b ÷ a; null where a side is empty, or a's time is 0.
  std::optional<double> ratio;
  LayerChange noise;
  // For the pair without its reformats; kReformats… where it consists of reformats.
  Cause cause = Cause::kSame;
  std::vector<ChangeKind> changes;  // in the order of ChangeKind
  bool has(ChangeKind kind) const;
};

// The difference of Σ layers by cause. Layers of pairs that are reformats count as such, all others
// under the cause of their pair.
struct CauseRow {
  Cause cause = Cause::kSame;
  std::int64_t pair_count = 0, a_layers = 0, b_layers = 0;
  Femtoseconds a_time = 0, b_time = 0;  // of layers that have a time
};

struct PairCounts {
  std::int64_t matched = 0, only_a = 0, only_b = 0;
  std::int64_t changed = 0;  // among the matched ones: they have a change
};

struct PairList {
  std::vector<LayerPair> pairs;  // as the alignment has them
  // Indices of pairs whose time differs, the greatest difference first, then in their order.
  std::vector<std::size_t> movers;
  // Those that occur, in the order of Cause. Their times add up to Σ layers of both engines, to
  // the last digit.
  std::vector<CauseRow> causes;
  std::optional<Femtoseconds> a_total, b_total, delta;  // Σ layers
  PairCounts counts;
  // Lower bound for the noise of all others; null where few pairs are unchanged.
  std::optional<UnchangedScatter> unchanged;
};

struct Side {
  const model::PlanModel* model = nullptr;
  TimeBasis basis = TimeBasis::kNone;
};

// Antisymmetric: with sides swapped, differences change sign, added becomes removed, and fused
// becomes split. An engine compared with itself has no changes. Cost: O(n log n) in layers and
// ports.
PairList compare_layers(const Side& a, const Side& b, const Alignment& alignment);

}  // namespace planex::analyze
