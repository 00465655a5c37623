// Where a quantized model loses what, for the terminal.
#pragma once

#include <string>

#include "quantize/accuracy.h"
#include "render/text/table_text.h"

namespace planex::render {

// `all`: every tensor, else those where most is lost. `low_db`: what counts as bad.
std::string layer_accuracy_text(const quantize::LayerAccuracies& result, bool all, double low_db,
                                const TableStyle& style);

}  // namespace planex::render
