// Everything that one run of trtexec, or of a script, reports besides the layers themselves:
// options, device, times, memory, warnings, and how it ended.
#pragma once

#include <cstdint>
#include <string_view>

#include "ingest/reader.h"
#include "ingest/tensorrt/log/build_lines.h"
#include "ingest/tensorrt/log/dla_lines.h"
#include "ingest/tensorrt/log/log_lines.h"
#include "ingest/tensorrt/log/log_runs.h"
#include "ingest/tensorrt/log/measurement_lines.h"
#include "ingest/tensorrt/log/message_lines.h"
#include "ingest/tensorrt/log/profile_table.h"
#include "ingest/tensorrt/log/section_lines.h"

namespace planex::ingest::tensorrt {

class ReportLines {
 public:
  enum class Scope : std::uint8_t {
    kWholeRun,
    kBuild  // another run of the log, which loads this one's engine, has the rest
  };

  ReportLines(const Artefact& artefact, model::ModelBuilder& builder, const LogRun& run,
              Scope scope)
      : artefact_(artefact),
        builder_(builder),
        run_(run),
        scope_(scope),
        dla_(has_option(run.opening.command, "useDLACore")) {}

  // Call for every line, in order, even if another reader consumes it.
  void look_at(const LogLine& line) { messages_.look_at(line); }
  // Consumes a line if it is of this kind, and returns whether it did.
  bool take(const LogLine& line);

  // Names of layers are known from lists other than the engine's own: a profile, or the list of
  // what runs on a DLA.
  bool has_layer_names() const { return table_.has_rows() || dla_.has_layers(); }

  // Call after the last line, and after the layers are in the model. Returns the number of facts
  // used.
  std::size_t finish();

 private:
  bool take_report(const LogLine& line);
  void note_profiler(const LogLine& line);
  void note_parser(const LogLine& line);
  void set_producer();
  void report_version();
  void report_ending();
  int major_version() const;

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  const LogRun& run_;
  Scope scope_;

  SectionLines sections_;
  MeasurementLines measurement_;
  BuildLines build_;
  ProfileTable table_;
  MessageLines messages_;
  DlaLines dla_;
  std::string_view profiler_;  // the one whose lines are in the log
  std::uint64_t profiler_offset_ = 0;
  // In a section of trtexec's that was pasted without the prefixes of its lines.
  bool is_bare_section_ = false;
  bool has_memory_lines_ = false, has_checked_model_ = false;
};

}  // namespace planex::ingest::tensorrt
