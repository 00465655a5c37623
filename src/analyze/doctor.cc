#include "analyze/doctor.h"

#include <string_view>

#include "base/numbers.h"

namespace planex::analyze {
namespace {

void set_value(DoctorRun& run, std::string_view key, std::string_view value) {
  if (key == "line") run.line = base::number_in<std::int64_t>(value);
  if (key == "shown") run.is_shown = true;
  if (key == "build line") run.build_line = base::number_in<std::int64_t>(value);
  if (key == "command") run.command = value;
  if (key == "engine") run.engine_file = value;
  if (key == "outcome") run.outcome = value;
  if (key == "shapes") run.shapes = value;
  if (key == "median ms") run.median_ms = base::finite(base::number_in<double>(value));
  if (key == "throughput") run.throughput = base::finite(base::number_in<double>(value));
}

}  // namespace

std::vector<DoctorRun> doctor_runs(const model::PlanModel& model) {
  constexpr std::string_view kSection = "run ";
  const model::MetadataTable& table = model.metadata;
  std::vector<DoctorRun> runs;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const std::string_view section = model.text(table.section[row]);
    if (!section.starts_with(kSection)) continue;
    const auto number = base::number_in<std::int64_t>(section.substr(kSection.size()));
    if (!number) continue;
    if (runs.empty() || runs.back().run != *number) runs.push_back({.run = *number});
    set_value(runs.back(), model.text(table.key[row]), model.text(table.value[row]));
  }
  return runs;
}

}  // namespace planex::analyze
