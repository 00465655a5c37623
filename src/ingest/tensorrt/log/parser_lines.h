// What the ONNX parser says of the source model: nodes, their types, tensors and shapes,
// parametersn// of convolutions. Fills `operations`.
#ifndef PLANEX_INGEST_TENSORRT_LOG_PARSER_LINES_H_
#define PLANEX_INGEST_TENSORRT_LOG_PARSER_LINES_H_

#include "ingest/reader.h"
#include "ingest/tensorrt/log/log_lines.h"

namespace planex::ingest::tensorrt {

class ParserLines {
 public:
  ParserLines(const Artefact& artefact, model::ModelBuilder& builder)
      : artefact_(artefact), builder_(builder) {}

  // Takes a line if it is of this kind, and says whether it was.
  bool take(const LogLine& line);
  // After the last line. Errors: kBadInput.
  Result<void> finish();

 private:
  [[maybe_unused]] const Artefact& artefact_;
  [[maybe_unused]] model::ModelBuilder& builder_;
};

}  // namespace planex::ingest::tensorrt

#endif  // PLANEX_INGEST_TENSORRT_LOG_PARSER_LINES_H_
