// Rows of accuracy_outputs from the records of quantization and of accuracy, always in the order of
// the things compared, whatever the order of the record's members.
#pragma once

#include <array>
#include <string_view>

#include "ingest/json_record.h"
#include "ingest/planex/record_rows.h"
#include "ingest/reader.h"
#include "model/builder.h"
#include "model/plan_model.h"
#include "planex/error.h"

namespace planex::ingest::planex_files {

class OutputRows {
 public:
  // `record`: the value of the rows that says who compared.
  OutputRows(JsonRecords& json, model::ModelBuilder& builder, const Artefact& artefact,
             std::string_view record)
      : json_(json), builder_(builder), artefact_(artefact), record_(record) {}

  // Lists of a document: the member and what it compares.
  struct Compared {
    std::string_view member, word;
  };
  static constexpr auto kCompared =
      std::to_array<Compared>({{"simulated", "simulated"},
                               {"engine", "engine"},
                               {"engine_to_simulated", "engine-to-simulated"}});

  // Index into kCompared; null: the member is not one of them.
  static const Compared* find(std::string_view member);

  // Rows not yet in the model. Errors: kBadInput, kLimit of rows.
  Result<model::AccuracyOutputsTable> read(const Compared& compared,
                                           simdjson::ondemand::value& value,
                                           const JsonPlace& place);
  void keep(const Compared& compared, const model::AccuracyOutputsTable& rows);
  // The list of values from the user's own programs, which become facts of the record:
  // "metrics.iou.engine". Errors: kBadInput.
  Result<void> read_metrics(simdjson::ondemand::value& value, const JsonPlace& place);
  // Adds all to the model.
  void finish();

 private:
  std::size_t count() const;
  Result<std::size_t> add_row(model::AccuracyOutputsTable& table, std::string_view compared);

  JsonRecords& json_;
  model::ModelBuilder& builder_;
  const Artefact& artefact_;
  std::string_view record_;
  RecordRows rows_{json_, builder_, artefact_, "accuracy_outputs", kRenamedOfOutput};
  std::array<model::AccuracyOutputsTable, kCompared.size()> kept_;
};

}  // namespace planex::ingest::planex_files
