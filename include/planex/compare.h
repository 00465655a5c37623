// How to compare engines, and which part of the result to write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace planex {

enum class CompareSection : std::uint8_t {
  kOverview,   // totals, the verdict, what changed most
  kPairs,      // layers in pairs; of several engines in rows
  kPair,       // one pair, what is the same and what is different
  kLedger,     // operations of the source model
  kSummaries,  // what each engine is and how it was built and run
};

// Which layers belong together.
enum class MatchRule : std::uint8_t {
  kBest,         // operations of the source model first, then names, shapes, order
  kExactShapes,  // the predecessor's: type and all dims without the batch
  kFirstShapes,  // the predecessor's: type and dims of the first input and output
};

struct CompareRequest {
  CompareSection section = CompareSection::kOverview;
  MatchRule match = MatchRule::kBest;
  // Every row, not only those that matter most.
  bool all = false;
  // Pairs: changed, mismatch-precision, mismatch-tactic, type=T or a kind of change. Empty: all.
  std::string only = {};
  // kPair: its index in the list of pairs, and which of the engines after the first it is of.
  std::size_t pair = 0, engine = 1;
  // A layer is called faster or slower from this ratio of its time on.
  double threshold_ratio = 0.03;
  // A slow-down that is a regression: 0.03. Null: none is.
  std::optional<double> fail_above_ratio = {};
  // What can't be decided is a regression, too.
  bool fail_when_unclear = false;
  // What runs of one engine are known to differ by on this machine, where nobody repeated them: a
  // standard deviation, 0.003. Null: assumed.
  std::optional<double> run_spread_ratio = {};
  // kSummaries: one row an engine.
  bool transpose = false;
};

struct CompareResult {
  std::string document;
  // One of the engines fails the gate.
  bool regressed = false;
};

}  // namespace planex
