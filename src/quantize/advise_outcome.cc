#include "quantize/advise_outcome.h"

namespace planex::quantize {

EngineFigures figures_of(const MeasuredEngine& engine) {
  return {.layer_count = engine.layers.size(),
          .float_layer_count = engine.float_layer_count(),
          .written_bytes = engine.written_bytes(),
          .latency_ms = engine.end_to_end_ms,
          .layers_ms = engine.layers_ms()};
}

}  // namespace planex::quantize
