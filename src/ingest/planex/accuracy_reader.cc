#include "ingest/planex/accuracy_reader.h"

#include <string>

#include "base/text.h"
#include "base/try.h"
#include "ingest/planex/output_rows.h"
#include "ingest/planex/record_rows.h"

namespace planex::ingest::planex_files {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr Schema kAccuracySchema = {
    .name = "planex.layer-accuracy",
    .version = 1,
    .what = "an accuracy layer by layer",
    .hint = "such a file comes from `planex accuracy MODEL QUANTIZED --data DATA --format json`"};
constexpr std::string_view kAccuracySection = "accuracy";

class AccuracyReader {
 public:
  AccuracyReader(const Artefact& artefact, model::ModelBuilder& builder)
      : artefact_(artefact), builder_(builder), json_(artefact, kAccuracySchema) {}

  Result<void> read() {
    const model::AccuracyTable& table = builder_.model().accuracy;
    PLANEX_TRY(read_record(
        json_, builder_, artefact_, kAccuracySchema, "layers", [&] { return table.row_count(); },
        [this](std::string_view key, ondemand::value& value, const JsonPlace& place) {
          return read_member(key, value, place);
        }));
    outputs_.finish();
    return {};
  }

 private:
  Result<void> read_member(std::string_view key, ondemand::value& value, const JsonPlace& place) {
    if (key == "layers") {
      return json_.each_item(
          value, place, "a list of tensors",
          [this](ondemand::value& item, const JsonPlace& at) -> Result<void> {
            model::AccuracyTable& table = builder_.model().accuracy;
            PLANEX_TRY(check_count(builder_, artefact_, table.row_count(), "tensors"));
            return layers_.read(item, at, table.add_row());
          });
    }
    if (key == "metrics") return outputs_.read_metrics(value, place);
    if (const auto* const compared = OutputRows::find(key)) {
      PLANEX_ASSIGN(const auto rows, outputs_.read(*compared, value, place));
      outputs_.keep(*compared, rows);
      return {};
    }
    if (key == "maps") {
      return json_.each_item(
          value, place, "a list of difference maps",
          [this](ondemand::value& item, const JsonPlace& at) { return read_map(item, at); });
    }
    return keep_fact(json_, builder_, artefact_, kAccuracySection, key, value, place);
  }

  Result<void> read_map(ondemand::value& value, const JsonPlace& place) {
    model::DifferenceMapsTable& table = builder_.model().difference_maps;
    PLANEX_TRY(check_count(builder_, artefact_, table.row_count(), "difference maps"));
    const std::size_t row = table.add_row();
    PLANEX_TRY(maps_.read(value, place, row));
    const std::int64_t height = table.height.get(row).value_or(0);
    const std::int64_t width = table.width.get(row).value_or(0);
    const std::size_t count = table.cells.is_null(row) ? 0 : table.cells[row].size();
    constexpr std::int64_t kMaxSide = 4096;
    if (height > 0 && width > 0 && height <= kMaxSide && width <= kMaxSide &&
        count == static_cast<std::size_t>(height * width)) {
      return {};
    }
    return fail(json_.input().wrong_value(place.pointer(),
                                          base::format("{} cells of {} x {}", count, height, width),
                                          "height x width cells"));
  }

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  JsonRecords json_;
  RecordRows layers_{json_, builder_, artefact_, "accuracy", kRenamedOfTensor};
  RecordRows maps_{json_, builder_, artefact_, "difference_maps"};
  OutputRows outputs_{json_, builder_, artefact_, kAccuracySection};
};

}  // namespace

Confidence sniff_accuracy(std::string_view head) { return sniff_schema(head, kAccuracySchema); }

Result<void> read_accuracy(const Artefact& artefact, model::ModelBuilder& builder) {
  return AccuracyReader(artefact, builder).read();
}

}  // namespace planex::ingest::planex_files
