#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "render/fields/speed.h"
#include "render/html/explain_data.h"
#include "render/html/table_writer.h"
#include "render/json/record_json.h"

namespace planex::render {

using analyze::SpeedOfLight;
using analyze::SpeedRow;

// A row for each row of `layers`. What follows from the columns and the layer's time, bytes and
// operations is left to the page, so that it holds under every time basis: the bound is the column
// that `limit` names. `bytes` is there where it is not `footprint_bytes`.
void write_speed_data(JsonWriter& json, const model::PlanModel& model, const SpeedOfLight& speed,
                      StringTable& strings) {
  json.begin_object().member("schema", "planex.report-speed/2");
  write_members(json, speed_head_fields(), speed, model);
  write_members(json, speed_tail_fields(), speed, model);
  std::vector<const SpeedRow*> rows(model.layers.row_count());
  for (const SpeedRow& row : speed.rows) rows[row.layer.index()] = &row;
  json.key("layers");
  TableWriter table(json, strings, rows.size());
  const auto real = [&](std::string_view name, std::optional<double> SpeedRow::* value) {
    table.real(name, "ms",
               [&](std::size_t i) { return rows[i] == nullptr ? std::nullopt : rows[i]->*value; });
  };
  const auto word = [&](std::string_view name, const auto& value) {
    table.text(name, [&](std::size_t i) {
      return rows[i] == nullptr ? std::string_view() : to_string(value(*rows[i]));
    });
  };
  real("memory_ms", &SpeedRow::memory_ms);
  real("compute_ms", &SpeedRow::compute_ms);
  real("launch_ms", &SpeedRow::launch_ms);
  table.integer("bytes", [&](std::size_t i) -> std::optional<std::int64_t> {
    const bool differs =
        rows[i] != nullptr && rows[i]->bytes != model.layers.footprint_bytes.get(i);
    return differs ? rows[i]->bytes : std::nullopt;
  });
  word("limit", [](const SpeedRow& row) { return row.limit; });
  word("rate_type", [](const SpeedRow& row) { return row.rate_type; });
  word("rate_evidence", [](const SpeedRow& row) { return row.rate_evidence; });
  real("observed_bound_ms", &SpeedRow::observed_bound_ms);
  table.finish();
  json.end_object();
}

}  // namespace planex::render
