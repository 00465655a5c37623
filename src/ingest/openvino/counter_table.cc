#include "ingest/openvino/counter_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "base/text.h"
#include "ingest/openvino/counter_layers.h"
#include "ingest/openvino/numbers.h"

namespace planex::ingest::openvino {
namespace {

using base::format;

constexpr double kMsPerUs = 0.001, kMsPerS = 1000;
constexpr std::string_view kCut = "...";

enum class Column : std::uint8_t { kType, kReal, kCpu, kKernel, kShare };
struct Title {
  std::string_view text;
  Column column;
  bool is_ms = false;
};
// If two begin the same way, the longer one first.
constexpr std::array<Title, 9> kTitles = {{{"layerType:", Column::kType},
                                           {"realTime (ms):", Column::kReal, true},
                                           {"realTime:", Column::kReal},
                                           {"cpuTime (ms):", Column::kCpu, true},
                                           {"cpuTime:", Column::kCpu},
                                           {"cpu (ms):", Column::kCpu, true},
                                           {"cpu:", Column::kCpu},
                                           {"execType:", Column::kKernel},
                                           {"proportion:", Column::kShare}}};
constexpr std::size_t kColumns = 5;

// "0:00:00.001134", "1 day, 0:00:01": Python's format of a time span. In ms.
std::optional<double> parse_span(std::string_view text) {
  double days = 0;
  if (const std::size_t comma = text.find(", "); comma != text.npos) {
    const auto count = parse_number(text.substr(0, text.find(' ')));
    if (!count) return std::nullopt;
    days = *count;
    text.remove_prefix(comma + 2);
  }
  const std::size_t first = text.find(':');
  const std::size_t second = first == text.npos ? text.npos : text.find(':', first + 1);
  if (second == text.npos) return std::nullopt;
  const auto hours = parse_number(text.substr(0, first));
  const auto minutes = parse_number(text.substr(first + 1, second - first - 1));
  const auto seconds = parse_number(text.substr(second + 1));
  if (!hours || !minutes || !seconds) return std::nullopt;
  return (((days * 24 + *hours) * 60 + *minutes) * 60 + *seconds) * kMsPerS;
}

std::optional<double> parse_time(std::string_view text, bool is_ms) {
  auto ms = parse_span(text);
  if (!ms) {
    ms = parse_number(text);
    if (ms && !is_ms) *ms *= kMsPerUs;
  }
  return ms && *ms >= 0 ? ms : std::nullopt;
}

struct Cell {
  std::string_view text;
  bool is_ms = false;
  bool is_there = false;
};

// The status at the end of what precedes the type, and the name before it.
void split_name(std::string_view text, CounterRow& row) {
  text = base::trimmed(text);
  row.name = text;
  for (const std::string_view word : {"NOT_RUN", "OPTIMIZED_OUT", "EXECUTED"}) {
    if (!text.ends_with(word)) continue;
    std::string_view name = text.substr(0, text.size() - word.size());
    for (const std::string_view owner : {"Status.", "ProfilingInfo."}) {
      if (name.ends_with(owner)) name.remove_suffix(owner.size());
    }
    row.name = base::trimmed(name);
    row.status = word;
    return;
  }
}

}  // namespace

std::optional<CounterRow> parse_counter_row(std::string_view line) {
  const std::size_t type = line.find(kTitles[0].text);
  if (type == line.npos || type == 0) return std::nullopt;
  std::array<Cell, kColumns> cells;
  std::size_t value = 0, at = type;
  const Title* open = nullptr;
  // Values may touch the next title, so only titles divide the line; each counts once.
  const auto close = [&](std::size_t end) {
    if (open == nullptr) return;
    cells[static_cast<std::size_t>(open->column)] = {base::trimmed(line.substr(value, end - value)),
                                                     open->is_ms, true};
  };
  while (at < line.size()) {
    const auto title = std::ranges::find_if(kTitles, [&](const Title& candidate) {
      return !cells[static_cast<std::size_t>(candidate.column)].is_there &&
             line.substr(at).starts_with(candidate.text);
    });
    if (title == kTitles.end()) {
      ++at;
      continue;
    }
    close(at);
    open = &*title;
    cells[static_cast<std::size_t>(open->column)].is_there = true;
    at += title->text.size();
    value = at;
  }
  close(line.size());
  const auto cell = [&](Column column) { return cells[static_cast<std::size_t>(column)]; };
  if (!cell(Column::kReal).is_there) return std::nullopt;
  CounterRow row;
  split_name(line.substr(0, type), row);
  if (row.name.empty()) return std::nullopt;
  row.type = cell(Column::kType).text;
  row.kernel = cell(Column::kKernel).text;
  row.real_ms = parse_time(cell(Column::kReal).text, cell(Column::kReal).is_ms);
  row.cpu_ms = parse_time(cell(Column::kCpu).text, cell(Column::kCpu).is_ms);
  return row;
}

std::optional<double> parse_total(std::string_view text) {
  text = base::trimmed(text);
  for (const auto& [unit, factor] : {std::pair<std::string_view, double>{"milliseconds", 1},
                                     {"microseconds", kMsPerUs},
                                     {"ms", 1},
                                     {"us", kMsPerUs}}) {
    if (!text.ends_with(unit)) continue;
    const auto number = parse_number(text.substr(0, text.size() - unit.size()));
    return number ? std::optional(*number * factor) : std::nullopt;
  }
  return parse_span(text);
}

void CounterTable::report(std::string_view code, std::string message, model::Severity severity,
                          std::optional<std::uint64_t> byte_offset) {
  builder_.add_diagnostic({.code = code,
                           .severity = severity,
                           .message = std::move(message),
                           .file = artefact_.path,
                           .byte_offset = byte_offset});
}

void CounterTable::check_total(double total_ms, std::uint64_t byte_offset) {
  const double sum = list_.request_ms();
  // Each row is truncated to a microsecond.
  const double rounding = kMsPerUs * (static_cast<double>(list_.request_rows()) + 1);
  if (std::abs(sum - total_ms) <= rounding) return;
  report("wrong-total",
         format("the rows add up to {:.3f} ms, but the log says {:.3f} ms: rows may be missing",
                sum, total_ms),
         model::Severity::kWarning, byte_offset);
}

bool CounterTable::take(std::string_view line, std::uint64_t byte_offset) {
  const std::string_view text = base::trimmed(line);
  constexpr std::string_view kTotal = "Total time:";
  if (in_request_ && text.starts_with(kTotal)) {
    if (const auto total = parse_total(text.substr(kTotal.size())))
      check_total(*total, byte_offset);
    in_request_ = false;
    return true;
  }
  if (text.starts_with("Total CPU time:") || text.starts_with("Total proportion:")) {
    return row_count() > 0;
  }
  if (base::contains_ignoring_case(text, "performance counts ") ||
      base::lower(text) == "performance counts:") {
    in_request_ = false;
    return true;
  }
  const auto row = parse_counter_row(text);
  if (!row) return false;
  if (!in_request_) list_.begin_request();
  in_request_ = true;
  add_row(*row);
  return true;
}

void CounterTable::add_row(const CounterRow& row) {
  const CounterRow whole = with_whole_name(row);
  list_.add(whole);
  if (list_.request_count() > 1) return;
  if (whole.name.ends_with(kCut) && cut_count_++ == 0) {
    first_cut_ = builder_.strings().intern(whole.name);
  }
  if (row.real_ms.value_or(0) <= 0) return;
  ++executed_count_;
  is_descending_ = is_descending_ && (!last_ms_ || *row.real_ms <= *last_ms_);
  last_ms_ = row.real_ms;
}

void CounterTable::learn_names() {
  has_known_names_ = true;
  const model::PlanModel& model = builder_.model();
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    known_names_.push_back(model.text(model.layers.name[row]));
  }
  std::ranges::sort(known_names_);
}

