// The table of layer times that `trtexec --dumpProfile` prints.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ingest/reader.h"
#include "ingest/tensorrt/log/log_lines.h"

namespace planex::ingest::tensorrt {

// The column titles of the table; people paste it without the heading.
bool is_profile_header(std::string_view text);

class ProfileTable {
 public:
  // Consumes [I] lines, and bare ones inside the table.
  bool take(const LogLine& line);
  bool is_open() const { return state_ != State::kOutside; }
  bool has_rows() const { return !rows_.empty(); }
  // The log ended inside the table.
  bool is_cut() const { return state_ == State::kRows; }

  // Gives the times to the layers that have none yet; if there are no layers, makes layers from the
  // names. Returns the number of rows that were used.
  std::size_t join(const Artefact& artefact, model::ModelBuilder& builder) const;

 private:
  enum class State : std::uint8_t { kOutside, kHeader, kRows };
  // Figures of a row: total, mean, median, share; in this order in all versions.
  enum class Column : std::uint8_t { kTotalMs, kMeanMs, kMedianMs, kPercent };
  static constexpr std::size_t kMaxColumns = 4;

  struct Row {
    std::string_view name;
    std::optional<double> total_ms, mean_ms, median_ms;
  };

  bool take_header(std::string_view text);
  bool take_row(std::string_view text);

  State state_ = State::kOutside;
  std::vector<Column> columns_;
  bool name_comes_last_ = false;
  std::optional<std::int64_t> iterations_;
  std::vector<Row> rows_;
};

}  // namespace planex::ingest::tensorrt
