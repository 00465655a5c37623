// The smallest part of a quantized model that still shows what is at fault, to hand over.
#pragma once

#include <string>

#include "planex/error.h"
#include "tune/comparison.h"

namespace planex::tune {

// Whether a layer was run alone, and the engine was at fault.
bool has_engine_fault(const quantize::LayerAccuracies& result);

// The files of an extracted model: "part.onnx" -> "part.float.onnx", "part.npz".
struct ExtractedFiles {
  std::string subject, reference, data;
};
ExtractedFiles extracted_files(const std::string& path);

// Cuts the model around what result() names: what --bisect found, else the layer alone that the
// engine is most at fault for. Only that layer, tensor or weight stays quantized. Parts are tried
// from the smallest on, on the sample that shows the fault most, until one shows it:
//   - a fault of the engine: half of the dB between the simulation and the engine, and 6 at least;
//   - a fault of the model: the smallest part, whose arithmetic is that of the whole.
// Writes extracted_files(request().extracted) and fills result().extracted. Errors: kUnsupported
// (nothing is at fault; no part shows it), those of pairs(), Runner::run() and of writing. Cost:
// three compilations for each part that is tried.
Result<void> extract_fault(Comparison& comparison);

}  // namespace planex::tune
