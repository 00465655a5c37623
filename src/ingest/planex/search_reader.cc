#include "ingest/planex/search_reader.h"

#include <cstdint>

#include "base/text.h"
#include "base/try.h"
#include "ingest/planex/output_rows.h"
#include "ingest/planex/record_rows.h"

namespace planex::ingest::planex_files {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr Schema kSearchSchema = {.name = "planex.search",
                                  .version = 1,
                                  .what = "a record of a search",
                                  .hint = "such a file comes from `planex search MODEL`"};
constexpr std::string_view kSearchSection = "search";

class SearchReader {
 public:
  SearchReader(const Artefact& artefact, model::ModelBuilder& builder)
      : artefact_(artefact), builder_(builder), json_(artefact, kSearchSchema) {}

  Result<void> read() {
    const model::FrontTable& table = builder_.model().front;
    PLANEX_TRY(read_record(
        json_, builder_, artefact_, kSearchSchema, "front", [&] { return table.row_count(); },
        [this](std::string_view key, ondemand::value& value, const JsonPlace& place) {
          return read_member(key, value, place);
        }));
    outputs_.finish();
    return {};
  }

 private:
  Result<void> read_member(std::string_view key, ondemand::value& value, const JsonPlace& place) {
    if (key == "front") {
      return json_.each_item(
          value, place, "a list of points",
          [this](ondemand::value& item, const JsonPlace& at) { return read_point(item, at); });
    }
    if (key == "metrics") return outputs_.read_metrics(value, place);
    if (const auto* const compared = OutputRows::find(key)) {
      PLANEX_ASSIGN(const auto rows, outputs_.read(*compared, value, place));
      outputs_.keep(*compared, rows);
      return {};
    }
    // The path of the search, and the effects of single layers, are only in the document.
    if (key == "path" || key == "layers") {
      PLANEX_TRY(json_.raw(value, place));
      return {};
    }
    return keep_fact(json_, builder_, artefact_, kSearchSection, key, value, place);
  }

  Result<void> read_point(ondemand::value& value, const JsonPlace& place) {
    model::FrontTable& table = builder_.model().front;
    PLANEX_TRY(check_count(builder_, artefact_, table.row_count(), "points"));
    const std::size_t row = table.add_row();
    const auto point = static_cast<std::int64_t>(row);
    table.point.set(row, point);
    return points_.read(
        value, place, row,
        [&](std::string_view member, ondemand::value& item, const JsonPlace& at) -> Result<bool> {
          if (member != "kept") return false;
          PLANEX_TRY(read_kept(point, item, at));
          return true;
        });
  }

  Result<void> read_kept(std::int64_t point, ondemand::value& value, const JsonPlace& place) {
    return json_.each_item(
        value, place, "a list of nodes",
        [&](ondemand::value& item, const JsonPlace& at) -> Result<void> {
          model::FrontLayersTable& table = builder_.model().front_layers;
          PLANEX_TRY(check_count(builder_, artefact_, table.row_count(), "layers of points"));
          PLANEX_ASSIGN(const JsonText name, json_.text(item, at));
          const std::size_t row = table.add_row();
          table.point.set(row, point);
          table.op_name.set(row, builder_.strings().intern(name.view));
          return {};
        });
  }

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  JsonRecords json_;
  RecordRows points_{json_, builder_, artefact_, "front"};
  OutputRows outputs_{json_, builder_, artefact_, kSearchSection};
};

}  // namespace

Confidence sniff_search(std::string_view head) { return sniff_schema(head, kSearchSchema); }

Result<void> read_search(const Artefact& artefact, model::ModelBuilder& builder) {
  return SearchReader(artefact, builder).read();
}

}  // namespace planex::ingest::planex_files
