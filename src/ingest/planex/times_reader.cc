#include "ingest/planex/times_reader.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/numbers.h"
#include "base/text.h"
#include "base/try.h"
#include "ingest/json_record.h"
#include "ingest/planex/number_columns.h"

namespace planex::ingest::planex_files {
namespace {

namespace ondemand = simdjson::ondemand;
using base::format;
using model::IterationsTable;

constexpr Schema kTimesSchema = {.name = "planex.times", .version = 1, .what = "a times file"};

struct TimeColumn {
  std::string_view key;
  model::Real IterationsTable::* column;
};
// The file's columns have the same names as the table's.
constexpr std::array<TimeColumn, 15> kColumns = {{
    {"latency_ms", &IterationsTable::latency_ms},
    {"start_ms", &IterationsTable::start_ms},
    {"end_ms", &IterationsTable::end_ms},
    {"enqueue_ms", &IterationsTable::enqueue_ms},
    {"compute_ms", &IterationsTable::compute_ms},
    {"h2d_ms", &IterationsTable::h2d_ms},
    {"d2h_ms", &IterationsTable::d2h_ms},
    {"start_enqueue_ms", &IterationsTable::start_enqueue_ms},
    {"end_enqueue_ms", &IterationsTable::end_enqueue_ms},
    {"start_h2d_ms", &IterationsTable::start_h2d_ms},
    {"end_h2d_ms", &IterationsTable::end_h2d_ms},
    {"start_compute_ms", &IterationsTable::start_compute_ms},
    {"end_compute_ms", &IterationsTable::end_compute_ms},
    {"start_d2h_ms", &IterationsTable::start_d2h_ms},
    {"end_d2h_ms", &IterationsTable::end_d2h_ms},
}};
constexpr std::size_t kLatency = 0;

// On a machine that does little else, a thread loses its processor less than ten times per second;
// two programs that share one processor take turns some hundred times.
constexpr double kBusySwitchesPerThreadAndSecond = 25;
// A machine that holds up its one thread in another way (a hypervisor, a quota).
constexpr double kMinShareOfOneThread = 0.8;
// Shorter runs show neither effect.
constexpr double kShortestRunMs = 100;

// Totals over the timed inferences.
struct RunCosts {
  std::optional<double> wall_ms, cpu_ms, switches, threads;
};
struct CostField {
  std::string_view key;
  std::optional<double> RunCosts::* field;
};
constexpr std::array<CostField, 4> kCosts = {{
    {"wall_ms", &RunCosts::wall_ms},
    {"cpu_ms", &RunCosts::cpu_ms},
    {"involuntary_switches", &RunCosts::switches},
    {"thread_count", &RunCosts::threads},
}};

class TimesReader {
 public:
  TimesReader(const Artefact& artefact, model::ModelBuilder& builder)
      : artefact_(artefact), builder_(builder), json_(artefact, kTimesSchema) {}

  Result<void> read() {
    PLANEX_TRY(json_.read_document(
        [this](std::string_view key, ondemand::value& value, const JsonPlace& place) {
          return read_root_field(key, value, place);
        }));
    if (!columns_[kLatency]) {
      return fail({.code = ErrorCode::kBadInput,
                   .message = format("not {}: it has no column \"latency_ms\"", kTimesSchema.what),
                   .file = artefact_.path,
                   .json_pointer = "/columns/latency_ms"});
    }
    fill_table();
    return {};
  }

 private:
  using Column = std::vector<double>;

  Result<void> read_root_field(std::string_view key, ondemand::value& value,
                               const JsonPlace& place) {
    if (key == "columns") {
      return json_.each_field(value, place, "an object of lists",
                              [this](std::string_view name, ondemand::value& list,
                                     const JsonPlace& at) { return read_column(name, list, at); });
    }
    if (key == "count") {
      PLANEX_ASSIGN(count_, json_.integer(value, place));
      return {};
    }
    if (key == "warmup_latency_ms" || key == "profiled_latency_ms") {
      // Long lists without a table. The profile file has the latter's statistics.
      PLANEX_TRY(json_.raw(value, place));
      return {};
    }
    if (JsonRecords::is_null(value)) return {};
    PLANEX_ASSIGN(const JsonText text, json_.written(value, place));
    builder_.add_metadata("times", key, text.view, artefact_.path);
    const auto cost = std::ranges::find(kCosts, key, &CostField::key);
    if (cost != kCosts.end()) {
      const auto number = base::leading_number<double>(text.view);
      if (number && *number >= 0) costs_.*cost->field = *number;
    }
    return {};
  }

