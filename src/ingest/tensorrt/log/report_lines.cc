#include "ingest/tensorrt/log/report_lines.h"

namespace planex::ingest::tensorrt {

bool ReportLines::take(const LogLine&) { return false; }

Result<void> ReportLines::finish() { return {}; }

}  // namespace planex::ingest::tensorrt
