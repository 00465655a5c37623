// Reads the files of performance counters that benchmark_app writes into one list: detailed,
// average and sorted ones, from its Python and its C++ program.
//
// CSV: a header line, a row for each node of the compiled model and each operation that was fused
// into another, and a row of totals; again for each further inference request. Fields are separated
// by semicolons and not quoted; in the sorted kind of the Python program, by commas. JSON: the same
// under "detailed_performance" (a list of requests) or "avg_performance" (one). Times are ms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/reader.h"

namespace planex::ingest::openvino {

enum class CounterStatus : std::uint8_t { kNotRun, kOptimizedOut, kExecuted };

// One row, or the rows that several requests have for one layer.
struct Counter {
  base::StringId name, type, kernel;
  CounterStatus status = CounterStatus::kNotRun;
  // One per request that has a time for it. Each is a mean over all inferences so far, in whole
  // microseconds, truncated.
  std::vector<double> real_ms, cpu_ms;
};

// The content of a row.
struct CounterRow {
  std::string_view name, status, type, kernel;
  // Nothing if the file has no number.
  std::optional<double> real_ms, cpu_ms;
};

class CounterList {
 public:
  explicit CounterList(base::StringPool& strings) : strings_(strings) {}

  void begin_request();
  // Among rows of the same name, the k-th of a request belongs to the k-th of the others.
  void add(const CounterRow& row);

  const std::vector<Counter>& counters() const { return counters_; }
  std::size_t request_count() const { return request_count_; }
  std::size_t row_count() const { return row_count_; }
  // Sum of the current request's real times.
  double request_ms() const { return request_ms_; }
  std::size_t request_rows() const { return request_rows_; }

 private:
  base::StringPool& strings_;
  std::vector<Counter> counters_;
  std::size_t request_count_ = 0, row_count_ = 0, request_rows_ = 0;
  double request_ms_ = 0;
  // Ordered maps: hostile names can't make them slow.
  std::map<std::pair<base::StringId, std::size_t>, std::size_t> row_of_;
  std::map<base::StringId, std::size_t> seen_in_request_;
};

// Reads the whole file, in either form. Errors: kBadInput with location. Odd rows are diagnostics.
Result<void> parse_counters(const Artefact& artefact, model::ModelBuilder& builder,
                            CounterList& counters);

}  // namespace planex::ingest::openvino
