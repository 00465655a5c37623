#include "ingest/planex/quantize_reader.h"

#include <string>

#include "base/text.h"
#include "base/try.h"
#include "ingest/planex/output_rows.h"
#include "ingest/planex/record_rows.h"

namespace planex::ingest::planex_files {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr Schema kQuantizeSchema = {.name = "planex.quantize",
                                    .version = 1,
                                    .what = "a record of quantizing",
                                    .hint = "such a file comes from `planex quantize MODEL`"};
constexpr std::string_view kQuantizeSection = "quantize";

class QuantizeReader {
 public:
  QuantizeReader(const Artefact& artefact, model::ModelBuilder& builder)
      : artefact_(artefact), builder_(builder), json_(artefact, kQuantizeSchema) {}

  Result<void> read() {
    model::CalibrationTable& table = builder_.model().calibration;
    PLANEX_TRY(read_record(
        json_, builder_, artefact_, kQuantizeSchema, "tensors", [&] { return table.row_count(); },
        [this](std::string_view key, ondemand::value& value, const JsonPlace& place) {
          return read_member(key, value, place);
        }));
    if (!method_.empty()) {
      const base::StringId method = builder_.strings().intern(method_);
      for (std::size_t row = 0; row < table.row_count(); ++row) table.method.set(row, method);
    }
    outputs_.finish();
    return {};
  }

 private:
  Result<void> read_member(std::string_view key, ondemand::value& value, const JsonPlace& place) {
    if (key == "tensors") {
      return json_.each_item(
          value, place, "a list of tensors",
          [this](ondemand::value& item, const JsonPlace& at) { return read_tensor(item, at); });
    }
    if (key == "scores") {
      return json_.each_item(
          value, place, "a list of scores",
          [this](ondemand::value& item, const JsonPlace& at) { return read_score(item, at); });
    }
    if (key == "metrics") return outputs_.read_metrics(value, place);
    if (const auto* const compared = OutputRows::find(key)) {
      PLANEX_ASSIGN(const auto rows, outputs_.read(*compared, value, place));
      outputs_.keep(*compared, rows);
      return {};
    }
    // The engine shows what computes in INT8; the document has each decision.
    if (key == "layers" || key == "decisions" || key == "weights") {
      PLANEX_TRY(json_.raw(value, place));
      return {};
    }
    if (key == "method" && JsonRecords::is_text(value)) {
      PLANEX_ASSIGN(const JsonText text, json_.text(value, place));
      method_ = text.view;
      builder_.add_metadata(kQuantizeSection, key, text.view, artefact_.path);
      return {};
    }
    return keep_fact(json_, builder_, artefact_, kQuantizeSection, key, value, place);
  }

  Result<void> read_tensor(ondemand::value& value, const JsonPlace& place) {
    model::CalibrationTable& table = builder_.model().calibration;
    PLANEX_TRY(check_count(builder_, artefact_, table.row_count(), "quantized tensors"));
    const std::size_t row = table.add_row();
    PLANEX_TRY(tensors_.read(value, place, row));
    complete(table, row);
    return {};
  }

  // Older records contain this only as is_unsigned.
  static void complete(model::CalibrationTable& table, std::size_t row) {
    if (table.is_unsigned.is_null(row)) return;
    const bool is_unsigned = table.is_unsigned.get(row) != 0;
    if (table.dtype[row] == model::DType::kNull) {
      table.dtype.set(row, is_unsigned ? model::DType::kUint8 : model::DType::kInt8);
    }
    if (!is_unsigned && table.zero_point.is_null(row)) table.zero_point.set(row, 0);
  }

  // Members come in any order, so outputs may be read before it is known whether the score is the
  // chosen one. Values of other methods are about models that were not written.
  Result<void> read_score(ondemand::value& value, const JsonPlace& place) {
    const OutputRows::Compared& simulated = *OutputRows::find("simulated");
    model::AccuracyOutputsTable rows;
    bool is_chosen = false;
    const auto read_field = [&](std::string_view key, ondemand::value& item,
                                const JsonPlace& at) -> Result<void> {
      if (key == simulated.member) {
        PLANEX_ASSIGN(rows, outputs_.read(simulated, item, at));
        return {};
      }
      if (key == "is_chosen") {
        PLANEX_ASSIGN(is_chosen, json_.boolean(item, at));
        return {};
      }
      PLANEX_TRY(json_.raw(item, at));
      return {};
    };
    PLANEX_TRY(json_.each_field(value, place, "a score", read_field));
    if (is_chosen) outputs_.keep(simulated, rows);
    return {};
  }

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  JsonRecords json_;
  RecordRows tensors_{json_, builder_, artefact_, "calibration", kRenamedOfTensor};
  OutputRows outputs_{json_, builder_, artefact_, kQuantizeSection};
  std::string method_;
};

}  // namespace

Confidence sniff_quantize(std::string_view head) { return sniff_schema(head, kQuantizeSchema); }

Result<void> read_quantize(const Artefact& artefact, model::ModelBuilder& builder) {
  return QuantizeReader(artefact, builder).read();
}

}  // namespace planex::ingest::planex_files
