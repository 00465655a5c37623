// What to lint of an engine, and what came of it: `planex lint`.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace planex {

struct LintRequest {
  // Every finding in the text, not only the first of each rule.
  bool all = false;
  // Which rules run; what is empty asks for all. Packs: generic, tensorrt, tensorrt-rtx, openvino,
  // onnxruntime.
  std::vector<std::string> packs = {}, rules = {}, without_rules = {};
  // "ID=error", also warning and info.
  std::vector<std::string> severities = {};
  // Files: rules of the user (planex.rules/1), findings to live with (planex.waivers/1), and those
  // of an earlier build (planex.baseline/1).
  std::optional<std::string> rules_file = {}, waivers = {}, baseline = {};
  // Fingerprints of findings to accept: they are written into the file of waivers, which is made
  // where there is none.
  std::vector<std::string> waive = {};
  // Where to write all findings that are not waived, as a baseline.
  std::optional<std::string> write_baseline = {};
  // Why what is waived or written is accepted.
  std::string reason = {};
  // 2026-10-01: on which day waivers are looked at. Empty: before all of them expire.
  std::string today = {};
  // For each rule of the user.
  double max_seconds = 10;
};

struct LintResult {
  std::string document;
  // Findings that are shown.
  std::size_t error_count = 0, warning_count = 0, info_count = 0;
  // Those of them that are about the measurement and not the engine, of rules that the request does
  // not name.
  std::size_t measurement_error_count = 0, measurement_warning_count = 0,
              measurement_info_count = 0;
  // Findings that are not.
  std::size_t waived_count = 0, baseline_count = 0;
  // What a baseline was written with.
  std::size_t written_count = 0;
};

}  // namespace planex
