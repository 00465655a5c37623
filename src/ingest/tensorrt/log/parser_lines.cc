#include "ingest/tensorrt/log/parser_lines.h"

namespace planex::ingest::tensorrt {

bool ParserLines::take(const LogLine&) { return false; }

Result<void> ParserLines::finish() { return {}; }

}  // namespace planex::ingest::tensorrt
