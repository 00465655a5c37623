#include "ingest/tensorrt/log/section_lines.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/text.h"
#include "ingest/tensorrt/log/log_numbers.h"
#include "ingest/tensorrt/log/trtexec_headings.h"

namespace planex::ingest::tensorrt {
namespace {

using base::format;

// Real runs print about 130.
constexpr std::size_t kMaxRows = 10'000;
constexpr std::size_t kMaxSections = 100;

// Marks sections of another run than the one that is shown.
constexpr std::string_view kOtherRun = " (other run)";

constexpr std::array<std::string_view, 5> kOldFigures = {"min", "max", "mean", "median",
                                                         "percentile"};

// "[1, 2, null, 4, 5]", without the missing ones at the end.
std::string list_of(std::span<const std::string_view> figures) {
  std::size_t size = figures.size();
  while (size > 0 && figures[size - 1].empty()) --size;
  std::string list = "[";
  for (std::size_t i = 0; i < size; ++i) {
    if (i > 0) list += ", ";
    list += figures[i].empty() ? std::string_view("null") : figures[i];
  }
  return list + "]";
}

}  // namespace

std::string_view SectionLines::kept_name(std::string name) {
  const auto found = std::ranges::find(names_, name);
  if (found != names_.end()) return *found;
  // They are searched linearly.
  if (names_.size() >= kMaxSections) return "other sections";
  return names_.emplace_back(std::move(name));
}

void SectionLines::add(std::string_view section, std::string_view key, std::string value) {
  if (rows_.size() >= kMaxRows) {
    ++row_overflow_;
    return;
  }
  rows_.push_back({section, key, std::move(value)});
}

bool SectionLines::open_section(std::string_view text) {
  constexpr std::string_view kMark = "=== ", kEnd = " ===";
  constexpr std::size_t kLongestHeading = 64;
  if (!text.starts_with(kMark) || !text.ends_with(kEnd) || text.size() <= kMark.size() * 2 ||
      text.size() > kLongestHeading) {
    return false;
  }
  std::string name = base::lower(text.substr(kMark.size(), text.size() - kMark.size() * 2));
  std::ranges::replace(name, ' ', '_');
  section_ = kept_name(std::move(name));
  return true;
}

// "min = 1 ms, max = 2 ms, mean = 1 ms, median = 1 ms, percentile(90%) = 2 ms, ..."
void SectionLines::add_statistics(std::string_view key, std::string_view text) {
  std::vector<std::string_view> figures, percentiles;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t comma = std::min(rest.find(", "), rest.size());
    const std::string_view item = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 2, rest.size()));
    const std::size_t equals = item.find(" = ");
    if (equals == item.npos) continue;
    figures.push_back(number_word(item.substr(equals + 3)));
    std::string_view name = item.substr(0, equals);
    if (take_start(name, "percentile(")) percentiles.push_back(number_word(name));
  }
  add(section_, key, list_of(figures));
  if (!has_percentiles_ && !percentiles.empty()) {
    add(section_, "percentiles", list_of(percentiles));
    has_percentiles_ = true;
  }
}

void SectionLines::close_old_block() {
  if (old_block_.key.empty()) return;
  const auto has_any = [](const auto& figures) {
    return std::ranges::any_of(figures, [](std::string_view figure) { return !figure.empty(); });
  };
  if (has_any(old_block_.figures)) {
    add(kPerformanceSection, old_block_.key, list_of(old_block_.figures));
  }
  if (has_any(old_block_.end_to_end)) {
    add(kPerformanceSection, "End-to-End Host Latency", list_of(old_block_.end_to_end));
  }
  if (!has_percentiles_ && !old_block_.percentile.empty()) {
    add(kPerformanceSection, "percentiles", list_of(std::array{old_block_.percentile}));
    has_percentiles_ = true;
  }
  old_block_ = {};
}

// TensorRT 7: headings without "===", and one line per figure: "min: 4.9 ms (end to end 8 ms)".
bool SectionLines::take_old_summary(std::string_view text) {
  const std::string_view heading = base::trimmed(text);
  const std::string_view key = heading == "Host Latency"   ? "Latency"
                               : heading == "Enqueue Time" ? "Enqueue Time"
                               : heading == "GPU Compute"  ? "GPU Compute Time"
                                                           : "";
  if (!key.empty()) {
    close_old_block();
    old_block_.key = key;
    return true;
  }
  if (old_block_.key.empty()) return false;
  for (std::size_t i = 0; i < kOldFigures.size(); ++i) {
    std::string_view rest = text;
    if (!take_start(rest, kOldFigures[i]) || !take_start(rest, ": ")) continue;
    old_block_.figures[i] = number_word(rest);
    old_block_.end_to_end[i] = word_after(rest, "(end to end ");
    if (kOldFigures[i] == "percentile") old_block_.percentile = word_after(rest, " ms at ");
    return true;
  }
  struct Total {
    std::string_view start, key;
  };
  constexpr std::array<Total, 3> kTotals = {{{"throughput: ", "Throughput"},
                                             {"walltime: ", "Total Host Walltime"},
                                             {"total compute time: ", "Total GPU Compute Time"}}};
  for (const Total& total : kTotals) {
    std::string_view rest = text;
    if (!take_start(rest, total.start)) continue;
    add(kPerformanceSection, total.key, std::string(number_word(rest)));
    return true;
  }
  close_old_block();
  return false;
}

