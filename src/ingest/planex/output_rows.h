// Rows of accuracy_outputs from the records of quantizing and of accuracy, in one order: that of
// what was compared, whatever the order of the record's members.
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
  // `record`: what the rows say who compared.
  OutputRows(JsonRecords& json, model::ModelBuilder& builder, const Artefact& artefact,
             std::string_view record)
      : json_(json), builder_(builder), artefact_(artefact), record_(record) {}

  // Lists of a document: member and what they compare.
  struct Compared {
    std::string_view member, word;
  };
  static constexpr auto kCompared =
      std::to_array<Compared>({{"simulated", "simulated"},
                               {"engine", "engine"},
                               {"engine_to_simulated", "engine-to-simulated"}});

  // Of kCompared; null: the member is none of them.
  static const Compared* find(std::string_view member);

  // Rows that nobody keeps yet. Errors: kBadInput, kLimit of rows.
  Result<model::AccuracyOutputsTable> read(const Compared& compared,
                                           simdjson::ondemand::value& value,
                                           const JsonPlace& place);
  void keep(const Compared& compared, const model::AccuracyOutputsTable& rows);
  // The list of values of the user's own programs, which become facts of the record:
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
