// How the times of a run were measured, and the averages that trtexec prints on the way.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "ingest/reader.h"
#include "ingest/tensorrt/log/log_lines.h"
#include "ingest/tensorrt/log/section_lines.h"

namespace planex::ingest::tensorrt {

class MeasurementLines {
 public:
  // Consumes [I] lines of the program, and the warnings of a failed CUDA graph capture.
  bool take(const LogLine& line);

  bool has_timing() const { return !queries_.empty(); }
  // trtexec omitted the summary because its profiler slowed the inferences down.
  bool summary_left_out() const { return summary_left_out_; }

  // Adds the sections "measurement" and "trace_averages". `major_version` 0: not known.
  void add_rows(const SectionLines& sections, int major_version, std::string_view command,
                const Artefact& artefact, model::ModelBuilder& builder) const;

 private:
  enum Field : std::uint8_t { kCompute, kLatency, kEnqueue, kEndToEnd, kFieldCount };

  void take_average(std::string_view text);
  void add_averages(const Artefact& artefact, model::ModelBuilder& builder) const;

  std::string_view queries_, measured_s_, warmup_queries_, warmup_ms_;
  std::string_view runs_per_average_, omitted_;
  std::array<std::vector<std::string_view>, kFieldCount> averages_;
  bool summary_left_out_ = false;
  bool graph_capture_failed_ = false;
};

}  // namespace planex::ingest::tensorrt
