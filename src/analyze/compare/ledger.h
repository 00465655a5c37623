// The time of an engine's layers by operation of the source model, so that engines of different
// compilers and precisions can be compared operation by operation. Sums agree to the last digit.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analyze/align/alignment.h"
#include "analyze/compare/time_spread.h"
#include "analyze/timing/exact_time.h"
#include "model/plan_model.h"

namespace planex::analyze {

// Views into the model.
struct LedgerOperation {
  std::string_view name, type, parameter;  // as SpreadPart has them
};

struct LedgerShare {
  model::LayerId layer;
  std::uint32_t operation = 0;  // index into EngineLedger::operations
  ShareRule rule = ShareRule::kEven;
  bool is_reformat_for_it = false;
  // Null where the layer has no time.
  std::optional<Femtoseconds> time;
};

// Layers that stem from no known operation, by type; or records that do no work but have a time.
struct LedgerRemainder {
  std::string_view type;  // empty where it is not known
  bool does_work = true;
  std::int64_t layer_count = 0;
  std::optional<Femtoseconds> time;
};

struct EngineLedger {
  // By the first layer that has them. Operations without a layer in the shown profile are left out.
  std::vector<LedgerOperation> operations;
  std::vector<LedgerShare> shares;  // by layer, then as the layer lists them
  std::vector<LedgerRemainder> remainders;
  // Shares and remainders add up to it exactly: Σ layers. Null where there are no times.
  std::optional<Femtoseconds> total;
};

// `model` must be completed. Cost: that of TimeSpread for every layer.
EngineLedger ledger_of(const model::PlanModel& model, TimeBasis basis);

// One engine's part of a row.
struct LedgerCell {
  // In this engine: numbers in names change from export to export. Empty for remainders.
  std::string_view name;
  std::int64_t layer_count = 0;
  // The weakest of its shares.
  ShareRule rule = ShareRule::kSole;
  // Null where no layer of it has a time.
  std::optional<Femtoseconds> time;
  // The part of `time` in layers that only reformat for the operation.
  Femtoseconds reformat_time = 0;
};

enum class LedgerKind : std::uint8_t { kOperation, kRemainder, kNoWork };

struct LedgerRow {
  LedgerKind kind = LedgerKind::kOperation;
  std::string_view name, type;  // of the first engine that has it
  std::string_view parameter;   // of the first engine that records one
  // One per engine; null where the engine does not have it.
  std::vector<std::optional<LedgerCell>> cells;
};

struct Ledger {
  std::vector<std::optional<Femtoseconds>> totals;  // one for each engine
  // In the order of the first engine, then what only others have; remainders last. For each engine,
  // the times of all rows add up to its total.
  std::vector<LedgerRow> rows;
};

// `to_first[i]` aligns the first engine (a) with engine i + 1 (b); it can be shorter, and entries
// can be null.
//
// The same operation has the same name. Only names that consist of an operator and a running number
// ("Conv_34") can mean a different operation in another export of the model: they are trusted if
// nine in ten of those of the engine with fewer of them also occur in the other. Otherwise
// operations of a type are the same in the order of their numbers, if both engines have the same
// number of them. The rest is the same if it follows the same weight, or is in layers that the
// alignment has matched. The latter also applies where engines share less than half of their names.
// Cost: O(engines² · operations), besides sorting.
Ledger compare_ledgers(std::span<const EngineLedger> engines,
                       std::span<const Alignment* const> to_first = {});

}  // namespace planex::analyze
