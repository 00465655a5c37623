#include "ingest/planex/accuracy_reader.h"

#include <array>
#include <string>

#include "base/text.h"
#include "base/try.h"
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

struct OutputList {
  std::string_view member, compared;
};
constexpr auto kOutputLists =
    std::to_array<OutputList>({{"simulated", "simulated"},
                               {"engine", "engine"},
                               {"engine_to_simulated", "engine-to-simulated"}});

class AccuracyReader {
 public:
  AccuracyReader(const Artefact& artefact, model::ModelBuilder& builder)
      : artefact_(artefact), builder_(builder), json_(artefact, kAccuracySchema) {}

  Result<void> read() {
    model::AccuracyTable& table = builder_.model().accuracy;
    if (table.row_count() > 0) {
      builder_.add_diagnostic({.code = "left-out",
                               .message = "another accuracy layer by layer was read before this",
                               .file = artefact_.path});
      return {};
    }
    PLANEX_TRY(json_.read_document(
        [this](std::string_view key, ondemand::value& value, const JsonPlace& place) {
          return read_member(key, value, place);
        }));
    if (!has_layers_) {
      return fail(
          {.code = ErrorCode::kBadInput,
           .message = base::format("not {}: there is no list \"layers\"", kAccuracySchema.what),
           .file = artefact_.path,
           .hint = std::string(kAccuracySchema.hint)});
    }
    builder_.model().files.record_count.set(artefact_.file_row,
                                            static_cast<std::int64_t>(table.row_count()));
    return {};
  }

 private:
  Result<void> read_member(std::string_view key, ondemand::value& value, const JsonPlace& place) {
    if (key == "layers") {
      has_layers_ = true;
      return json_.each_item(value, place, "a list of tensors",
                             [this](ondemand::value& item, const JsonPlace& at) -> Result<void> {
                               model::AccuracyTable& table = builder_.model().accuracy;
                               PLANEX_TRY(check_count(table.row_count()));
                               return layers_.read(item, at, table.add_row());
                             });
    }
    for (const OutputList& list : kOutputLists) {
      if (key == list.member) return read_outputs(list.compared, value, place);
    }
    return keep_fact(json_, builder_, artefact_, kAccuracySection, key, value, place);
  }

  Result<void> read_outputs(std::string_view compared, ondemand::value& value,
                            const JsonPlace& place) {
    return json_.each_item(value, place, "a list of outputs",
                           [&](ondemand::value& item, const JsonPlace& at) -> Result<void> {
                             model::AccuracyOutputsTable& table = builder_.model().accuracy_outputs;
                             PLANEX_TRY(check_count(table.row_count()));
                             const std::size_t row = table.add_row();
                             table.record.set(row, builder_.strings().intern(kAccuracySection));
                             table.compared.set(row, builder_.strings().intern(compared));
                             return outputs_.read(item, at, row);
                           });
  }

  Result<void> check_count(std::size_t count) const {
    if (count < builder_.limits().layers) return {};
    return fail(model::too_many("tensors", builder_.limits().layers, artefact_.path));
  }

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  JsonRecords json_;
  RecordRows layers_{json_, builder_, artefact_, "accuracy", kRenamedOfTensor};
  RecordRows outputs_{json_, builder_, artefact_, "accuracy_outputs", kRenamedOfOutput};
  bool has_layers_ = false;
};

}  // namespace

Confidence sniff_accuracy(std::string_view head) { return sniff_schema(head, kAccuracySchema); }

Result<void> read_accuracy(const Artefact& artefact, model::ModelBuilder& builder) {
  return AccuracyReader(artefact, builder).read();
}

}  // namespace planex::ingest::planex_files
