// The figures of one run of benchmark_app that its report and its log have in common.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "ingest/reader.h"

namespace planex::ingest::openvino {

// Unknown values are missing.
struct BenchmarkFacts {
  std::optional<double> median_ms, mean_ms, min_ms, max_ms;
  // -latency_percentile selects a percentile instead of the median.
  std::optional<double> percentile_ms;
  std::optional<std::int64_t> percentile;
  std::optional<double> first_ms;     // the first inference; not included in the others
  std::optional<double> duration_ms;  // of all others
  std::optional<std::int64_t> iterations;
  std::optional<std::int64_t> requests;  // in flight at once
  // Whether layers were timed during the same inferences.
  std::optional<bool> counters_on;
};

// Sections of the metadata from which analyze reads the end-to-end times.
inline constexpr std::string_view kReportSection = "benchmark report";
inline constexpr std::string_view kLogSection = "benchmark log";

// Adds the figures as rows of `section`, under names with units: latency_median_ms, ...,
// throughput_per_s (inferences, not frames). A log adds none that the report has, but reports where
// they differ. Also reports conditions that distort them, or the layers' times.
void add_benchmark_facts(const BenchmarkFacts& facts, std::string_view section,
                         const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::openvino
