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
    outputs_.finish();
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
    if (key == "metrics") return outputs_.read_metrics(value, place);
    if (const auto* const compared = OutputRows::find(key)) {
      PLANEX_ASSIGN(const auto rows, outputs_.read(*compared, value, place));
      outputs_.keep(*compared, rows);
      return {};
    }
    return keep_fact(json_, builder_, artefact_, kAccuracySection, key, value, place);
  }

  Result<void> check_count(std::size_t count) const {
    if (count < builder_.limits().layers) return {};
    return fail(model::too_many("tensors", builder_.limits().layers, artefact_.path));
  }

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  JsonRecords json_;
  RecordRows layers_{json_, builder_, artefact_, "accuracy", kRenamedOfTensor};
  OutputRows outputs_{json_, builder_, artefact_, kAccuracySection};
  bool has_layers_ = false;
};

}  // namespace

Confidence sniff_accuracy(std::string_view head) { return sniff_schema(head, kAccuracySchema); }

Result<void> read_accuracy(const Artefact& artefact, model::ModelBuilder& builder) {
  return AccuracyReader(artefact, builder).read();
}

}  // namespace planex::ingest::planex_files
