// Where precision changes, and what forces it: how many layers read one type and write another, and
// which layers are connected by a float tensor.
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
  LayerTotals conversions;  // Reformat, Reorder, and quantizers and dequantizers that are separate
                            // layers
  LayerTotals matrix;       // convolutions and matrix products
  LayerTotals others;
};

// Which types an engine's islands lie between.
enum class IslandBase : std::uint8_t {
  kNone,       // only one precision, or no types known: there are no islands
  kQuantized,  // floats between quantized layers
  kHalf,       // FP32 between FP16 or BF16 layers
};

enum class IslandEnds : std::uint8_t {
  kBetween,  // narrow layers before and after it: this can be gained
  kHead,     // narrow layers only before it: ends at the engine's output
  kStem,     // narrow layers only after it: begins at the engine's input
  kAlone,    // neither
};

// The part that a layer plays in an island, in the order of a chain.
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

// Wide tensors that are connected because one layer reads or writes several of them, with all
// layers that touch them. A layer is in one island at most.
struct PrecisionIsland {
  IslandEnds ends = IslandEnds::kAlone;
  // The first wide tensor in execution order, its type, and its writer: null for an input.
  model::TensorId root;
  model::DType root_type = model::DType::kNull;
  model::LayerId root_writer;
  std::size_t tensor_count = 0;
  std::vector<IslandLayer> layers;  // in execution order
  LayerTotals all, conversions;
  // Bytes that its layers read and write in the wide types, and what the same elements would take
  // in the narrow one (INT8's width, or FP16's). Null where no size is known.
  std::optional<std::int64_t> wide_bytes, narrow_bytes;
};

// What a layer reads where that type differs from its `precision`: it has no input but constants.
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
  LayerTotals unknown;               // those with an unknown type
  IslandBase base = IslandBase::kNone;
  // Those between narrow layers first, then most time first. all = in_islands + outside.
  std::vector<PrecisionIsland> islands;
  LayerTotals in_islands, outside;
};

// Units:  ms per inference, bytes without padding.
// Errors: none; what is not known is null.
// Cost:   O((layers + ports) log layers).
PrecisionExplanation explain_precision(const model::PlanModel& model, const Reconciliation& time);

// Stable words for JSON and CSV.
std::string_view to_string(IslandBase base);
std::string_view to_string(IslandEnds ends);
std::string_view to_string(IslandRole role);

}  // namespace planex::analyze