bool SectionLines::take(const LogLine& line) {
  if (line.severity != LogSeverity::kInfo || line.from_library) {
    // Lines mixed in from stderr do not end a section, verbose text does.
    if (line.severity == LogSeverity::kVerbose) section_ = {};
    return false;
  }
  const std::string_view text = line.text;
  if (text.starts_with("=== ")) {
    close_old_block();
    return open_section(text);
  }
  if (section_.empty()) {
    if (!is_summary_figure(text)) return take_old_summary(text);
    // Pasted without the heading.
    section_ = kept_name(std::string(kPerformanceSection));
  }
  if (base::trimmed(text).empty()) {
    section_ = {};
    return true;
  }
  if (section_ == "trace_details" || section_.starts_with("profile_(")) return false;
  if (section_ == kPerformanceSection && text.starts_with("Explanations of")) {
    section_ = {};
    return true;
  }
  const std::size_t colon = text.find(':');
  if (colon == text.npos) {
    // "x<-input.raw" under "Inputs:".
    if (rows_.empty() || rows_.back().section != section_ || text.find("<-") == text.npos) {
      section_ = {};
      return false;
    }
    const std::string_view list = rows_.back().key;
    if (rows_.back().value.empty()) {
      rows_.back().value = text;
    } else {
      add(section_, list, std::string(text));
    }
    return true;
  }
  const std::string_view key = base::trimmed(text.substr(0, colon));
  const std::string_view value = base::trimmed(text.substr(colon + 1));
  if (section_ != kPerformanceSection) {
    add(section_, key, std::string(value));
  } else if (value.starts_with("min = ")) {
    add_statistics(key, value);
  } else {
    // "23188.6 qps", "3.0 s": TREx has the bare number.
    add(section_, key, std::string(number_word(value)));
  }
  return true;
}

std::string_view SectionLines::value(std::string_view section, std::string_view key) const {
  for (const Row& row : rows_) {
    if (row.section == section && row.key == key) return row.value;
  }
  return {};
}

bool SectionLines::has_section(std::string_view section) const {
  return std::ranges::any_of(rows_, [&](const Row& row) { return row.section == section; });
}

// Of two different summaries, the user profiled the one of a run that only loads and times: a build
// measures in passing. The other one is kept under another name.
void SectionLines::rank_performance(const Artefact& artefact, model::ModelBuilder& builder) {
  model::MetadataTable& table = builder.model().metadata;
  const base::StringId section = builder.strings().find(kPerformanceSection);
  if (section.is_null() || !has_section(kPerformanceSection)) return;
  const auto same_number = [](std::string_view a, std::string_view b) {
    const auto x = real_of(a), y = real_of(b);
    return a == b || (x && y && *x == *y);
  };
  bool found = false, same = false;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    if (table.section[row] != section) continue;
    found = true;
    if (builder.strings().view(table.key[row]) != "Throughput") continue;
    same = same_number(builder.strings().view(table.value[row]),
                       value(kPerformanceSection, "Throughput"));
  }
  if (!found) return;
  const std::string_view kept_as = kept_name(format("{}{}", kPerformanceSection, kOtherRun));
  const bool ours_wins = !same && value("model_options", "Format") == "*";  // it loaded its engine
  if (ours_wins) {
    const base::StringId other = builder.strings().intern(kept_as);
    for (std::size_t row = 0; row < table.row_count(); ++row) {
      if (table.section[row] == section) table.section.set(row, other);
    }
  } else {
    for (Row& row : rows_) {
      if (row.section == kPerformanceSection) row.section = kept_as;
    }
    if (same) std::erase_if(rows_, [&](const Row& row) { return row.section == kept_as; });
  }
  if (!same) {
    builder.add_diagnostic(
        {.code = "two-performance-summaries",
         .severity = model::Severity::kInfo,
         .message = format("two runs measured this engine; end to end comes from {} run, the other "
                           "is in metadata section {}",
                           ours_wins ? "this" : "the other", base::quoted(kept_as)),
         .file = artefact.path});
  }
}

std::size_t SectionLines::add_rows(const AddOptions& options, const Artefact& artefact,
                                   model::ModelBuilder& builder) {
  close_old_block();
  if (options.build_only) {
    for (Row& row : rows_) {
      if (row.section == "model_options" || row.section == "build_options") continue;
      row.section = kept_name(format("{}{}", row.section, kOtherRun));
    }
  }
  rank_performance(artefact, builder);
  for (const Row& row : rows_) {
    const bool is_default = options.build_options_are_defaults && row.section == "build_options";
    builder.add_metadata(is_default ? "build_options (defaults)" : row.section, row.key, row.value,
                         artefact.path);
  }
  if (row_overflow_ > 0) {
    builder.add_diagnostic(
        {.code = "too-many-values",
         .message = format("{} more lines of the log's sections were not kept", row_overflow_),
         .file = artefact.path});
  }
  return rows_.size();
}

}  // namespace planex::ingest::tensorrt
