// Where precision changes, and what forces it: how many layers read one type and write another,
// and which layers hang together because one tensor is float.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyze/timing/totals.h"
#include "graph/data_flow.h"

namespace planex::analyze {

// Layers that read `from` (their first data input) and write `to` (their first output). Every layer
// that does work is in one cell, so the cells add up to the engine.
struct PrecisionCell {
  model::DType from = model::DType::kNull, to = model::DType::kNull;
  LayerTotals all;
  // all = conversions + matrix + others.
  LayerTotals conversions;  // Reformat, Reorder, quantizers and dequantizers of their own
  LayerTotals matrix;       // convolutions and matrix products
  LayerTotals others;
};

// What an engine's islands are islands in.
enum class IslandBase : std::uint8_t {
  kNone,       // one precision only, or no types known: there are none
  kQuantized,  // floats between quantized layers
  kHalf,       // FP32 between FP16 or BF16 layers
};

enum class IslandEnds : std::uint8_t {
  kBetween,  // narrow layers before it and behind it: what can be gained
  kHead,     // narrow layers before it only: ends at the engine's output
  kStem,     // behind it only: begins at the engine's input
  kAlone,    // neither
};

// What a layer does in an island. The order is that of a chain.
enum class IslandRole : std::uint8_t {
  kWritesWide,  // computes in the narrow type and writes the wide one
  kRunsWide,    // reads and writes the wide type
  kReadsWide,   // computes in the narrow type and reads a wide second input: a residual
  kConverts,    // between the types, or between two wide ones
};

struct IslandLayer {
  model::LayerId layer;
  IslandRole role = IslandRole::kRunsWide;
};

// Wide tensors that hang together, since one layer reads or writes several of them, with all layers
// that touch them. A layer is in one island at most.
struct PrecisionIsland {
  IslandEnds ends = IslandEnds::kAlone;
  // The first wide tensor in execution order, its type, and its writer: null at the input.
  model::TensorId root;
  model::DType root_type = model::DType::kNull;
  model::LayerId root_writer;
  std::size_t tensor_count = 0;
  std::vector<IslandLayer> layers;  // in execution order
  LayerTotals all, conversions;
  // What its layers read and write in the wide types, and what the same elements would take in the
  // narrow one (INT8's width, or FP16's). Null where no size is known.
  std::optional<std::int64_t> wide_bytes, narrow_bytes;
};

// What a layer reads where it is another type than its `precision`: it has no input but constants.
struct ReadType {
  model::LayerId layer;
  model::DType type = model::DType::kNull;
};

struct PrecisionExplanation {
  TimeBasis basis = TimeBasis::kNone;
  std::optional<double> layers_ms;
  LayerTotals all;  // all layers that do work
  // Most time first, then most bytes, then types.
  std::vector<PrecisionCell> cells;
  std::vector<ReadType> read_types;  // in execution order
  LayerTotals changing;              // the cells whose types differ
  LayerTotals unknown;               // those of which a type is not known
  IslandBase base = IslandBase::kNone;
  // Those between first, then most time first. all = in_islands + outside.
  std::vector<PrecisionIsland> islands;
  LayerTotals in_islands, outside;
};

// Units:  ms per inference, bytes without padding.
// Errors: none; what is not known is null.
// Cost:   O((layers + ports) log layers).
PrecisionExplanation explain_precision(const model::PlanModel& model, const Reconciliation& time);

// Permanent words for JSON and CSV.
std::string_view to_string(IslandBase base);
std::string_view to_string(IslandEnds ends);
std::string_view to_string(IslandRole role);

}  // namespace planex::analyze
