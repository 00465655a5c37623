#include "ingest/tensorrt/log/profile_table.h"

#include <algorithm>

#include "base/text.h"
#include "ingest/families.h"
#include "ingest/join_report.h"
#include "ingest/layer_join.h"
#include "ingest/tensorrt/dla_rows.h"
#include "ingest/tensorrt/log/log_numbers.h"
#include "ingest/tensorrt/source_names.h"

namespace planex::ingest::tensorrt {
namespace {

using model::LayerId;

constexpr std::string_view kHeading = "=== Profile (";

// "  Layer   Time (ms)   Avg. Time (ms)   Median Time (ms)   Time %" up to 8.5, "Time(ms)  Avg.(ms)
// Median(ms)  Time(%)  Layer" from 8.6: by the first word of each title.
constexpr std::string_view kNameTitle = "Layer";

bool has_times(const model::LayersTable& layers) {
  for (std::size_t row = 0; row < layers.row_count(); ++row) {
    if (!layers.mean_ms.is_null(row) || !layers.median_ms.is_null(row)) return true;
  }
  return false;
}

}  // namespace

bool is_profile_header(std::string_view text) {
  const std::string_view titles = base::trimmed(text);
  const bool is_old = titles.starts_with(kNameTitle) && titles.ends_with("Time %");
  const bool is_new = titles.ends_with(kNameTitle) && titles.starts_with("Time(ms)");
  return (is_old || is_new) && titles.find("Avg.") != titles.npos;
}

bool ProfileTable::take_header(std::string_view text) {
  const std::string_view titles = base::trimmed(text);
  if (titles.empty()) return true;
  columns_.clear();
  name_comes_last_ = titles.ends_with(kNameTitle);
  if (!name_comes_last_ && !titles.starts_with(kNameTitle)) {
    state_ = State::kOutside;
    return false;
  }
  // Median and mean titles of old versions end in "Time (ms)" as well.
  columns_.push_back(Column::kTotalMs);
  if (titles.find("Avg.") != titles.npos) columns_.push_back(Column::kMeanMs);
  if (titles.find("Median") != titles.npos) columns_.push_back(Column::kMedianMs);
  if (titles.find('%') != titles.npos) columns_.push_back(Column::kPercent);
  state_ = State::kRows;
  return true;
}

bool ProfileTable::take_row(std::string_view text) {
  std::array<std::string_view, kMaxColumns> words{};
  std::string_view rest = text;
  if (name_comes_last_) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
      words[i] = rest.substr(0, std::min(rest.find(' '), rest.size()));
      rest.remove_prefix(words[i].size());
    }
    // Separated by three blanks; what comes after them is the name, including blanks.
    constexpr std::string_view kGap = "   ";
    if (!take_start(rest, kGap)) return false;
  } else {
    rest = base::trimmed(rest);
    for (std::size_t i = columns_.size(); i-- > 0;) {
      const std::size_t blank = rest.rfind(' ');
      if (blank == rest.npos) return false;
      words[i] = rest.substr(blank + 1);
      rest = base::trimmed(rest.substr(0, blank));
    }
  }
  Row row{.name = rest};
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const auto number = real_of(words[i]);
    const bool no_number = words[i].ends_with("nan") || words[i].ends_with("inf");
    if (!number && !no_number) return false;
    if (columns_[i] == Column::kTotalMs) row.total_ms = number;
    if (columns_[i] == Column::kMeanMs) row.mean_ms = number;
    if (columns_[i] == Column::kMedianMs) row.median_ms = number;
  }
  if (row.name == "Total") {
    state_ = State::kOutside;
    return true;
  }
  rows_.push_back(row);
  return true;
}

bool ProfileTable::take(const LogLine& line) {
  if (line.severity != LogSeverity::kInfo && line.severity != LogSeverity::kNone) return false;
  if (line.text.starts_with(kHeading)) {
    std::string_view rest = line.text.substr(kHeading.size());
    iterations_ = count_of(number_word(rest));
    rows_.clear();  // a later table belongs to the same engine
    state_ = State::kHeader;
    return true;
  }
  switch (state_) {
    case State::kOutside:
      if (!is_profile_header(line.text)) return false;
      iterations_.reset();
      rows_.clear();
      return take_header(line.text);
    case State::kHeader:
      return take_header(line.text);
    case State::kRows:
      if (take_row(line.text)) return true;
      state_ = State::kOutside;
      return base::trimmed(line.text).empty();
  }
  return false;
}

std::size_t ProfileTable::join(const Artefact& artefact, model::ModelBuilder& builder) const {
  model::LayersTable& layers = builder.model().layers;
  if (rows_.empty() || has_times(layers)) return 0;
  if (layers.row_count() == 0) {
    for (const Row& row : rows_) {
      const LayerId layer =
          builder.add_layer(builder.strings().intern(row.name, base::Lifetime::kBorrow));
      add_sources_of_name(layer, builder.model().text(layers.name[layer.index()]), builder);
    }
    type_dla_rows(builder);
    model::EngineTable& engine = builder.model().engine;
    if (engine.detail.is_null(0)) {
      engine.detail.set(0, builder.strings().intern("names-only"));
      builder.add_diagnostic(
          {.code = "only-times",
           .message = "the log contains only layer names and times; types, shapes and precisions "
                      "are in the file of trtexec --profilingVerbosity=detailed "
                      "--exportLayerInfo=FILE",
           .file = artefact.path});
    }
  }
  LayerJoin join(builder.model());
  JoinReport report;
  for (const Row& row : rows_) {
    const LayerId layer = join.next(row.name);
    if (layer.is_null()) {
      report.missed(row.name);
      continue;
    }
    layers.total_ms.set(layer.index(), row.total_ms);
    layers.mean_ms.set(layer.index(), row.mean_ms);
    layers.median_ms.set(layer.index(), row.median_ms);
    if (iterations_) layers.count.set(layer.index(), *iterations_);
  }
  report.finish(artefact, join.joined_count(), layers.row_count(), builder);
  return rows_.size();
}

}  // namespace planex::ingest::tensorrt
