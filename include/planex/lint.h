// What to lint in an engine, and the result: `planex lint`.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "planex/options.h"

namespace planex {

// clang-format off
#define PLANEX_LINT_OPTIONS(OPTION)                                                               \
  OPTION(bool, all, false, "all", "", "Show every finding, not just the first of each rule",      \
         .for_people = true)                                                                      \
  OPTION(std::vector<std::string>, packs, {}, "pack", "PACK",                                     \
         "Only rules of this pack: generic, tensorrt, tensorrt-rtx, openvino, onnxruntime",       \
         .commas = true, .python = "packs")                                                       \
  OPTION(std::vector<std::string>, rules, {}, "rule", "RULE", "Only this rule",                   \
         .commas = true, .python = "rules")                                                       \
  OPTION(std::vector<std::string>, without_rules, {}, "no-rule", "RULE",                          \
         "All rules except this", .commas = true, .python = "without_rules")                      \
  OPTION(std::vector<std::string>, severities, {}, "severity", "RULE=SEVERITY",                   \
         "Override a rule's severity: error, warning or info",                                    \
         .commas = true, .python = "severities")                                                  \
  OPTION(std::optional<std::string>, rules_file, {}, "rules-file", "FILE",                        \
         "Your own rules, in SQL (planex.rules/1)", .reads = true)                                \
  OPTION(std::optional<std::string>, waivers, {}, "waivers", "FILE",                              \
         "Accepted findings, each with a reason (planex.waivers/1)", .updates_with = "--waive")   \
  OPTION(std::optional<std::string>, baseline, {}, "baseline", "FILE",                            \
         "Findings of an earlier build (planex.baseline/1): lint hides them, a report marks them as "\
         "known", .reads = true)                                                                  \
  OPTION(std::vector<std::string>, waive, {}, "waive", "FINGERPRINT",                             \
         "Accept the finding with this fingerprint: add it to the waivers file",                  \
         .commas = true, .for_people = true)                                                      \
  OPTION(std::optional<std::string>, write_baseline, {}, "write-baseline", "FILE",                \
         "Write all findings that aren't waived as a baseline, and exit with 0",                  \
         .writes = true, .for_people = true)                                                      \
  OPTION(std::string, reason, {}, "reason", "REASON",                                             \
         "Why the findings are accepted (for --waive, --write-baseline)", .for_people = true)     \
  OPTION(std::string, today, {}, "today", "YYYY-MM-DD",                                           \
         "Today's date, for waivers that expire [SOURCE_DATE_EPOCH, else the clock]",             \
         .for_people = true)                                                                      \
  OPTION(double, max_seconds, 10, "rule-seconds", "S",                                            \
         "Time limit of one rule's SQL", .above = 0)
// clang-format on

struct LintRequest {
  PLANEX_LINT_OPTIONS(PLANEX_MEMBER)
};

struct LintResult {
  std::string document;
  // Findings that are shown.
  std::size_t error_count = 0, warning_count = 0, info_count = 0;
  // Those among them that are about the measurement, not the engine, and whose rules the request
  // does not name.
  std::size_t measurement_error_count = 0, measurement_warning_count = 0,
              measurement_info_count = 0;
  // Findings that are not shown.
  std::size_t waived_count = 0, baseline_count = 0;
  // Findings that were written to a baseline.
  std::size_t written_count = 0;
};

}  // namespace planex