// "ExpandDims_4/Unsqueeze___c..." is the only layer that begins this way.
CounterRow CounterTable::with_whole_name(CounterRow row) {
  if (!row.name.ends_with(kCut)) return row;
  if (!has_known_names_) learn_names();
  const std::string_view start = row.name.substr(0, row.name.size() - kCut.size());
  const auto first = std::ranges::lower_bound(known_names_, start);
  if (first == known_names_.end() || !first->starts_with(start)) return row;
  const auto next = first + 1;
  if (next == known_names_.end() || !next->starts_with(start)) row.name = *first;
  return row;
}

void CounterTable::finish() {
  if (row_count() == 0) return;
  const model::LayersTable& layers = builder_.model().layers;
  for (std::size_t row = 0; row < layers.row_count(); ++row) {
    // The files of counters contain the same times, and complete names.
    if (!layers.mean_ms.is_null(row)) return;
  }
  const bool is_engine = layers.row_count() == 0;
  add_counter_layers(list_, artefact_, builder_);
  if (!is_engine) return;
  // With fewer rows, an order by time may be chance.
  constexpr std::size_t kMinSorted = 4;
  if (is_descending_ && executed_count_ >= kMinSorted) {
    report("sorted-by-time",
           "the table is sorted by time (-pcsort), so the layers are not in the order of the "
           "inference",
           model::Severity::kInfo);
  }
  if (cut_count_ > 0) {
    report("names-cut",
           format("{} truncated by benchmark_app, such as {}; complete ones are in its counters "
                  "file (-report_type detailed_counters)",
                  base::counted(cut_count_, "name was", "names were"),
                  base::quoted(builder_.strings().view(first_cut_))),
           model::Severity::kInfo);
  }
}

}  // namespace planex::ingest::openvino
