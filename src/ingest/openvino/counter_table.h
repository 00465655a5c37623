// The table of performance counters that benchmark_app and OpenVINO's samples print with -pc, one
// row per line:
//   conv1  EXECUTED  layerType: Convolution  realTime: 706  cpu: 706  execType: jit_avx2     (2018)
//   Conv_89  Status.EXECUTEDlayerType: Convolution  realTime: 0:00:00.001134cpu: …  (2022, Python)
//   conv1  Status.EXECUTED  layerType: …  execType: …  realTime (ms): 0.040  cpuTime (ms): … (2023)
// A sorted one (-pcsort) ends with the share of the sum. Times are µs unless the title says ms.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/openvino/counters.h"
#include "ingest/reader.h"

namespace planex::ingest::openvino {

// Views into the line. Nothing if it is not a row of the table, with a layer's type and a time.
std::optional<CounterRow> parse_counter_row(std::string_view line);

// "0.134 milliseconds", "2316 microseconds", in ms.
std::optional<double> parse_total(std::string_view text);

class CounterTable {
 public:
  CounterTable(const Artefact& artefact, model::ModelBuilder& builder)
      : artefact_(artefact), builder_(builder), list_(builder.strings()) {}

  // Whether the line belongs to the table: its heading, a row or a total.
  bool take(std::string_view line, std::uint64_t byte_offset);
  std::size_t row_count() const { return list_.row_count(); }

  // Call once after the last line: adds layers and times, unless the model already has times.
  void finish();

 private:
  void report(std::string_view code, std::string message, model::Severity severity,
              std::optional<std::uint64_t> byte_offset = std::nullopt);
  void add_row(const CounterRow& row);
  void check_total(double total_ms, std::uint64_t byte_offset);
  CounterRow with_whole_name(CounterRow row);
  void learn_names();

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  CounterList list_;
  bool in_request_ = false;
  // Of the first request.
  std::size_t executed_count_ = 0, cut_count_ = 0;
  bool is_descending_ = true;
  std::optional<double> last_ms_;
  base::StringId first_cut_;
  // Of the layers already in the model, sorted: to complete names that the program truncated.
  std::vector<std::string_view> known_names_;
  bool has_known_names_ = false;
};

}  // namespace planex::ingest::openvino
