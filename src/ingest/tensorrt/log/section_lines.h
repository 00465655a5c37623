// trtexec's sections of `key: value` lines: options, device, performance summary. They have the
// same names as in TREx's metadata files, so that both kinds of file give the same rows.
#pragma once

#include <array>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/reader.h"
#include "ingest/tensorrt/log/log_lines.h"

namespace planex::ingest::tensorrt {

inline constexpr std::string_view kPerformanceSection = "performance_summary";

class SectionLines {
 public:
  // Consumes [I] lines of the program. Verbose lines repeat the keys of the summary in prose.
  bool take(const LogLine& line);
  // Call after the last line: completes what was begun.
  void close() { close_old_block(); }

  // The value unchanged, empty if the run did not print it.
  std::string_view value(std::string_view section, std::string_view key) const;
  bool has_section(std::string_view section) const;

  struct AddOptions {
    // Build options are the program's defaults, because the run loaded its engine.
    bool build_options_are_defaults = false;
    // Only model and build options belong to the engine: another run of the log has the rest, and
    // this one's other sections are kept under other names.
    bool build_only = false;
  };
  // Adds all rows to `metadata`. Returns their number.
  std::size_t add_rows(const AddOptions& options, const Artefact& artefact,
                       model::ModelBuilder& builder);

 private:
  struct Row {
    std::string_view section;
    std::string_view key;
    std::string value;
  };
  // One block of TensorRT 7's performance summary: a heading, and one line per figure.
  struct OldBlock {
    std::string_view key;
    std::array<std::string_view, 5> figures{};     // min, max, mean, median, percentile
    std::array<std::string_view, 5> end_to_end{};  // the same
    std::string_view percentile;
  };

  bool open_section(std::string_view text);
  bool take_old_summary(std::string_view text);
  void close_old_block();
  void add_statistics(std::string_view key, std::string_view text);
  void add(std::string_view section, std::string_view key, std::string value);
  // A copy of the name that lives as long as this.
  std::string_view kept_name(std::string name);
  void rank_performance(const Artefact& artefact, model::ModelBuilder& builder);

  std::vector<Row> rows_;
  std::deque<std::string> names_;
  std::string_view section_;  // empty: outside
  OldBlock old_block_;
  bool has_percentiles_ = false;
  std::size_t row_overflow_ = 0;
};

}  // namespace planex::ingest::tensorrt