  // Other programs make times longer and less uniform, and nothing in the times shows it.
  void look_for_busy_machine() {
    if (!costs_.wall_ms || *costs_.wall_ms < kShortestRunMs) return;
    const double seconds = *costs_.wall_ms / 1e3;
    const double threads = std::max(1.0, costs_.threads.value_or(1));
    const bool is_switched =
        costs_.switches && *costs_.switches / seconds / threads >= kBusySwitchesPerThreadAndSecond;
    const bool is_starved =
        threads == 1 && costs_.cpu_ms && *costs_.cpu_ms < kMinShareOfOneThread * *costs_.wall_ms;
    if (!is_switched && !is_starved) return;
    std::string message = "busy machine while inferences were timed:";
    if (costs_.switches) {
      message += format(" another program took a processor {:.0f} times in {:.1f} s",
                        *costs_.switches, seconds);
    }
    if (costs_.cpu_ms) {
      message += format("{} {} got {:.0f} % of a processor's time", costs_.switches ? "," : "",
                        threads == 1 ? "the thread" : format("{:.0f} threads", threads),
                        100 * *costs_.cpu_ms / *costs_.wall_ms);
    }
    builder_.add_diagnostic(
        {.code = "busy-machine", .message = std::move(message), .file = artefact_.path});
  }

  Result<void> read_column(std::string_view key, ondemand::value& value, const JsonPlace& place) {
    const auto found = std::ranges::find(kColumns, key, &TimeColumn::key);
    if (found == kColumns.end()) return lists_.skip(key, value, place);
    const auto index = static_cast<std::size_t>(found - kColumns.begin());
    return lists_.read(value, place, columns_[index].emplace());
  }

  void fill_table() {
    const std::size_t rows = columns_[kLatency]->size();
    IterationsTable& table = builder_.model().iterations;
    table.reserve(rows);
    for (std::size_t row = 0; row < rows; ++row) {
      table.index.set(table.add_row(), static_cast<std::int64_t>(row));
    }
    for (std::size_t i = 0; i < kColumns.size(); ++i) {
      if (!columns_[i]) continue;
      if (!lists_.has_length(kColumns[i].key, columns_[i]->size(), rows)) continue;
      for (std::size_t row = 0; row < rows; ++row) {
        (table.*kColumns[i].column).set(row, (*columns_[i])[row]);
      }
    }
    for (std::size_t row = 0; row < rows; ++row) {
      const auto start = table.start_ms.get(row);
      const auto latency = table.latency_ms.get(row);
      if (table.end_ms.is_null(row) && start && latency) table.end_ms.set(row, *start + *latency);
    }
    if (count_ && *count_ != static_cast<std::int64_t>(rows)) {
      builder_.add_diagnostic(
          {.code = "wrong-count",
           .message = format("the file says {} inferences but contains {}", *count_, rows),
           .file = artefact_.path,
           .json_pointer = "/count"});
    }
    look_for_busy_machine();
    builder_.model().files.record_count.set(artefact_.file_row, static_cast<std::int64_t>(rows));
  }

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  JsonRecords json_;
  NumberColumns lists_{json_, builder_, artefact_, "a list of ms", "iterations", "latency_ms"};
  RunCosts costs_;
  std::optional<std::int64_t> count_;
  std::array<std::optional<Column>, kColumns.size()> columns_;
};

}  // namespace

Confidence sniff_times(std::string_view head) { return sniff_schema(head, kTimesSchema); }

Result<void> read_times(const Artefact& artefact, model::ModelBuilder& builder) {
  return TimesReader(artefact, builder).read();
}

}  // namespace planex::ingest::planex_files
