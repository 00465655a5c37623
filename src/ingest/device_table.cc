#include "ingest/device_table.h"

#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "ingest/json_record.h"

namespace planex::ingest {
namespace {

namespace ondemand = simdjson::ondemand;
using base::format;
using model::ArchitectureRow;
using model::DeviceRow;

constexpr Schema kSchema = {
    .name = "planex.devices",
    .version = 1,
    .what = "a device table",
    .hint = "`planex probe -o FILE` writes one for this machine; data/devices.json is an example"};
constexpr double kPerTera = 1e12, kPerGiga = 1e9;
// Far more than any user needs; the table is scanned once per engine.
constexpr std::size_t kMaxRows = 10'000;

class DeviceTableReader {
 public:
  explicit DeviceTableReader(const Artefact& artefact)
      : artefact_(artefact), json_(artefact, kSchema) {}

  Result<model::DeviceTable> read() {
    PLANEX_TRY(
        json_.read_document([this](std::string_view key, ondemand::value& value,
                                   const JsonPlace& at) { return read_list(key, value, at); }));
    return std::move(table_);
  }

 private:
  Result<void> read_list(std::string_view key, ondemand::value& value, const JsonPlace& place) {
    if (key == "devices") {
      return each_row(value, place, table_.devices,
                      [this](DeviceRow& row, std::string_view name, ondemand::value& item,
                             const JsonPlace& at) { return read_device(row, name, item, at); });
    }
    if (key == "architectures") {
      return each_row(
          value, place, table_.architectures,
          [this](ArchitectureRow& row, std::string_view name, ondemand::value& item,
                 const JsonPlace& at) { return read_architecture(row, name, item, at); });
    }
    return skip(value, place);
  }

  template <typename Row, typename ReadField>
  Result<void> each_row(ondemand::value& value, const JsonPlace& place, std::vector<Row>& rows,
                        ReadField read_field) {
    return json_.each_item(
        value, place, "a list of rows", [&](ondemand::value& item, const JsonPlace& at) {
          if (rows.size() >= kMaxRows) return bad(at, format("more than {} rows", kMaxRows));
          Row row;
          auto read = json_.each_field(item, at, "an object",
                                       [&](std::string_view key, ondemand::value& field,
                                           const JsonPlace& field_at) -> Result<void> {
                                         if (JsonRecords::is_null(field)) return {};
                                         return read_field(row, key, field, field_at);
                                       });
          if (!read) return read;
          if (row.name.empty()) return bad(at, "a row without a name");
          rows.push_back(std::move(row));
          return Result<void>{};
        });
  }

  Result<void> read_device(DeviceRow& row, std::string_view key, ondemand::value& value,
                           const JsonPlace& place) {
    if (key == "name") return read_text(value, place, row.name);
    if (key == "aliases") {
      return json_.each_item(value, place, "a list of names",
                             [&](ondemand::value& item, const JsonPlace& at) {
                               return read_text(item, at, row.aliases.emplace_back());
                             });
    }
    if (key == "compute_capability") return read_text(value, place, row.compute_capability);
    if (key == "sm_count") {
      PLANEX_ASSIGN(row.sm_count, json_.integer(value, place));
      return {};
    }
    if (key == "cpu_count") {
      PLANEX_ASSIGN(row.processors, json_.integer(value, place));
      return {};
    }
    if (key == "memory_gib") return read_rate(value, place, 1, row.memory_gib);
    if (key == "boost_mhz") return read_rate(value, place, 1, row.boost_mhz);
    if (key == "memory_gb_per_s") return read_rate(value, place, kPerGiga, row.bytes_per_s);
    if (key == "matrix_tflops") return read_rates(value, place, kPerTera, row.matrix_flops_per_s);
    if (key == "vector_tflops") return read_rates(value, place, kPerTera, row.vector_flops_per_s);
    if (key == "source") return read_text(value, place, row.source);
    if (key == "note") return read_text(value, place, row.note);
    return skip(value, place);
  }

  Result<void> read_architecture(ArchitectureRow& row, std::string_view key, ondemand::value& value,
                                 const JsonPlace& place) {
    if (key == "name") return read_text(value, place, row.name);
    if (key == "compute_capability") return read_text(value, place, row.compute_capability);
    if (key == "matrix_fma") return read_rates(value, place, 1, row.matrix_fma);
    if (key == "vector_fma") return read_rates(value, place, 1, row.vector_fma);
    if (key == "source") return read_text(value, place, row.source);
    if (key == "note") return read_text(value, place, row.note);
    return skip(value, place);
  }

  Result<void> read_text(ondemand::value& value, const JsonPlace& place, std::string& text) {
    PLANEX_ASSIGN(const JsonText read, json_.text(value, place));
    text = read.view;
    return {};
  }

  Result<void> read_rate(ondemand::value& value, const JsonPlace& place, double factor,
                         std::optional<double>& rate) {
    PLANEX_ASSIGN(rate, json_.number(value, place));
    if (!rate) return {};
    *rate *= factor;
    if (!(*rate > 0 && *rate < 1e30)) return bad(place, "a rate must be above zero");
    return {};
  }

  Result<void> read_rates(ondemand::value& value, const JsonPlace& place, double factor,
                          model::Rates& rates) {
    return json_.each_field(
        value, place, "an object of rates by type",
        [&](std::string_view key, ondemand::value& item, const JsonPlace& at) -> Result<void> {
          const model::DType type = model::dtype_of(key);
          if (type == model::DType::kNull) {
            return bad(at, format("{} is not a type that planex knows", base::quoted(key)));
          }
          std::optional<double> rate;
          PLANEX_TRY(read_rate(item, at, factor, rate));
          rates.set(type, rate);
          return {};
        });
  }

  Result<void> skip(ondemand::value& value, const JsonPlace& place) {
    PLANEX_TRY(json_.raw(value, place));
    return {};
  }

  Result<void> bad(const JsonPlace& place, std::string_view what) const {
    return fail({.code = ErrorCode::kBadInput,
                 .message = format("not {}: {}", kSchema.what, what),
                 .file = artefact_.path,
                 .json_pointer = place.pointer()});
  }

  const Artefact& artefact_;
  JsonRecords json_;
  model::DeviceTable table_;
};

}  // namespace

Result<model::DeviceTable> read_device_table(const std::string& file,
                                             std::shared_ptr<const base::Bytes> bytes) {
  const Artefact artefact{.path = file, .bytes = std::move(bytes)};
  PLANEX_ASSIGN(model::DeviceTable table, DeviceTableReader(artefact).read());
  table.file = file;
  return table;
}

}  // namespace planex::ingest
