#include "ingest/optimize_record.h"

#include <string_view>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "ingest/json_record.h"

namespace planex::ingest {
namespace {

constexpr Schema kOptimizeSchema = {
    .name = "planex.optimize",
    .version = 1,
    .what = "a record of planex optimize",
    .hint = "such a file comes from `planex optimize MODEL -o DIR`: DIR/optimize.json"};

}  // namespace

Result<OptimizeRecord> read_optimize_record(const Artefact& artefact) {
  JsonRecords records(artefact, kOptimizeSchema);
  OptimizeRecord record{
      .json = base::format(R"({{"schema":"{}/{}")", kOptimizeSchema.name, kOptimizeSchema.version)};
  auto read = records.read_document([&](std::string_view key, simdjson::ondemand::value& value,
                                        const JsonPlace& place) -> Result<void> {
    PLANEX_ASSIGN(const std::string_view written, records.raw(value, place));
    record.json += base::format(R"(,"{}":{})", key, compact_json(written));
    // As it is written: a path with escapes is not looked for.
    if (written.starts_with('"')) {
      const std::string_view text = written.substr(1, written.size() - 2);
      if (key == "model") record.model = text;
      if (key == "model_sha256") record.model_sha256 = text;
    }
    return {};
  });
  if (!read) {
    Error error = std::move(read).error();
    if (error.hint.empty()) error.hint = kOptimizeSchema.hint;
    return fail(std::move(error));
  }
  record.json += '}';
  return record;
}

}  // namespace planex::ingest
