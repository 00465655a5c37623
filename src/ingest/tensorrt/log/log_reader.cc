#include "ingest/tensorrt/log/log_reader.h"

#include "base/try.h"
#include "ingest/tensorrt/log/layer_lines.h"
#include "ingest/tensorrt/log/log_lines.h"
#include "ingest/tensorrt/log/parser_lines.h"
#include "ingest/tensorrt/log/report_lines.h"

namespace planex::ingest::tensorrt {

Confidence sniff_log(std::string_view) { return Confidence::kNo; }

std::vector<std::string> files_written_by(std::string_view) { return {}; }

Result<void> read_log(const Artefact& artefact, model::ModelBuilder& builder) {
  builder.keep(artefact.bytes);
  LayerLines layers(artefact, builder);
  ParserLines parser(artefact, builder);
  ReportLines report(artefact, builder);
  LogLines lines(artefact.bytes->view());
  LogLine line;
  while (lines.next(line)) {
    // Whoever is in the middle of something of several lines takes bare lines first.
    if (layers.take(line) || parser.take(line)) continue;
    report.take(line);
  }
  PLANEX_TRY(parser.finish());
  PLANEX_TRY(layers.finish());
  return report.finish();
}

}  // namespace planex::ingest::tensorrt
