#include "ingest/planex/output_rows.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "base/find.h"
#include "base/text.h"
#include "base/try.h"

namespace planex::ingest::planex_files {

namespace ondemand = simdjson::ondemand;

const OutputRows::Compared* OutputRows::find(std::string_view member) {
  return base::find(kCompared, member, &Compared::member);
}

std::size_t OutputRows::count() const {
  std::size_t count = builder_.model().accuracy_outputs.row_count();
  for (const model::AccuracyOutputsTable& table : kept_) count += table.row_count();
  return count;
}

Result<std::size_t> OutputRows::add_row(model::AccuracyOutputsTable& table,
                                        std::string_view compared) {
  if (count() >= builder_.limits().layers) {
    return fail(model::too_many("outputs", builder_.limits().layers, artefact_.path));
  }
  const std::size_t row = table.add_row();
  table.record.set(row, builder_.strings().intern(record_));
  table.compared.set(row, builder_.strings().intern(compared));
  return row;
}

// Cells are set in the model's table, which is temporarily replaced by another one.
Result<model::AccuracyOutputsTable> OutputRows::read(const Compared& compared,
                                                     ondemand::value& value,
                                                     const JsonPlace& place) {
  model::AccuracyOutputsTable& table = builder_.model().accuracy_outputs;
  model::AccuracyOutputsTable before = std::exchange(table, {});
  PLANEX_TRY(json_.each_item(value, place, "a list of outputs",
                             [&](ondemand::value& item, const JsonPlace& at) -> Result<void> {
                               PLANEX_ASSIGN(const std::size_t row, add_row(table, compared.word));
                               return rows_.read(item, at, row);
                             }));
  return std::exchange(table, std::move(before));
}

void OutputRows::keep(const Compared& compared, const model::AccuracyOutputsTable& rows) {
  const auto place = static_cast<std::size_t>(&compared - kCompared.data());
  kept_[place].append(rows, [](auto cell) { return cell; });
}

Result<void> OutputRows::read_metrics(ondemand::value& value, const JsonPlace& place) {
  const auto read_one = [&](ondemand::value& item, const JsonPlace& at) -> Result<void> {
    std::string name;
    std::map<std::string, std::string> values;
    const auto read_field = [&](std::string_view key, ondemand::value& field,
                                const JsonPlace& where) -> Result<void> {
      if (JsonRecords::is_null(field)) return {};
      PLANEX_ASSIGN(const JsonText text, json_.written(field, where));
      (key == "name" ? name : values[std::string(key)]) = text.view;
      return {};
    };
    PLANEX_TRY(json_.each_field(item, at, "a value of a metric", read_field));
    for (const auto& [model, text] : values) {
      builder_.add_metadata(record_, base::format("metrics.{}.{}", name, model), text,
                            artefact_.path);
    }
    return {};
  };
  return json_.each_item(value, place, "a list of values of metrics", read_one);
}

void OutputRows::finish() {
  model::AccuracyOutputsTable& table = builder_.model().accuracy_outputs;
  const auto same = [](auto cell) { return cell; };
  for (const model::AccuracyOutputsTable& kept : kept_) table.append(kept, same);
}

}  // namespace planex::ingest::planex_files
