#include "ingest/planex/machine_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/text.h"
#include "base/try.h"
#include "ingest/json_record.h"
#include "ingest/planex/number_columns.h"

namespace planex::ingest::planex_files {
namespace {

namespace ondemand = simdjson::ondemand;
using base::format;
using SamplesTable = model::MachineSamplesTable;

constexpr Schema kMachineSchema = {
    .name = "planex.machine", .version = 1, .what = "a file of the machine's state"};

struct SampleColumn {
  std::string_view key;
  std::variant<model::Int SamplesTable::*, model::Real SamplesTable::*> column;
};
// The file's columns have the same names as the table's.
const std::array<SampleColumn, 15> kSampleColumns = {{
    {"time_ms", &SamplesTable::time_ms},
    {"cpu_mhz", &SamplesTable::cpu_mhz},
    {"cpu_temperature_c", &SamplesTable::cpu_temperature_c},
    {"cpu_throttle_count", &SamplesTable::cpu_throttle_count},
    {"cpu_energy_j", &SamplesTable::cpu_energy_j},
    {"cpu_busy_ms", &SamplesTable::cpu_busy_ms},
    {"cpu_own_ms", &SamplesTable::cpu_own_ms},
    {"cpu_stolen_ms", &SamplesTable::cpu_stolen_ms},
    {"gpu_mhz", &SamplesTable::gpu_mhz},
    {"gpu_memory_mhz", &SamplesTable::gpu_memory_mhz},
    {"gpu_temperature_c", &SamplesTable::gpu_temperature_c},
    {"gpu_power_w", &SamplesTable::gpu_power_w},
    {"gpu_use_ratio", &SamplesTable::gpu_use_ratio},
    {"gpu_throttle_bits", &SamplesTable::gpu_throttle_bits},
    {"gpu_process_count", &SamplesTable::gpu_process_count},
}};
constexpr std::size_t kTime = 0;
// The range in which doubles represent every integer.
constexpr double kMaxWhole = 9007199254740992.0;

class MachineReader {
 public:
  MachineReader(const Artefact& artefact, model::ModelBuilder& builder)
      : artefact_(artefact), builder_(builder), json_(artefact, kMachineSchema) {}

  Result<void> read() {
    PLANEX_TRY(json_.read_document(
        [this](std::string_view key, ondemand::value& value, const JsonPlace& place) {
          return read_root_field(key, value, place);
        }));
    if (columns_[kTime].empty()) {
      return fail({.code = ErrorCode::kBadInput,
                   .message = format("not {}: it has no column \"time_ms\"", kMachineSchema.what),
                   .file = artefact_.path,
                   .json_pointer = "/columns/time_ms"});
    }
    fill_table();
    return {};
  }

 private:
  Result<void> read_root_field(std::string_view key, ondemand::value& value,
                               const JsonPlace& place) {
    if (key == "columns") {
      return json_.each_field(value, place, "an object of lists",
                              [this](std::string_view name, ondemand::value& list,
                                     const JsonPlace& at) { return read_column(name, list, at); });
    }
    if (key == "phases") {
      return json_.each_item(
          value, place, "a list of phases",
          [this](ondemand::value& item, const JsonPlace& at) { return read_phase(item, at); });
    }
    if (value.raw_json_token().starts_with('{')) {
      return json_.each_field(
          value, place, "an object",
          [&](std::string_view part, ondemand::value& item, const JsonPlace& at) {
            return keep(format("{}.{}", key, part), item, at);
          });
    }
    return keep(key, value, place);
  }

  Result<void> keep(std::string_view key, ondemand::value& value, const JsonPlace& place) {
    if (JsonRecords::is_null(value)) return {};
    PLANEX_ASSIGN(const JsonText text, json_.written(value, place));
    builder_.add_metadata("machine", key, text.view, artefact_.path);
    return {};
  }

  // "phase.time", and when it began.
  Result<void> read_phase(ondemand::value& value, const JsonPlace& place) {
    std::string name;
    std::optional<double> start_ms;
    const auto read_field = [&](std::string_view key, ondemand::value& item,
                                const JsonPlace& at) -> Result<void> {
      if (key == "name") {
        PLANEX_ASSIGN(const JsonText text, json_.text(item, at));
        name = text.view;
      } else if (key == "start_ms") {
        PLANEX_ASSIGN(start_ms, json_.number(item, at));
      } else {
        PLANEX_TRY(json_.raw(item, at));
      }
      return {};
    };
    PLANEX_TRY(json_.each_field(value, place, "a phase", read_field));
    if (name.empty() || !start_ms) return {};
    builder_.add_metadata("machine", format("phase.{}", name), format("{}", *start_ms),
                          artefact_.path);
    return {};
  }

  Result<void> read_column(std::string_view key, ondemand::value& value, const JsonPlace& place) {
    const auto found = std::ranges::find(kSampleColumns, key, &SampleColumn::key);
    if (found == kSampleColumns.end()) return lists_.skip(key, value, place);
    const auto index = static_cast<std::size_t>(found - kSampleColumns.begin());
    return lists_.read(value, place, columns_[index]);
  }

  void fill_table() {
    const std::size_t rows = columns_[kTime].size();
    SamplesTable& table = builder_.model().machine_samples;
    if (table.row_count() > 0) {
      builder_.add_diagnostic(
          {.code = "left-out",
           .message = "another file of the machine's state was read before this one",
           .file = artefact_.path});
      return;
    }
    table.reserve(rows);
    for (std::size_t row = 0; row < rows; ++row) table.add_row();
    for (std::size_t i = 0; i < kSampleColumns.size(); ++i) {
      if (columns_[i].empty()) continue;
      if (!lists_.has_length(kSampleColumns[i].key, columns_[i].size(), rows)) continue;
      fill_column(table, kSampleColumns[i], columns_[i]);
    }
    builder_.model().files.record_count.set(artefact_.file_row, static_cast<std::int64_t>(rows));
  }

  static void fill_column(SamplesTable& table, const SampleColumn& info,
                          const std::vector<double>& values) {
    for (std::size_t row = 0; row < values.size(); ++row) {
      if (!std::isfinite(values[row])) continue;
      if (const auto* real = std::get_if<model::Real SamplesTable::*>(&info.column)) {
        (table.**real).set(row, values[row]);
      } else if (std::abs(values[row]) < kMaxWhole) {
        (table.*std::get<model::Int SamplesTable::*>(info.column))
            .set(row, std::llround(values[row]));
      }
    }
  }

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  JsonRecords json_;
  NumberColumns lists_{json_,    builder_, artefact_, "a list of numbers", "samples of the machine",
                       "time_ms"};
  std::array<std::vector<double>, kSampleColumns.size()> columns_;
};

}  // namespace

Confidence sniff_machine(std::string_view head) { return sniff_schema(head, kMachineSchema); }

Result<void> read_machine(const Artefact& artefact, model::ModelBuilder& builder) {
  return MachineReader(artefact, builder).read();
}

}  // namespace planex::ingest::planex_files
