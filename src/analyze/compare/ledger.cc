#include "analyze/compare/ledger.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include "analyze/compare/same_operation.h"
#include "analyze/work/sums.h"

namespace planex::analyze {
namespace {

using model::LayerId;
using model::PlanModel;

// The rows that one engine's operations are in; kNone while they are in no row.
using Rows = std::vector<std::size_t>;

class LedgerMatch {
 public:
  explicit LedgerMatch(std::span<const EngineLedger> engines) : engines_(engines) {}

  void match(std::span<const Alignment* const> to_first) {
    for (std::size_t engine = 0; engine < engines_.size(); ++engine) {
      Rows rows(engines_[engine].operations.size(), kNoOperation);
      for (std::size_t other = 0; other < engine; ++other) {
        const bool aligned = other == 0 && engine - 1 < to_first.size();
        const std::vector<std::size_t> same = same_operations(
            engines_[other], engines_[engine], aligned ? to_first[engine - 1] : nullptr);
        for (std::size_t i = 0; i < rows.size(); ++i) {
          if (rows[i] != kNoOperation || same[i] == kNoOperation) continue;
          const std::size_t row = rows_of_[other][same[i]];
          if (taken(row, engine)) continue;
          rows[i] = row;
          taken_[row] = engine;
        }
      }
      for (std::size_t& row : rows) {
        if (row != kNoOperation) continue;
        row = taken_.size();
        taken_.push_back(engine);
      }
      rows_of_.push_back(std::move(rows));
    }
  }

  Ledger ledger() const {
    Ledger ledger;
    ledger.rows.resize(taken_.size());
    for (LedgerRow& row : ledger.rows) row.cells.resize(engines_.size());
    for (std::size_t engine = 0; engine < engines_.size(); ++engine) {
      ledger.totals.push_back(engines_[engine].total);
      add_operations(engine, ledger);
    }
    for (std::size_t engine = 0; engine < engines_.size(); ++engine) add_remainders(engine, ledger);
    return ledger;
  }

 private:
  bool taken(std::size_t row, std::size_t engine) const { return taken_[row] == engine; }

  void add_operations(std::size_t engine, Ledger& ledger) const {
    const EngineLedger& of = engines_[engine];
    for (std::size_t i = 0; i < of.operations.size(); ++i) {
      LedgerRow& row = ledger.rows[rows_of_[engine][i]];
      const LedgerOperation& operation = of.operations[i];
      const bool is_first = std::ranges::none_of(row.cells, [](const auto& c) { return !!c; });
      if (is_first) {
        row.name = operation.name;
        row.type = operation.type;
      }
      // An operation that one export names by a number only may be named after a weight in another.
      if (row.parameter.empty()) row.parameter = operation.parameter;
      row.cells[engine] = LedgerCell{.name = operation.name};
    }
    for (const LedgerShare& share : of.shares) {
      LedgerCell& cell = *ledger.rows[rows_of_[engine][share.operation]].cells[engine];
      ++cell.layer_count;
      cell.rule = std::min(cell.rule, share.rule);
      add_to(cell.time, share.time);
      if (share.is_reformat_for_it) cell.reformat_time += share.time.value_or(0);
    }
  }

  void add_remainders(std::size_t engine, Ledger& ledger) const {
    for (const LedgerRemainder& remainder : engines_[engine].remainders) {
      const LedgerKind kind = remainder.does_work ? LedgerKind::kRemainder : LedgerKind::kNoWork;
      const auto first = ledger.rows.begin() + static_cast<std::ptrdiff_t>(taken_.size());
      auto row = std::find_if(first, ledger.rows.end(), [&](const LedgerRow& candidate) {
        return candidate.kind == kind && candidate.type == remainder.type;
      });
      if (row == ledger.rows.end()) {
        LedgerRow added{.kind = kind, .type = remainder.type};
        added.cells.resize(engines_.size());
        row = ledger.rows.insert(row, std::move(added));
      }
      row->cells[engine] = LedgerCell{.layer_count = remainder.layer_count, .time = remainder.time};
    }
  }

  std::span<const EngineLedger> engines_;
  std::vector<Rows> rows_of_;       // [engine][operation]
  std::vector<std::size_t> taken_;  // [row]: the last engine that has it
};

}  // namespace

EngineLedger ledger_of(const PlanModel& model, TimeBasis basis) {
  EngineLedger ledger;
  const ExactTimes times = exact_times(model, basis);
  ledger.total = times.total;
  const TimeSpread spread(model);
  std::unordered_map<std::string_view, std::uint32_t> operation_of_name;
  std::map<std::pair<bool, std::string_view>, std::size_t> remainder_of;
  const auto operation = [&](const SpreadPart& part) {
    const auto [found, is_new] =
        operation_of_name.emplace(part.name, static_cast<std::uint32_t>(ledger.operations.size()));
    if (is_new) ledger.operations.push_back({part.name, part.type, part.parameter});
    return found->second;
  };
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    const LayerId layer(row);
    const bool does_work = model.does_work(layer);
    const auto time = times.of_layer[row];
    if (!does_work && !time) continue;
    const Spread parts = does_work ? spread.of(layer) : Spread{};
    if (parts.parts.empty()) {
      if (!does_work && *time == 0) continue;
      const std::string_view type = does_work ? model.text(model.layers.type[row]) : "";
      const auto [found, is_new] =
          remainder_of.emplace(std::pair(!does_work, type), ledger.remainders.size());
      if (is_new) ledger.remainders.push_back({.type = type, .does_work = does_work});
      LedgerRemainder& remainder = ledger.remainders[found->second];
      ++remainder.layer_count;
      add_to(remainder.time, time);
      continue;
    }
    std::vector<std::int64_t> weights;
    for (const SpreadPart& part : parts.parts) weights.push_back(part.weight);
    const std::vector<Femtoseconds> split_time = split(time.value_or(0), weights);
    for (std::size_t i = 0; i < parts.parts.size(); ++i) {
      ledger.shares.push_back({.layer = layer,
                               .operation = operation(parts.parts[i]),
                               .rule = parts.rule,
                               .is_reformat_for_it = parts.is_reformat_for_them,
                               .time = time ? std::optional(split_time[i]) : std::nullopt});
    }
  }
  std::ranges::stable_sort(ledger.remainders, std::ranges::greater{}, &LedgerRemainder::does_work);
  return ledger;
}

Ledger compare_ledgers(std::span<const EngineLedger> engines,
                       std::span<const Alignment* const> to_first) {
  LedgerMatch comparison(engines);
  comparison.match(to_first);
  return comparison.ledger();
}

}  // namespace planex::analyze
