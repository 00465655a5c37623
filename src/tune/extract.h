// Extracts the smallest part of a quantized model that still shows a fault, to hand over.
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

// Cuts the model around the fault in result(): what --bisect found, else the single layer for which
// the engine is most at fault. Only that layer, tensor or weight stays quantized. Parts are tried
// from the smallest on, on the sample that shows the fault most, until one reproduces it:
//   - a fault of the engine: half of the dB between the simulation and the engine, and at least 6;
//   - a fault of the model: the smallest part, which has the arithmetic of the whole model.
// Writes extracted_files(request().extracted) and fills result().extracted. Errors: kUnsupported
// (nothing is at fault; no part shows it), those of pairs(), Runner::run() and of writing. Cost:
// three compilations per part tried.
Result<void> extract_fault(Comparison& comparison);

}  // namespace planex::tune
