#include "ingest/tensorrt/log/layer_lines.h"

namespace planex::ingest::tensorrt {

bool LayerLines::take(const LogLine&) { return false; }

Result<void> LayerLines::finish() { return {}; }

}  // namespace planex::ingest::tensorrt
