// How to compare engines, and which part of the result to write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "planex/options.h"

namespace planex {

enum class CompareSection : std::uint8_t {
  kOverview,   // totals, the verdict, what changed most
  kPairs,      // layers in pairs; for several engines in rows
  kPair,       // one pair: what is the same and what differs
  kLedger,     // operations of the source model
  kSummaries,  // what each engine is and how it was built and run
};

// Which layers belong together.
enum class MatchRule : std::uint8_t {
  kBest,         // operations of the source model first, then names, shapes, order
  kExactShapes,  // the predecessor's rule: type and all dims without the batch
  kFirstShapes,  // the predecessor's rule: type and dims of the first input and output
};

// clang-format off
#define PLANEX_COMPARE_OPTIONS(OPTION)                                                            \
  OPTION(CompareSection, section, CompareSection::kOverview, "section", "SECTION",                \
         "Which part of the comparison", .for_programs = true)                                    \
  OPTION(MatchRule, match, MatchRule::kBest, "match", "RULE",                                     \
         "How to pair layers; exact-shapes and first-shapes are TREx's rules")                    \
  OPTION(bool, all, false, "all", "",                                                             \
         "Show all rows in text and Markdown, not just the largest")                              \
  OPTION(std::string, only, {}, "which", "WHICH",                                                 \
         "Show only these pairs: changed, mismatch-precision, mismatch-tactic, type=T, "          \
         "fused, …", .old = "only")                                                               \
  OPTION(std::size_t, pair, 0, "pair", "N",                                                       \
         "Show one pair in detail: what is the same and what differs", .shows_initial = false)    \
  OPTION(std::size_t, engine, 1, "against", "N",                                                  \
         "With --pair: the index, from 0, of the engine compared with the first",                 \
         .needs = "--pair",                                                                       \
         .old = "engine")                                                                         \
  OPTION(double, threshold_ratio, 0.03, "threshold", "PERCENT",                                   \
         "Relative change from which a layer counts as faster or slower", .is_ratio = true)       \
  OPTION(std::optional<double>, fail_above_ratio, {}, "fail-on-regression", "PERCENT",            \
         "Exit with 1 if an engine is slower by more than this and by more than noise; "          \
         "with 5 if the times to decide it are missing", .is_ratio = true)                        \
  OPTION(bool, fail_when_unclear, false, "fail-when-unclear", "",                                 \
         "With --fail-on-regression: also fail when the verdict is unclear")                      \
  OPTION(std::optional<double>, run_spread_ratio, {}, "run-spread", "PERCENT",                    \
         "Standard deviation between runs of one engine on this machine, from earlier "           \
         "repeated runs; used where no run is repeated", .is_ratio = true)                        \
  OPTION(bool, transpose, false, "transpose", "",                                                 \
         "With --summaries: one row per engine", .needs = "--summaries")
// clang-format on

struct CompareRequest {
  PLANEX_COMPARE_OPTIONS(PLANEX_MEMBER)
};

struct CompareResult {
  std::string document;
  // One of the engines fails the gate.
  bool regressed = false;
};

}  // namespace planex
