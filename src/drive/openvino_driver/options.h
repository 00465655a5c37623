// The command line of planex-openvino.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "planex/error.h"

namespace planex::drive {

// Measuring a model, or the work of a job file.
enum class Mode : std::uint8_t { kMeasure, kInfer, kPrepare };

struct Options {
  Mode mode = Mode::kMeasure;
  std::string job;  // The job's file for kInfer and kPrepare.

  std::string model;
  std::string out;   // Prefix of the files to write.
  std::string name;  // Name of the engine; by default the last part of `out`.
  std::string precision = "f32";
  int threads = 1;
  // Above 1, the throughput of that many parallel inferences is also measured.
  int streams = 1;
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> shapes;
  std::string isa;  // Sets ONEDNN_MAX_CPU_ISA; empty: don't set it.
  std::vector<std::pair<std::string, std::string>> config;
  std::uint64_t seed = 1;

  // Timing without counters. A count that is given is used exactly; otherwise time decides.
  std::optional<int> iterations;
  std::optional<int> warmup;
  int duration_ms = 1500;

  // Timing with counters.
  std::optional<int> rounds;
  std::optional<int> round_iterations;
  std::optional<int> round_warmup;
  int profile_ms = 3000;

  int progress_fd = 1;
  bool help = false;
  bool version = false;
};

// `words` without the program's name. Errors: kUsage.
Result<Options> parse_options(std::span<const std::string> words);

// Checks that oneDNN knows the name. Errors: kUsage.
Result<void> check_isa(std::string_view isa);

std::string help_text();

}  // namespace planex::drive
